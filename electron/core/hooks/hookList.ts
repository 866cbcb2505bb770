// Every hook of a session's files as the Hooks page shows it: those in force and those that are not, with what is wrong.
import type { HookEntry, HookFile, HookFinding, HookPosition, HooksView } from '#shared/api/hooks';
import { type RuleSource, ruleSources } from '#shared/permissions/sources';
import type { HookHandlerType } from '#shared/session/hookRun';
import type { SettingsInForce } from '../permissions/settingsInForce';
import { withheld, withoutCredentials } from '../permissions/withoutCredentials';
import { eventRules, isGate } from './eventRules';
import { blocksOnFailure, type Handler, HandlerAction, identityOf, labelOf, runsInBackground } from './handler';
import { hookEventInfos } from './hookEvents';
import { entryId, type WrittenHook, writtenHooks } from './hookPlace';
import { type MissingProgram, missingProgram, type ProgramPlace } from './hookPrograms';
import { doubtOf, fieldsOf, isEventName, issueOf, readHookTable, switchesOf, unknownEvent } from './hookSettings';
import { compileMatcher } from './matcher';
import { timeoutOf } from './timeouts';

export interface HookListOptions {
  readonly files: readonly SettingsInForce[];
  readonly folder: string;
  readonly trusted: boolean;
  /** Whether a file is on the disk, and why it is not written here (empty: it is). */
  about(file: SettingsInForce): { readonly exists: boolean; readonly locked: string };
  readonly programs: ProgramPlace;
  /** For tests. */
  readonly missing?: typeof missingProgram;
}

/** A hook with what runs; `action` null where it is not understood. */
export interface ListedHook {
  readonly entry: HookEntry;
  readonly handler: Handler | null;
}

const types: ReadonlySet<string> = new Set<HookHandlerType>(['command', 'http', 'prompt', 'agent', 'mcp_tool']);

function isType(value: unknown): value is HookHandlerType {
  return typeof value === 'string' && types.has(value);
}

/** A value without what looks like a credential, and whether nothing had to go. */
export function blanked(value: unknown): { readonly value: unknown; readonly whole: boolean } {
  if (typeof value === 'string') {
    const shown = withoutCredentials(value) ?? withheld;
    return { value: shown, whole: shown === value };
  }
  if (Array.isArray(value)) {
    const items = value.map(blanked);
    return { value: items.map((item) => item.value), whole: items.every((item) => item.whole) };
  }
  const fields = fieldsOf(value);
  if (fields === null) return { value, whole: true };
  const named = Object.entries(fields).map(([name, field]) => [name, blanked(field)] as const);
  return {
    value: Object.fromEntries(named.map(([name, field]) => [name, field.value])),
    whole: named.every(([, field]) => field.whole),
  };
}

