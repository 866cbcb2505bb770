import { beforeAll, expect, it } from 'vitest';
import { decideCase } from '../caseWorld';
import { loadSecondParser } from './treeSitter';

beforeAll(loadSecondParser);

const deep = 4_000;

/** Texts made to keep a parser busy. Each must be answered soon, and never with allow. */
it.each([
  ['substitutions in one another', '$('.repeat(deep)],
  ['closed substitutions', `${'$('.repeat(deep)}x${')'.repeat(deep)}`],
  ['subshells', `${'('.repeat(deep)}x${')'.repeat(deep)}`],
  ['groups', `${'{ '.repeat(2_000)}x${'; }'.repeat(2_000)}`],
  ['quotes', `${'"$('.repeat(2_000)}`],
  ['backticks', '`'.repeat(9_999)],
  ['separators', ';'.repeat(9_999)],
  ['commands', 'x;'.repeat(4_900)],
  ['pipes', `${'x|'.repeat(4_900)}x`],
  ['braces', `x ${'{a,b}'.repeat(1_000)}`],
  ['nested braces', `x ${'{a,'.repeat(2_000)}${'}'.repeat(2_000)}`],
  ['wrappers', `${'sudo '.repeat(1_900)}x`],
  ['wrappers with options', `${'sudo -x -y '.repeat(800)}x`],
  ['shells', `${'bash -c "'.repeat(900)}`],
  ['assignments', `${'A=1 '.repeat(2_400)}x`],
  ['here-documents', `x ${'<<E '.repeat(2_000)}`],
  ['variables that double', `${Array.from({ length: 60 }, (_, at) => `v${at + 1}=$v${at}$v${at}x`).join(';')};rm $v60`],
  ['a million characters', 'rm x;'.repeat(200_000)],
])('%s', { timeout: 20_000 }, (_, command) => {
  const started = process.cpuUsage();
  const { behavior } = decideCase({
    rules: { userSettings: { allow: ['Bash(*a*b*c*q*)', 'Bash(y:*)'], deny: ['Bash(*q*q*q*q)'] } },
    mode: 'default',
    workspace: '/ws',
    home: '/home/u',
    tool: 'Bash',
    input: { command },
    files: {},
    trusted: true,
    platform: 'linux',
    ignoreCase: false,
    privateFiles: [],
  });
  const used = process.cpuUsage(started);
  expect(behavior).toBe('ask');
  expect((used.user + used.system) / 1_000).toBeLessThan(3_000);
});
