import { expect, test } from 'vitest';
import type { TypedCommand } from '#shared/api/commands';
import { commandMatches } from './commandMatches';

const command = (name: string, description = ''): TypedCommand => ({
  ...{
    name,
    description,
    kind: 'command',
    source: 'user',
    argumentHint: '',
    file: `/${name}.md`,
    allows: [],
    denies: [],
  },
});
const all = [command('prefix'), command('fix', 'Mends'), command('web:fix'), command('notes', 'What was fixed')];

test.each<[string, string[]]>([
  ['/', ['prefix', 'fix', 'web:fix', 'notes']],
  ['/fix', ['fix', 'prefix', 'web:fix', 'notes']],
  ['/WEB', ['web:fix']],
  ['/none', []],
  ['/fix it', []],
  ['say /fix', []],
  ['/etc/passwd', []],
  ['', []],
])('%j', (text, names) => {
  expect(commandMatches(text, all).map(({ name }) => name)).toEqual(names);
});