/** What is wrong with one hook as it is written; `handler` null: it never runs. */
export function findingsOf(
  hook: WrittenHook,
  about: {
    readonly source: RuleSource;
    readonly programs: ProgramPlace;
    readonly missing?: typeof missingProgram | undefined;
  },
): { readonly findings: readonly HookFinding[]; readonly action: HandlerAction | null; readonly broken: string } {
  const findings: HookFinding[] = [];
  const { event, matcher = '' } = hook;
  const broken = (kind: HookFinding['kind'], text: string) => ({
    findings: [...findings, { level: 'error' as const, kind, text }],
    action: null,
    broken: text,
  });
  if (!isEventName(event)) return broken('event', unknownEvent(event));
  if (typeof matcher !== 'string') return broken('shape', 'A matcher must be a text; the entry was skipped.');
  const read = HandlerAction.safeParse(hook.handler);
  if (!read.success) return broken('shape', `This hook was skipped: ${issueOf(read.error)}.`);
  const action = read.data;
  const doubt = doubtOf(event, action, about.source);
  if (doubt !== null) {
    if (doubt.skip) return broken(doubt.kind, doubt.text);
    findings.push({ level: 'warning', kind: doubt.kind, text: doubt.text });
  }
  const compiled = compileMatcher(matcher, eventRules[event].matcher);
  if (!compiled.ok) {
    const cost = isGate(event) ? 'Until it is mended every call is refused' : 'It does not run';
    return broken('matcher', `${compiled.error}. ${cost}.`);
  }
  if (eventRules[event].matcher === null && matcher !== '' && matcher !== '*')
    findings.push({ level: 'hint', kind: 'matcher', text: `${event} has nothing to match: its matcher is ignored.` });
  const missing = action.type === 'command' ? (about.missing ?? missingProgram)(action, about.programs) : null;
  const blocks = blocksOnFailure(action);
  if (missing !== null) findings.push(missingFinding(missing, { gate: isGate(event), blocks }));
  const guards = isGate(event) && (action.type === 'command' || action.type === 'http');
  if (guards && runsInBackground(action))
    findings.push({
      level: 'warning',
      kind: 'unguarded',
      text: 'It runs in the background, so it cannot stop or change a call.',
    });
  else if (guards && !blocks)
    findings.push({
      level: 'hint',
      kind: 'failsOpen',
      text: 'It fails open: when it cannot run, breaks off or takes too long, the call goes on as if it had not been asked. Set "onFailure": "block" if it guards something.',
    });
  return { findings, action, broken: '' };
}

function missingFinding(
  { kind, program }: MissingProgram,
  { gate, blocks }: { readonly gate: boolean; readonly blocks: boolean },
): HookFinding {
  const fact =
    kind === 'missing'
      ? program.includes('/')
        ? `There is no file ${program}.`
        : `There is no program “${program}” in PATH.`
      : `${program} may not be executed.`;
  const remedy = kind === 'missing' ? 'Install it, or mend the path.' : `Run chmod +x ${program}.`;
  const cost = !gate
    ? ''
    : blocks
      ? ' Until then every call that it listens to is refused.'
      : ' Until then it lets every call pass.';
  return { level: 'error', kind, text: `${fact} ${remedy}${cost}` };
}

/** All hooks in the fixed order of sources, within a file as written. */
export function listHooks(options: HookListOptions): {
  readonly view: HooksView;
  readonly hooks: readonly ListedHook[];
} {
  const { files, programs, missing } = options;
  const { disabledBy, managedOnly } = switchesOf(files);
  const seen = new Map<string, ListedHook>();
  const hooks: ListedHook[] = [];
  for (const file of files) {
    const lock = options.about(file).locked;
    for (const hook of writtenHooks(fieldsOf(file.content?.value)?.hooks)) {
      const at: HookPosition = { source: file.source, file: file.path, ...positionOf(hook) };
      const line = file.content?.lineOf(['hooks', hook.event, hook.group, 'hooks', hook.index]) ?? null;
      const { findings, action, broken } = findingsOf(hook, { source: file.source, programs, missing });
      const off = whyOff(file, { disabledBy, managedOnly });
      const { value, whole } = blanked(hook.handler);
      const event = isEventName(hook.event) ? hook.event : null;
      const identity = action === null || event === null ? null : `${event} ${identityOf(action)}`;
      const twin = identity === null ? undefined : seen.get(identity);
      const state = file.waits ? 'waits' : off !== '' ? 'off' : broken !== '' ? 'broken' : 'active';
      const twice = state === 'active' && twin !== undefined;
      const matcher = typeof hook.matcher === 'string' ? hook.matcher : '';
      const entry: HookEntry = {
        id: entryId(at, hook),
        at,
        line,
        matcher,
        type: action?.type ?? typeOf(hook.handler),
        label: action === null ? roughLabel(value) : labelOf(action),
        json: JSON.stringify(value, null, 2) ?? 'null',
        whole,
        condition: action?.if ?? '',
        seconds:
          action === null || event === null || runsInBackground(action) ? null : timeoutOf(event, action, null) / 1_000,
        background: action !== null && runsInBackground(action),
        failure: action !== null && blocksOnFailure(action) ? 'blocks' : 'passes',
        state: twice ? 'elsewhere' : state,
        because:
          state === 'waits'
            ? 'The folder is not trusted: nothing that came with it runs.'
            : state === 'off'
              ? off
              : state === 'broken'
                ? broken
                : twice
                  ? `The same hook stands in the ${ruleSources[twin.entry.at.source].label} settings, too; it runs once for both.`
                  : '',
        findings: [...findings],
        locked:
          lock !== '' ? lock : whole ? '' : 'It holds what looks like a credential. Change it in the file itself.',
      };
      const listed: ListedHook = {
        entry,
        handler:
          action === null || event === null
            ? null
            : { event, matcher, action, source: file.source, file: file.path, line },
      };
      if (state === 'active' && identity !== null && !twice) seen.set(identity, listed);
      hooks.push(listed);
    }
  }
  return {
    hooks,
    view: {
      hooks: hooks.map(({ entry }) => entry),
      files: files.map((file) => fileOf(file, options)),
      events: [...hookEventInfos],
      folder: options.folder,
      trusted: options.trusted,
      disabledBy:
        disabledBy === null
          ? null
          : {
              source: disabledBy.source,
              file: disabledBy.path,
              line: disabledBy.content?.lineOf(['disableAllHooks']) ?? null,
            },
      managedOnly,
      problems: entryProblems(options),
    },
  };
}

