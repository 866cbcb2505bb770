// What handlers of hooks print and settings say of them: no crash, and an allow only where one stands.
import fc from 'fast-check';
import { hookEventNames } from '#shared/session/hookRun';
import { fuzzTarget, must, type OpenTargets } from '#shared/testing/fuzzTarget';
import { damagedJson, damagedText, deepText, hostileJson, hostileText } from '#shared/testing/hostile';
import type { SettingsInForce } from '../../permissions/settingsInForce';
import { combine } from '../combine';
import type { Handler } from '../handler';
import { readHookTable } from '../hookSettings';
import type { HookEvent } from '../hooks';
import { compileMatcher } from '../matcher';
import { readPrinted } from '../reply';
import { judge } from '../verdict';

const eventName = fc.constantFrom(...hookEventNames);
const decision = fc.constantFrom('allow', 'ask', 'deny', 'defer');
const reply = fc.oneof(
  fc.record({
    hookSpecificOutput: fc.record(
      {
        hookEventName: eventName,
        permissionDecision: decision,
        permissionDecisionReason: hostileText,
        updatedInput: hostileJson,
        additionalContext: hostileText,
      },
      { requiredKeys: ['hookEventName', 'permissionDecision'] },
    ),
    continue: fc.boolean(),
    systemMessage: hostileText,
  }),
  fc.record({
    hookSpecificOutput: fc.record({
      hookEventName: fc.constant('PermissionRequest'),
      decision: fc.record(
        {
          behavior: fc.constantFrom('allow', 'deny'),
          message: hostileText,
          interrupt: fc.boolean(),
          updatedInput: hostileJson,
          updatedPermissions: fc.array(
            fc.oneof(
              hostileJson,
              fc.record({
                type: fc.constantFrom('addRules', 'replaceRules', 'removeRules', 'setMode', 'addDirectories'),
                behavior: decision,
                mode: fc.constantFrom('default', 'plan', 'bypassPermissions'),
                destination: fc.constantFrom('session', 'userSettings', 'policySettings'),
                rules: fc.array(fc.record({ toolName: hostileText, ruleContent: hostileText }), { maxLength: 3 }),
              }),
            ),
            { maxLength: 3 },
          ),
        },
        { requiredKeys: ['behavior'] },
      ),
    }),
  }),
  fc.record({ decision: fc.constantFrom('block', 'approve', 'allow'), reason: hostileText }),
);
const asText = (value: unknown): string => JSON.stringify(value) ?? '';
const stdout = fc.oneof(
  { weight: 3, arbitrary: reply.map(asText) },
  { weight: 3, arbitrary: reply.chain(damagedJson).map(asText) },
  { weight: 3, arbitrary: reply.map(asText).chain(damagedText) },
  { weight: 1, arbitrary: hostileText },
  { weight: 1, arbitrary: deepText },
  {
    weight: 1,
    arbitrary: deepText.map(
      (deep) =>
        `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":${deep}}}`,
    ),
  },
);

const handler: Omit<Handler, 'action'> = {
  event: 'PreToolUse',
  matcher: '',
  source: 'userSettings',
  file: null,
  line: null,
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (now, key) =>
      typeof now === 'object' && now !== null && Object.hasOwn(now, key) ? Reflect.get(now, key) : undefined,
    value,
  );

/** Whether the text itself says allow, read without the code under test. */
function saysAllow(event: HookEvent['name'], text: string): boolean {
  const value = parsed(text.trim());
  if (event === 'PermissionRequest') return at(value, 'hookSpecificOutput', 'decision', 'behavior') === 'allow';
  return at(value, 'hookSpecificOutput', 'permissionDecision') === 'allow' || at(value, 'decision') === 'approve';
}

const call = { toolName: 'Bash', toolInput: { command: 'make' }, toolUseId: 'u1' };
const events: readonly HookEvent[] = [
  { name: 'PreToolUse', call },
  { name: 'PermissionRequest', call, suggestions: [] },
  { name: 'PermissionDenied', call, reason: 'r' },
  { name: 'PostToolUse', call, toolResponse: {}, durationMs: 1 },
  { name: 'UserPromptSubmit', prompt: 'p' },
  { name: 'Stop', stopHookActive: false, lastAssistantMessage: '' },
  { name: 'SessionStart', source: 'startup' },
];

