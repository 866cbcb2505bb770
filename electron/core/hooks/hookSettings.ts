// Reads `hooks` and its switches from all settings files of a session. Lenient: a bad entry is named and skipped.
import { z } from 'zod';
import { ruleSources } from '#shared/permissions/sources';
import { type HookEventName, hookEventNames } from '#shared/session/hookRun';
import type { SettingsPath } from '#shared/settings/schema';
import type { SettingsInForce } from '../permissions/settingsInForce';
import { eventRules, isGate, isToolEvent } from './eventRules';
import { type Handler, HandlerAction, labelOf } from './handler';
import { compileMatcher, type Matches } from './matcher';

/** A handler that is in force. */
export interface Listener {
  readonly handler: Handler;
  /** Null: the matcher is broken, so nobody knows whether it matches. */
  readonly matches: Matches | null;
  /** What is wrong with the matcher, in words. */
  readonly problem: string;
}

/** Which addresses and variables http handlers may use; null = no limit is set. */
export interface HttpLimits {
  readonly urls: readonly string[] | null;
  readonly variables: readonly string[] | null;
}

export interface HookTable {
  /** In the fixed order: user, project, local, flag, policy, command; within a file as written. */
  readonly listeners: ReadonlyMap<HookEventName, readonly Listener[]>;
  readonly http: HttpLimits;
  /** For people: what was skipped or is doubtful, with file and line. */
  readonly problems: readonly string[];
}

/** What a running command or skill brings along, for as long as it runs. */
export interface CommandHooks {
  /** Value of its `hooks`. */
  readonly hooks: unknown;
  readonly file: string | null;
}

const Fields = z.record(z.string(), z.unknown());
const Texts = z.array(z.string());

const known: ReadonlyMap<string, HookEventName> = new Map(hookEventNames.map((name) => [name.toLowerCase(), name]));
const eventNames: ReadonlySet<string> = new Set(hookEventNames);

/** Events of the same settings elsewhere that never happen here. */
const elsewhere: ReadonlySet<string> = new Set([
  ...['Setup', 'UserPromptExpansion', 'TaskCreated', 'TaskCompleted', 'TeammateIdle', 'InstructionsLoaded'],
  ...['DirectoryAdded', 'WorktreeCreate', 'WorktreeRemove', 'MessageDisplay', 'Elicitation', 'ElicitationResult'],
  ...['PreModelSwitch', 'PostModelSwitch'],
]);

export function isEventName(name: string): name is HookEventName {
  return eventNames.has(name);
}

/** An object's fields; null for everything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | null {
  const found = Array.isArray(value) ? null : Fields.safeParse(value);
  return found?.success === true ? found.data : null;
}

/** Why nothing of an event that is none runs, for people. */
export function unknownEvent(name: string): string {
  const meant = known.get(name.toLowerCase());
  if (meant !== undefined)
    return `“${name}” is no event: names are case-sensitive. Write ${meant}; nothing of it runs.`;
  if (elsewhere.has(name)) return `The event ${name} does not happen in Gatehouse; nothing of it runs.`;
  return `There is no event “${name}”; nothing of it runs. Events: ${hookEventNames.join(', ')}.`;
}

class Reading {
  readonly listeners = new Map<HookEventName, Listener[]>();
  readonly problems: string[] = [];

  /** Reads the value of `hooks`; `path` is where it stands in the file. */
  hooks(value: unknown, origin: Origin): void {
    if (value === undefined) return;
    const events = fieldsOf(value);
    if (events === null) {
      this.problem(origin, ['hooks'], 'hooks must be an object of events; it was skipped.');
      return;
    }
    for (const [name, groups] of Object.entries(events)) {
      const path = ['hooks', name];
      if (!isEventName(name)) this.problem(origin, path, unknownEvent(name));
      else if (!Array.isArray(groups)) this.problem(origin, path, `hooks.${name} must be a list; it was skipped.`);
      else
        for (const [index, group] of groups.entries()) this.group(name, group, { ...origin, path: [...path, index] });
    }
  }

  private group(event: HookEventName, value: unknown, origin: Origin & { readonly path: SettingsPath }): void {
    const { path } = origin;
    const group = fieldsOf(value);
    const handlers = group?.hooks;
    if (group === null || !Array.isArray(handlers)) {
      this.problem(origin, path, 'An entry must be {"matcher": "…", "hooks": [ … ]}; it was skipped.');
      return;
    }
    const matcher = group.matcher ?? '';
    if (typeof matcher !== 'string') {
      this.problem(origin, [...path, 'matcher'], 'A matcher must be a text; the entry was skipped.');
      return;
    }
    const compiled = compileMatcher(matcher, eventRules[event].matcher);
    if (!compiled.ok) {
      const cost = isGate(event) ? 'Until it is mended every call is refused' : 'None of its hooks runs';
      this.problem(origin, [...path, 'matcher'], `${compiled.error}. ${cost}.`);
    }
    for (const [index, entry] of handlers.entries()) {
      const at = [...path, 'hooks', index];
      const read = HandlerAction.safeParse(entry);
      if (!read.success) {
        this.problem(origin, at, `This hook was skipped: ${issueOf(read.error)}.`);
        continue;
      }
      const action = read.data;
      const doubt = doubtOf(event, action, origin.source);
      if (doubt !== null) this.problem(origin, at, doubt.text);
      if (doubt?.skip === true) continue;
      const { source, file } = origin;
      const handler: Handler = { event, matcher, action, source, file, line: origin.lineOf(at) };
      const listener: Listener = compiled.ok
        ? { handler, matches: compiled.value, problem: '' }
        : { handler, matches: null, problem: compiled.error };
      this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]);
    }
  }

  problem(origin: Origin, path: SettingsPath, text: string): void {
    const line = origin.lineOf(path);
    const place = `${origin.file ?? ruleSources[origin.source].where}${line === null ? '' : `, line ${line}`}`;
    this.problems.push(`${place}: ${text}`);
  }
}

