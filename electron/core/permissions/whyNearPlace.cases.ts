// Rules on files, hosts, servers, agents and skills that nearly fit, with the reason.
import type { WhyCase } from './whyCase';

export const whyNearPlaceCases: readonly WhyCase[] = [
  {
    rules: { projectSettings: { allow: ['Edit(src/**)'] } },
    call: ['Edit', { file_path: '/ws/vendor/p/src/x.js', old_string: 'a', new_string: 'b' }],
    expected: 'ask',
    near: [
      [
        'depth',
        'Edit(src/**)',
        '/ws/vendor/p/src/x.js',
        'In allow a folder pattern counts only directly below the working folder.',
        'Edit(**/src/**)',
      ],
    ],
  },
  {
    rules: { userSettings: { allow: ['Edit(/src/**)'] } },
    call: ['Edit', { file_path: '/ws/src/x.js', old_string: 'a', new_string: 'b' }],
    expected: 'ask',
    near: [
      [
        'anchor',
        'Edit(/src/**)',
        '/ws/src/x.js',
        'The pattern starts at the folder of the rule’s source (/home/u/.claude); this file does not lie there.',
        'Edit(src/**)',
      ],
    ],
  },
  {
    rules: { projectSettings: { allow: ['Edit(/home/u/notes/**)'] } },
    call: ['Edit', { file_path: '/home/u/notes/a', old_string: 'a', new_string: 'b' }],
    expected: 'ask',
    near: [
      [
        'anchor',
        'Edit(/home/u/notes/**)',
        '/home/u/notes/a',
        'The pattern starts at the folder of the rule’s source (/ws); this file does not lie there.',
        'Edit(//home/u/notes/**)',
      ],
    ],
  },
  {
    rules: { projectSettings: { allow: ['Write(src/**)'] } },
    call: ['Write', { file_path: '/ws/src/x.js', content: 'a' }],
    expected: 'ask',
    near: [
      [
        'dead',
        'Write(src/**)',
        '/ws/src/x.js',
        'Not in force: Paths of Write are governed by Edit rules.',
        'Edit(src/**)',
      ],
    ],
  },
  {
    rules: { projectSettings: { allow: ['Read(src/**)'] } },
    call: ['Write', { file_path: '/ws/src/x.js', content: 'a' }],
    expected: 'ask',
    near: [['access', 'Read(src/**)', '/ws/src/x.js', 'Read rules say nothing about changing a file.', 'Edit(src/**)']],
  },
  {
    rules: { projectSettings: { allow: ['Edit(/docs/**)'] } },
    call: ['Edit', { file_path: '/ws/docs/current', old_string: 'a', new_string: 'b' }],
    files: { '/ws/docs/current': { symlink: '/home/u/readme.md' } },
    expected: 'ask',
    near: [
      [
        'link',
        'Edit(/docs/**)',
        '/ws/docs/current',
        'A link leads to /home/u/readme.md, and an allow rule must fit that too.',
      ],
    ],
  },
  {
    rules: { projectSettings: { allow: ['Edit(Docs/*)'] } },
    call: ['Edit', { file_path: '/ws/docs/a.md', old_string: 'a', new_string: 'b' }],
    expected: 'ask',
    near: [['case', 'Edit(Docs/*)', '/ws/docs/a.md', 'Upper and lower case count in allow rules on this disk.']],
  },
  {
    rules: { projectSettings: { deny: ['Read(./secrets/**)', 'Read(!secrets/public.txt)'] } },
    call: ['Read', { file_path: '/ws/secrets/public.txt' }],
    expected: 'allow',
    near: [
      [
        'exception',
        'Read(./secrets/**)',
        '/ws/secrets/public.txt',
        'A later rule with ! in the same list takes this file out.',
      ],
    ],
  },
  {
    rules: { projectSettings: { deny: ['Edit(.env)'] } },
    call: ['Read', { file_path: '/ws/.env' }],
    expected: 'allow',
    near: [['access', 'Edit(.env)', '/ws/.env', 'Edit rules say nothing about reading a file.', 'Read(.env)']],
  },
  {
    rules: { projectSettings: { allow: ['Edit(notes.md)'] } },
    call: ['Edit', { file_path: '/srv/notes.md', old_string: 'a', new_string: 'b' }],
    expected: 'ask',
    near: [
      [
        'anchor',
        'Edit(notes.md)',
        '/srv/notes.md',
        'The pattern starts at the working folder (/ws); this file does not lie there.',
        'Edit(//srv/notes.md)',
      ],
    ],
  },
  {
    rules: { userSettings: { allow: ['WebFetch(domain:example.org)', 'WebFetch(example.net)'] } },
    call: ['WebFetch', { url: 'https://api.example.org/', prompt: 'x' }],
    expected: 'ask',
    near: [
      [
        'host',
        'WebFetch(domain:example.org)',
        'api.example.org',
        'It covers this one host, no names below it.',
        'WebFetch(domain:*.example.org)',
      ],
    ],
  },
  {
    rules: { userSettings: { allow: ['WebFetch(domain:*.example.org)'] } },
    call: ['WebFetch', { url: 'https://example.org/', prompt: 'x' }],
    expected: 'ask',
    near: [
      [
        'host',
        'WebFetch(domain:*.example.org)',
        'example.org',
        '*. covers names below it, not the name itself.',
        'WebFetch(domain:example.org)',
      ],
    ],
  },
  {
    rules: { userSettings: { allow: ['WebFetch(domain:example.*)'] } },
    call: ['WebFetch', { url: 'https://example.evil.com/', prompt: 'x' }],
    expected: 'ask',
    near: [
      [
        'wildcard',
        'WebFetch(domain:example.*)',
        'example.evil.com',
        'A star stays within one label of a host name; it does not cross a dot.',
      ],
    ],
  },
  {
    rules: { userSettings: { allow: ['mcp__files'] } },
    call: ['mcp__files_admin__wipe', {}],
    expected: 'ask',
    near: [['name', 'mcp__files', 'mcp__files_admin__wipe', 'Another server, whose name only begins like this.']],
  },
  {
    rules: { userSettings: { deny: ['Agent(model:opus)', 'Agent(Explore)'] } },
    call: ['Agent', { subagent_type: 'Plan', prompt: 'x' }],
    expected: 'allow',
    near: [
      ['parameter', 'Agent(model:opus)', 'Agent', 'The call leaves model out, and then a rule on it never fits.'],
      ['name', 'Agent(Explore)', 'Plan', 'It names Explore.'],
    ],
  },
  {
    rules: { userSettings: { allow: ['Skill(deploy)'] } },
    call: ['Skill', { skill: 'deploy prod' }],
    expected: 'ask',
    near: [
      [
        'moreWords',
        'Skill(deploy)',
        'deploy prod',
        'It names exactly this; the call has more words.',
        'Skill(deploy *)',
      ],
    ],
  },
  {
    rules: { userSettings: { allow: ['Read(C:\\\\proj\\\\a.ts)', 'Read($HOME/.ssh/**)'] } },
    call: ['Read', { file_path: '/home/u/.ssh/id' }],
    expected: 'ask',
    near: [
      [
        'dead',
        'Read($HOME/.ssh/**)',
        '/home/u/.ssh/id',
        'Not in force: Variables are not filled in.',
        'Read(~/.ssh/**)',
      ],
    ],
  },
];
