import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxNameChars, serverKeys, toolNames } from './names';

describe('servers', () => {
  it.each([
    [['github'], ['github']],
    [
      ['my server', 'my_server'],
      ['my_server', 'my_server-b1edb0e5'],
    ],
    [
      ['a__b', '_a_b_'],
      ['a_b', 'a_b-11c1f8a1'],
    ],
    [['…'], ['server']],
    [['claude.ai Gmail'], ['claude_ai_Gmail']],
  ])('%j', (names, keys) => {
    const made = names.map((name) => serverKeys(names).get(name));
    expect(made[0]).toBe(keys[0]);
    expect(made.slice(1).every((key, at) => key?.startsWith(`${keys[at + 1]?.split('-')[0]}-`))).toBe(true);
  });

  it('never lets a rule for one cover another', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1, unit: fc.constantFrom('a', '_', '-', '.', 'ß') }), { maxLength: 8 }),
        (names) => {
          const keys = [...serverKeys(names).values()];
          expect(new Set(keys).size).toBe(names.length);
          for (const key of keys) {
            expect(key).toMatch(/^(?!.*__)[a-zA-Z0-9-](.*[a-zA-Z0-9-])?$/);
            for (const other of keys)
              if (other !== key) expect(`mcp__${other}__t`.startsWith(`mcp__${key}__`)).toBe(false);
          }
        },
      ),
    );
  });
});

describe('tools', () => {
  it('keeps what fits, shortens what is too long, and rules know the whole name', () => {
    const key = serverKeys(['a-very-long-company-platform-server']).get('a-very-long-company-platform-server') ?? '';
    const names = toolNames(key, ['list_everything_in_the_workspace_now', 'get']);
    expect(names.get('get')).toEqual({
      name: 'mcp__a-very-long-company-platform-server__get',
      ruleName: 'mcp__a-very-long-company-platform-server__get',
    });
    const long = names.get('list_everything_in_the_workspace_now');
    expect(long?.ruleName).toBe('mcp__a-very-long-company-platform-server__list_everything_in_the_workspace_now');
    expect(long?.name).toMatch(/^mcp__a-very-long-company-platform-server__list_everythi_[0-9a-f]{8}$/);
    expect(long?.name).toHaveLength(maxNameChars);
  });

  it('gives each a valid name of its own, whatever the server calls them and in whatever order', () => {
    const text = fc.string({ maxLength: 90, unit: fc.constantFrom('a', 'b', '_', '.', ' ', 'é', '/') });
    fc.assert(
      fc.property(fc.uniqueArray(text, { maxLength: 20 }), (originals) => {
        const names = toolNames('s', originals);
        const all = [...names.values()].map(({ name }) => name);
        expect(new Set(all).size).toBe(originals.length);
        for (const name of all) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        for (const original of originals)
          if (/^[a-zA-Z0-9_-]{1,50}$/.test(original)) expect(names.get(original)?.name).toBe(`mcp__s__${original}`);
      }),
    );
  });
});
