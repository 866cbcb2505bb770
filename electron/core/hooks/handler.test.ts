// How handlers are called for people, and which are the same.
import { expect, it } from 'vitest';
import { HandlerAction, identityOf, labelOf } from './handler';

const label = (value: object): string => labelOf(HandlerAction.parse(value));

it.each<[object, string]>([
  [{ type: 'command', command: 'check.sh  --all\n| tee log' }, 'check.sh --all | tee log'],
  [{ type: 'command', command: 'node', args: ['a b', 'c'] }, 'node a b c'],
  [{ type: 'command', command: 'ab '.repeat(100) }, `${'ab '.repeat(66)}ab…`],
  [
    { type: 'command', command: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/check-style.sh' },
    '"$CLAUDE_PROJECT_DIR"/.claude/hooks/check-style.sh',
  ],
  [
    { type: 'command', command: '/home/someone/projects/long-company-name/tools/hooks/validate.py --strict' },
    '/home/someone/projects/long-company-name/tools/hooks/validate.py --strict',
  ],
  [
    { type: 'command', command: "jq -r '.tool_input.file_path' | xargs npx prettier --write" },
    "jq -r '.tool_input.file_path' | xargs npx prettier --write",
  ],
  [{ type: 'http', url: 'https://u:p@example.com:8080/hook?key=secret#x' }, 'https://example.com:8080/hook'],
  [{ type: 'prompt', prompt: 'Is it safe?' }, 'Is it safe?'],
  [{ type: 'mcp_tool', server: 'scan', tool: 'check' }, 'scan: check'],
])('%j is called %j', (value, expected) => {
  expect(label(value)).toBe(expected);
});

it('shows no key that stands in a command', () => {
  const shown = label({
    type: 'command',
    command: 'curl -H "Authorization: Bearer sk-abcdef0123456789" https://x.org',
  });
  expect(shown).not.toContain('abcdef0123456789');
  expect(shown).toMatch(/^curl/);
});

it.each<[object, object, boolean]>([
  [{ type: 'command', command: 'x' }, { type: 'command', command: 'x', timeout: 5, statusMessage: 'y' }, true],
  [{ type: 'command', command: 'x' }, { type: 'command', command: 'x', args: [] }, false],
  [{ type: 'command', command: 'x' }, { type: 'command', command: 'x', shell: 'bash' }, false],
  [{ type: 'http', url: 'http://x/' }, { type: 'http', url: 'http://x/', headers: { a: 'b' } }, false],
  [{ type: 'prompt', prompt: 'x' }, { type: 'agent', prompt: 'x' }, false],
])('%j and %j are the same: %s', (one, other, same) => {
  expect(identityOf(HandlerAction.parse(one)) === identityOf(HandlerAction.parse(other))).toBe(same);
});
