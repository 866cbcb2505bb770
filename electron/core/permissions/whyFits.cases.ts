// Which rules fit a call, which of them decides, and why the others do not.
import type { WhyCase } from './whyCase';

export const whyFitsCases: readonly WhyCase[] = [
  {
    rules: { userSettings: { allow: ['Bash(npm test:*)'] } },
    call: 'npm test && curl -s https://x.example -o x.sh',
    expected: 'ask',
    fits: [['loses', 'allow Bash(npm test:*)', 'npm test', 'curl -s https://x.example -o x.sh is not covered.']],
  },
  {
    rules: { userSettings: { allow: ['Bash(git status:*)'], deny: ['Bash(rm:*)'] } },
    call: 'git status; rm -rf build',
    expected: 'deny',
    fits: [
      ['wins', 'deny Bash(rm:*)', 'rm -rf build', 'Deny beats ask and allow.'],
      [
        'loses',
        'allow Bash(git status:*)',
        'git status',
        'Deny beats allow, whichever is narrower and whichever file it stands in.',
      ],
    ],
  },
  {
    rules: { userSettings: { allow: ['Bash(git commit:*)'], deny: ['Bash(git push:*)'] } },
    call: 'git commit -m x && git -C . push',
    expected: 'deny',
    fits: [
      ['wins', 'deny Bash(git push:*)', 'git push', 'Deny beats ask and allow.'],
      [
        'loses',
        'allow Bash(git commit:*)',
        'git commit -m x',
        'Deny beats allow, whichever is narrower and whichever file it stands in.',
      ],
    ],
  },
  {
    rules: { userSettings: { deny: ['Bash(rm:*)'] } },
    call: 'bash -c "rm -rf dist"',
    expected: 'deny',
    fits: [['wins', 'deny Bash(rm:*)', 'rm -rf dist', 'Deny beats ask and allow.']],
  },
  {
    rules: { userSettings: { allow: ['Bash(rm:*)'] } },
    call: 'rm -rf ~',
    expected: 'ask',
    fits: [['loses', 'allow Bash(rm:*)', 'rm -rf ~', 'No rule opens this gate, only a person.']],
    gates: ['decides: This removes /home/u.'],
  },
  {
    rules: { userSettings: { allow: ['Bash(git show:*)'] } },
    call: 'git show HEAD:a.txt > .git/hooks/pre-commit',
    expected: 'ask',
    fits: [['loses', 'allow Bash(git show:*)', 'git show HEAD:a.txt', 'No rule opens this gate, only a person.']],
    gates: ['decides: .git/hooks/pre-commit is protected (.git): it decides what git runs by itself.'],
  },
  {
    rules: { userSettings: { allow: ['Bash(echo:*)'] } },
    call: 'echo hi > out.txt',
    expected: 'ask',
    fits: [
      [
        'loses',
        'allow Bash(echo:*)',
        'echo hi',
        'out.txt is not covered. A rule for a command never covers the files it writes.',
      ],
    ],
  },
  {
    rules: { projectSettings: { allow: ['Edit(docs/*)'] } },
    call: ['Edit', { file_path: '/ws/docs/b/a.md', old_string: 'a', new_string: 'b' }],
    expected: 'allow',
    fits: [['wins', 'allow Edit(docs/*)', '/ws/docs/b/a.md', 'Nothing denies or asks, and every part is allowed.']],
  },
  {
    rules: { projectSettings: { allow: ['Edit(/src/**)'] } },
    mode: 'plan',
    call: ['Edit', { file_path: '/ws/src/a.ts', old_string: 'a', new_string: 'b' }],
    expected: 'deny',
    fits: [['loses', 'allow Edit(/src/**)', '/ws/src/a.ts', 'Plan mode changes nothing, whatever the rules allow.']],
  },
  {
    rules: { userSettings: { allow: ['Bash(git push)'], ask: ['Bash(git push:*)'] } },
    mode: 'dontAsk',
    call: 'git push',
    expected: 'deny',
    fits: [
      ['loses', 'ask Bash(git push:*)', 'git push', 'It asks, and in this mode what would ask is denied.'],
      ['loses', 'allow Bash(git push)', 'git push', 'Ask beats allow, and in this mode what would ask is denied.'],
    ],
  },
  {
    rules: { userSettings: { allow: ['Bash(git push)'], ask: ['Bash(git push:*)'] } },
    call: 'git push',
    hook: { behavior: 'allow', detail: 'a gate agreed' },
    expected: 'ask',
    fits: [
      ['wins', 'ask Bash(git push:*)', 'git push', 'Ask beats allow, and no deny rule fits.'],
      [
        'loses',
        'allow Bash(git push)',
        'git push',
        'Ask beats allow, whichever is narrower and whichever file it stands in.',
      ],
    ],
  },
  {
    rules: { userSettings: { allow: ['Bash(git push)'] } },
    mode: 'bypassPermissions',
    call: 'git push',
    expected: 'allow',
    fits: [['loses', 'allow Bash(git push)', 'git push', 'Not needed: Bypass mode runs it.']],
  },
  {
    rules: { userSettings: { allow: ['Bash(echo:*)'] } },
    call: 'echo a\u200bb',
    expected: 'ask',
    fits: [['loses', 'allow Bash(echo:*)', 'echo a\u200bb', 'No rule can allow this line as a whole.']],
    doubts: ['it holds invisible characters'],
  },
  {
    rules: { userSettings: { allow: ['Bash(echo:*)'] } },
    call: 'echo "a',
    expected: 'ask',
    fits: [['loses', 'allow Bash(echo:*)', 'echo "a', 'No rule can allow this line as a whole.']],
    doubts: ['it is not complete shell: unterminated double quote'],
  },
  {
    rules: { userSettings: { allow: ['Bash(ls:*)', 'Bash(wc:*)', 'Bash(wc -l)'] } },
    call: 'ls src | wc -l',
    expected: 'allow',
    fits: [
      ['loses', 'allow Bash(ls:*)', 'ls src', 'Not needed: the call only reads.'],
      ['loses', 'allow Bash(wc:*)', 'wc -l', 'Not needed: the call only reads.'],
      ['loses', 'allow Bash(wc -l)', 'wc -l', 'Not needed: the call only reads.'],
    ],
  },
  {
    rules: { userSettings: { allow: ['Bash'] } },
    call: 'npm test; $X -rf dist',
    expected: 'ask',
    fits: [['loses', 'allow Bash', 'npm test; $X -rf dist', '$X -rf dist is not covered.']],
  },
  {
    rules: {
      userSettings: { allow: ['Bash(aws s3 ls)'] },
      projectSettings: { deny: ['Bash(aws:*)'] },
      policySettings: { deny: ['Bash(aws s3:*)'] },
    },
    call: 'aws s3 ls',
    expected: 'deny',
    fits: [
      ['wins', 'deny Bash(aws s3:*)', 'aws s3 ls', 'Deny beats ask and allow.'],
      ['loses', 'deny Bash(aws:*)', 'aws s3 ls', 'It denies as well; the first rule found is named.'],
      [
        'loses',
        'allow Bash(aws s3 ls)',
        'aws s3 ls',
        'Deny beats allow, whichever is narrower and whichever file it stands in.',
      ],
    ],
  },
];