function positionOf({ event, group, index }: WrittenHook) {
  return { event: event.slice(0, 200), group, index };
}

function typeOf(handler: unknown): HookHandlerType | null {
  const type = fieldsOf(handler)?.type;
  return isType(type) ? type : null;
}

function roughLabel(value: unknown): string {
  const fields = fieldsOf(value) ?? {};
  const named = [fields.command, fields.url, fields.prompt].find((field) => typeof field === 'string');
  return (typeof named === 'string' ? named : (JSON.stringify(value) ?? 'null')).replace(/\s+/g, ' ').slice(0, 200);
}

function whyOff(file: SettingsInForce, { disabledBy, managedOnly }: ReturnType<typeof switchesOf>): string {
  const isPolicy = file.source === 'policySettings';
  if (disabledBy !== null && (!isPolicy || disabledBy.source === 'policySettings'))
    return `disableAllHooks is on in the ${ruleSources[disabledBy.source].label} settings.`;
  if (managedOnly && !isPolicy) return 'The policy lets only its own hooks run (allowManagedHooksOnly).';
  return '';
}

function fileOf(file: SettingsInForce, options: HookListOptions): HookFile {
  const { exists, locked } = options.about(file);
  return {
    source: file.source,
    path: file.path,
    exists,
    hooks: writtenHooks(fieldsOf(file.content?.value)?.hooks).length,
    unknown: file.unknown,
    waits: file.waits,
    locked,
    shared: file.source === 'projectSettings',
  };
}

/** What the reader of hooks says of entries that are no hooks at all; what belongs to one hook stands with it. */
function entryProblems({ files }: HookListOptions): string[] {
  const without = files.map((file) => ({ ...file, waits: false, content: shapesOf(file) }));
  return [...readHookTable({ files: without, command: null }).problems];
}

/** The file with only those entries that hold no list of hooks, so that nothing is said twice. */
function shapesOf({ content }: SettingsInForce): SettingsInForce['content'] {
  const fields = fieldsOf(content?.value);
  if (content === null || fields === null) return content;
  const events = fieldsOf(fields.hooks);
  if (events === null) return { ...content, value: { ...fields } };
  const named = Object.entries(events).flatMap(([name, groups]): [string, unknown][] => {
    if (!Array.isArray(groups)) return [[name, groups]];
    const left = groups.map((group: unknown) => (Array.isArray(fieldsOf(group)?.hooks) ? { hooks: [] } : group));
    // An unknown name with hooks in it is told of with each of them.
    return isEventName(name) || writtenHooks({ [name]: groups }).length === 0 ? [[name, left]] : [];
  });
  return { value: { ...fields, hooks: Object.fromEntries(named) }, lineOf: (path) => content.lineOf(path) };
}
