// Hooks to begin with. Each is complete and can be saved as it is.
import type { HookEventName } from '#shared/session/hookRun';

export interface HookTemplate {
  readonly title: string;
  readonly text: string;
  readonly event: HookEventName;
  readonly matcher: string;
  readonly handler: Readonly<Record<string, unknown>>;
}

export const hookTemplates: readonly HookTemplate[] = [
  {
    title: 'Refuse a kind of command',
    text: 'Exit code 2 refuses, and what stands on stderr goes to the model. It blocks when it fails.',
    event: 'PreToolUse',
    matcher: 'Bash',
    handler: {
      type: 'command',
      command: "if grep -q 'git push --force'; then echo 'Force pushes are not made here.' >&2; exit 2; fi",
      timeout: 10,
      onFailure: 'block',
    },
  },
  {
    title: 'Guard with a script of the project',
    text: 'The script gets the call as JSON on stdin.',
    event: 'PreToolUse',
    matcher: 'Bash|Write|Edit|MultiEdit',
    handler: {
      type: 'command',
      command: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh',
      timeout: 30,
      onFailure: 'block',
    },
  },
  {
    title: 'Format after an edit',
    text: 'Runs after each change of a file.',
    event: 'PostToolUse',
    matcher: 'Write|Edit|MultiEdit',
    handler: { type: 'command', command: 'npx --no-install prettier --write --log-level warn .', timeout: 60 },
  },
  {
    title: 'Keep a record of commands',
    text: 'Appends each call as one line of JSON. In the background: nothing waits for it.',
    event: 'PostToolUse',
    matcher: 'Bash',
    handler: { type: 'command', command: 'cat >> "$CLAUDE_PROJECT_DIR"/.claude/commands.jsonl', async: true },
  },
  {
    title: 'Tell the model where things stand',
    text: 'What it prints is told to the model when a session starts.',
    event: 'SessionStart',
    matcher: 'startup|resume',
    handler: { type: 'command', command: 'git -C "$CLAUDE_PROJECT_DIR" status --short --branch', timeout: 10 },
  },
  {
    title: 'Do not stop before the tests pass',
    text: 'Exit code 2 lets the model go on, and it reads why on stderr.',
    event: 'Stop',
    matcher: '',
    handler: { type: 'command', command: 'npm test --silent >&2 || exit 2', timeout: 300 },
  },
  {
    title: 'Let a model judge',
    text: 'A short question to the session’s model before each call. It costs tokens.',
    event: 'PreToolUse',
    matcher: 'WebFetch',
    handler: {
      type: 'prompt',
      prompt: 'Is this address one that the project’s documentation names? Refuse if not. $ARGUMENTS',
      timeout: 20,
    },
  },
  {
    title: 'Ask a web address',
    text: 'Posts the call as JSON; the answer is read as a hook’s output.',
    event: 'PreToolUse',
    matcher: 'Bash',
    handler: { type: 'http', url: 'https://rules.example.com/check', timeout: 10, onFailure: 'block' },
  },
];
