import { expect, test } from 'vitest';
import type { LintFinding } from '#shared/api/rules';
import { finding, ref } from '../testing/samples';
import { shortRemark } from './remarkWords';

const rule = ref('allow', 'Write(/docs/**)', 'userSettings', 4);
const other = ref('allow', 'Bash(git *)', 'userSettings', 11);
const use: LintFinding['fix'] = {
  label: 'Use Edit',
  safe: false,
  edits: [{ type: 'change', rule, behavior: 'allow', text: 'Edit(/docs/**)' }],
};
const remove: LintFinding['fix'] = { label: 'Remove', safe: true, edits: [{ type: 'remove', rule }] };

test.each<[Partial<LintFinding>, string]>([
  [{ kind: 'subsumed', other, fix: remove }, 'covered by Bash(git *) in user:11'],
  [{ kind: 'shadowedByAsk', other: ref('ask', 'Bash(git push *)', 'session') }, 'asks by Bash(git push *) in session'],
  [{ kind: 'neverConsulted', fix: use }, 'never consulted: use Edit(/docs/**)'],
  [
    {
      kind: 'overBroad',
      fix: {
        label: 'Ask instead',
        safe: false,
        edits: [{ type: 'change', rule, behavior: 'ask', text: 'Write(/docs/**)' }],
      },
    },
    'very broad: better ask',
  ],
  [{ kind: 'duplicate' }, 'said twice'],
  [{ kind: 'credential', fix: remove }, 'holds a credential'],
])('%j', (part, words) => {
  expect(shortRemark(finding(rule, part))).toBe(words);
});