const verdicts = fuzzTarget(fc, {
  name: 'verdicts',
  inputs: fc.record({
    event: fc.constantFrom(...events),
    printed: fc.array(
      fc.record({
        stdout,
        stderr: hostileText,
        exitCode: fc.constantFrom(0, 0, 0, 1, 2, 3, 126, 127, 255, null),
        cut: fc.constantFrom(false, false, false, true),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    blocks: fc.boolean(),
  }),
  corpus: [],
  check({ event, printed, blocks }) {
    const onFailure = blocks ? ('block' as const) : ('continue' as const);
    const action = { type: 'command' as const, command: 'check', onFailure };
    const votes = printed.map((one, index) => ({
      hook: `h${index}`,
      vote: judge({
        event,
        handler: { ...handler, event: event.name, action },
        ended: { kind: 'exited', signal: null, ...one },
      }).vote,
    }));
    for (const [index, { vote }] of votes.entries()) {
      const one = printed[index];
      must(one !== undefined, 'no output');
      const allows = vote.opinion?.behavior === 'allow';
      // JSON is read on every other exit code, as documented.
      const failed = one.exitCode === 2 || one.exitCode === null || one.cut || (blocks && one.exitCode !== 0);
      must(!allows || !failed, 'a handler that failed allows', one);
      must(!allows || saysAllow(event.name, one.stdout), 'a handler allows that does not say so', one);
      must(vote.permissionUpdates.length === 0 || allows, 'permissions change without an allow', one);
    }
    const { opinion, updatedInput, permissionUpdates } = combine(event.name, votes);
    const denies = votes.some(({ vote }) => vote.opinion?.behavior === 'deny');
    must(!denies || opinion?.behavior === 'deny', 'a deny was outvoted', opinion);
    must(!denies || (updatedInput === null && permissionUpdates.length === 0), 'a change beside a deny counts');
  },
});

const printedTexts = fuzzTarget(fc, {
  name: 'printed texts',
  inputs: fc.record({ event: eventName, stdout, cut: fc.boolean() }),
  corpus: [],
  check({ event, stdout: text, cut }) {
    readPrinted(event, text, { cut });
  },
});

const expression = fc.oneof(
  fc.constantFrom('(a+)+$', '(a|a)*$', '(.*a){20}', '^(([a-z])+.)+[A-Z]([a-z])+$', '(\\w*_?)*x', 'mcp__.*__(a*)*$'),
  fc
    .array(fc.constantFrom('a', '.', '*', '+', '?', '(', ')', '[', ']', '|', '^', '$', '\\', 'w', '{2}', '{9}', '_'), {
      maxLength: 14,
    })
    .map((all) => all.join('')),
  hostileText,
);
const matchers = fuzzTarget(fc, {
  name: 'matchers',
  inputs: fc.record({
    text: expression,
    subject: fc.oneof(fc.constantFrom('Bash', `mcp__db__${'a'.repeat(55)}!`, 'a'.repeat(2_000)), hostileText),
  }),
  corpus: [{ text: '(a+)+$', subject: `mcp__db__${'a'.repeat(55)}!` }],
  check({ text, subject }) {
    const compiled = compileMatcher(text, 'pattern');
    if (compiled.ok) compiled.value(subject);
  },
});

const entry = fc.record({
  matcher: fc.oneof(hostileText, hostileJson),
  hooks: fc.array(
    fc.record(
      {
        type: fc.constantFrom('command', 'http', 'prompt', 'agent', 'mcp_tool', 'x'),
        command: hostileText,
        url: hostileText,
        prompt: hostileText,
        timeout: hostileJson,
        if: hostileText,
        args: hostileJson,
      },
      { requiredKeys: ['type'] },
    ),
    { maxLength: 3 },
  ),
});
const tables = fuzzTarget(fc, {
  name: 'hook settings',
  inputs: fc
    .record({
      hooks: fc.dictionary(fc.oneof(eventName, hostileText), fc.array(entry, { maxLength: 2 }), { maxKeys: 3 }),
      disableAllHooks: fc.oneof(fc.boolean(), hostileJson),
      allowedHttpHookUrls: fc.oneof(fc.array(hostileText, { maxLength: 3 }), hostileJson),
    })
    .chain(damagedJson),
  corpus: [],
  check(value) {
    const file = (waits: boolean): SettingsInForce => ({
      source: 'projectSettings',
      path: '/srv/app/.claude/settings.json',
      content: { value, lineOf: () => 1 },
      unknown: false,
      waits,
    });
    readHookTable({ files: [file(false)], command: null });
    const { listeners } = readHookTable({ files: [file(true)], command: null });
    must(
      [...listeners.values()].every((one) => one.length === 0),
      'a hook of a folder without trust listens',
    );
  },
});

export function open(): OpenTargets {
  return { targets: [verdicts, printedTexts, matchers, tables] };
}
