// Changes to hooks leave the rest of the file as it is.
import { expect, it } from 'vitest';
import { editHooks, type HookEdit, readHandler } from './hookEdits';
import { contentId } from './hookPlace';

const guard = { type: 'command', command: './guard.sh' };
const log = { type: 'command', command: './log.sh' };

const whole = `{
  "model": "x",
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          { "type": "command", "command": "./guard.sh" }
        ]
      }
    ],
    "Stop": [{ "hooks": [{ "type": "command", "command": "./log.sh" }] }]
  },
  "unknown": [1, 2]
}
`;
const at = (event: string, matcher: string | undefined, handler: object) => ({
  event,
  group: 0,
  index: 0,
  content: contentId({ event, matcher, handler }),
});

const cases: readonly [name: string, before: string | null, edit: HookEdit, after: string][] = [
  [
    'the first hook of a file that is not there',
    null,
    { type: 'add', hook: { event: 'Stop', matcher: '', handler: log } },
    `{
  "hooks": {
    "Stop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "./log.sh"
          }
        ]
      }
    ]
  }
}
`,
  ],
  [
    'beside another with the same matcher',
    whole,
    { type: 'add', hook: { event: 'PreToolUse', matcher: 'Bash', handler: log } },
    whole.replace(
      '"./guard.sh" }\n',
      `"./guard.sh" },
          {
            "type": "command",
            "command": "./log.sh"
          }
`,
    ),
  ],
  [
    'another matcher',
    whole,
    {
      type: 'change',
      at: at('PreToolUse', 'Bash', guard),
      hook: { event: 'PreToolUse', matcher: 'Edit', handler: guard },
    },
    whole.replace('"matcher": "Bash"', '"matcher": "Edit"'),
  ],
  [
    'the last of an event goes with the event',
    whole,
    { type: 'remove', at: at('Stop', undefined, log) },
    whole.replace(/,\n {4}"Stop".*\n/, '\n'),
  ],
  [
    'Windows line ends stay',
    '{\r\n  "hooks": {\r\n    "Stop": []\r\n  }\r\n}\r\n',
    { type: 'add', hook: { event: 'Stop', matcher: '', handler: log } },
    '{\r\n  "hooks": {\r\n    "Stop": [\r\n      {\r\n        "hooks": [\r\n          {\r\n            "type": "command",\r\n            "command": "./log.sh"\r\n          }\r\n        ]\r\n      }\r\n    ]\r\n  }\r\n}\r\n',
  ],
];
it.each(cases)('%s', (_name, before, edit, after) => {
  expect(editHooks(before, edit)).toEqual({ ok: true, value: after });
});

it('moves a hook to another event', () => {
  const moved = editHooks(whole, {
    type: 'change',
    at: at('Stop', undefined, log),
    hook: { event: 'PostToolUse', matcher: 'Edit', handler: log },
  });
  expect(moved.ok && JSON.parse(moved.value).hooks).toEqual({
    PreToolUse: [{ matcher: 'Bash', hooks: [guard] }],
    PostToolUse: [{ matcher: 'Edit', hooks: [log] }],
  });
});

it.each<readonly [string, string, HookEdit]>([
  ['a hook that was changed meanwhile', 'gone', { type: 'remove', at: { ...at('Stop', undefined, guard) } }],
  ['a file that is broken', 'broken', { type: 'add', hook: { event: 'Stop', matcher: '', handler: log } }],
])('refuses %s', (_name, kind, edit) => {
  const edited = editHooks(kind === 'broken' ? '{ "hooks": ' : whole, edit);
  expect(edited).toMatchObject({ ok: false, error: { kind } });
});

it.each([
  ['{"type":"command","command":"x"}', true],
  ['{"type":"command"}', false],
  ['{"type":"shell","command":"x"}', false],
  ['{', false],
] as const)('reads a handler: %s', (json, expected) => {
  expect(readHandler(json).ok).toBe(expected);
});