/** What is doubtful about a handler that is well formed; `skip`: it never runs. */
export function doubtOf(
  event: HookEventName,
  action: HandlerAction,
  source: Handler['source'],
): { readonly kind: 'handler' | 'condition' | 'once'; readonly text: string; readonly skip: boolean } | null {
  const { handlers } = eventRules[event];
  if (!handlers.includes(action.type))
    return {
      kind: 'handler',
      text: `A hook of type ${action.type} cannot listen to ${event} and was skipped. Types: ${handlers.join(', ')}.`,
      skip: true,
    };
  if (action.if !== undefined && !isToolEvent(event))
    return {
      kind: 'condition',
      text: `“if” is understood for tool events only; on ${event} this hook never runs.`,
      skip: true,
    };
  if (action.once === true && source !== 'command')
    return {
      kind: 'once',
      text: `“once” counts only for hooks of a command or skill; ${labelOf(action)} runs every time.`,
      skip: false,
    };
  return null;
}

interface Origin extends Pick<Handler, 'source' | 'file'> {
  lineOf(path: SettingsPath): number | null;
}

/** The first thing that is wrong with a handler, as a phrase. */
export function issueOf(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'it is not understood';
  const where = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  return `${where}${issue.message.replace(/\.$/, '')}`;
}

/** Which switches hold over the hooks of all files. Files that wait for trust count for nothing. */
export function switchesOf(files: readonly SettingsInForce[]): {
  /** The file whose `disableAllHooks` counts and is on. */
  readonly disabledBy: SettingsInForce | null;
  readonly managedOnly: boolean;
} {
  let disabledBy: SettingsInForce | null = null;
  let managedOnly = false;
  for (const file of files) {
    if (file.waits) continue;
    const fields = fieldsOf(file.content?.value) ?? {};
    const { disableAllHooks: off, allowManagedHooksOnly: only } = fields;
    if (typeof off === 'boolean') disabledBy = off ? file : null;
    // What nobody can read in the policy counts as its strictest.
    if (file.source === 'policySettings') managedOnly ||= file.unknown || (only !== undefined && only !== false);
  }
  return { disabledBy, managedOnly };
}

/**
 * Puts together what is in force. Files that wait for trust count for nothing, neither by hooks nor by switches. With
 * `disableAllHooks` only those of the policy are left (none, when the policy itself says so); with
 * `allowManagedHooksOnly` in the policy, or a policy that nobody can read, only the policy's.
 */
export function readHookTable(options: {
  readonly files: readonly SettingsInForce[];
  readonly command: CommandHooks | null;
}): HookTable {
  const reading = new Reading();
  const files = options.files
    .filter((file) => !file.waits)
    .map((file) => ({ ...file, fields: fieldsOf(file.content?.value) ?? {} }));
  const policy = files.filter((file) => file.source === 'policySettings');
  const originOf = (file: SettingsInForce): Origin => ({
    source: file.source,
    file: file.path,
    lineOf: (path) => file.content?.lineOf(path) ?? null,
  });

  for (const file of files)
    if (!['boolean', 'undefined'].includes(typeof file.fields.disableAllHooks))
      reading.problem(originOf(file), ['disableAllHooks'], 'disableAllHooks must be true or false; it was skipped.');
  for (const file of policy)
    if (!['boolean', 'undefined'].includes(typeof file.fields.allowManagedHooksOnly))
      reading.problem(
        originOf(file),
        ['allowManagedHooksOnly'],
        'allowManagedHooksOnly must be true or false; it counts as true.',
      );
  const { disabledBy, managedOnly } = switchesOf(options.files);
  const onlyPolicy = managedOnly || disabledBy !== null;
  if (disabledBy?.source !== 'policySettings')
    for (const file of onlyPolicy ? policy : files) reading.hooks(file.fields.hooks, originOf(file));
  if (!onlyPolicy && options.command !== null)
    reading.hooks(options.command.hooks, { source: 'command', file: options.command.file, lineOf: () => null });

  // Where the policy sets a limit, nobody else can widen it.
  const limit = (key: string): readonly string[] | null => {
    const listed = (of: typeof files): readonly string[] | null => {
      const found = of.filter((file) => file.fields[key] !== undefined);
      if (found.length === 0) return null;
      return found.flatMap((file) => {
        const texts = Texts.safeParse(file.fields[key]);
        if (texts.success) return texts.data;
        reading.problem(originOf(file), [key], `${key} must be a list of texts; it counts as empty.`);
        return [];
      });
    };
    return listed(policy) ?? listed(files.filter((file) => file.source !== 'policySettings'));
  };
  const http = { urls: limit('allowedHttpHookUrls'), variables: limit('httpHookAllowedEnvVars') };
  return { listeners: reading.listeners, http, problems: reading.problems };
}
