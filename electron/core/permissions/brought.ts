// What a settings file that came with a folder would do once the folder is trusted, beside its rules and directories.
import { createHash } from 'node:crypto';
import type { Brought } from '#shared/api/permissions';
import type { SettingsPath } from '#shared/settings/schema';
import { type HandlerAction, labelOf } from '../hooks/handler';
import { fieldsOf, readHookTable } from '../hooks/hookSettings';
import type { FileTexts } from '../settings/settingsWriter';
import { type LoadedFile, withText } from './ruleFile';
import { withoutCredentials } from './withoutCredentials';

/** Something that a folder brings, with the name under which it is trusted: its whole content, not only what is shown. */
export interface BroughtItem extends Omit<Brought, 'fresh'> {
  readonly key: string;
}

/** A thing and where in the file it stands, or its line. `whole`: what belongs to it and is not shown. */
type Found = Pick<BroughtItem, 'kind' | 'text'> & {
  readonly at: SettingsPath | number | null;
  readonly whole?: unknown;
};

const longest = 300;
/** What would run is shown to its end, so that nothing hides behind a long beginning; far longer is nothing that is meant well. */
const longestRun = 8_000;

function cut(text: string, most = longest): string {
  return text.length > most ? `${text.slice(0, most)}… (${text.length} characters in all)` : text;
}

/** All that a hook would run. Where the file is the person's own, what looks like a credential stays out. */
function runOf(action: HandlerAction, source: LoadedFile['source']): string {
  const whole = wholeRun(action);
  return cut(source === 'projectSettings' ? whole : (withoutCredentials(whole) ?? labelOf(action)), longestRun);
}

function wholeRun(action: HandlerAction): string {
  switch (action.type) {
    case 'command':
      return [action.command, ...(action.args ?? [])].join(' ');
    case 'http':
      return action.url;
    case 'prompt':
    case 'agent':
      return action.prompt;
    case 'mcp_tool':
      return `${action.server}: ${action.tool} ${JSON.stringify(action.input ?? {})}`;
  }
}

function shown(value: unknown): string {
  return cut(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}

/** Lists of the sandbox that open something. */
const openingLists: readonly string[] = [
  'excludedCommands',
  'filesystem.allowWrite',
  'filesystem.allowRead',
  'network.allowedDomains',
  'network.allowUnixSockets',
];
/** Switches of the sandbox with the value that weakens it. */
const weakening: readonly (readonly [string, boolean])[] = [
  ['enabled', false],
  ['failIfUnavailable', false],
  ['autoAllowBashIfSandboxed', true],
  ['allowUnsandboxedCommands', true],
  ['network.allowAllUnixSockets', true],
  ['network.strictAllowlist', false],
];
/** Keys with which commands or the network get more than they have by themselves. */
const changing: readonly string[] = ['network.httpProxyPort', 'network.socksProxyPort'];

function at(sandbox: Readonly<Record<string, unknown>>, key: string): unknown {
  return key.split('.').reduce<unknown>((value, name) => fieldsOf(value)?.[name], sandbox);
}

function sandboxIn(value: unknown): readonly Found[] {
  const sandbox = fieldsOf(value);
  if (sandbox === null) return [];
  const path = (key: string) => ['sandbox', ...key.split('.')];
  const lists = openingLists.flatMap((key) => {
    const list = at(sandbox, key);
    if (!Array.isArray(list)) return [];
    return list.map((one: unknown, index): Found => {
      return { kind: 'sandbox', text: `sandbox.${key}: ${shown(one)}`, at: [...path(key), index] };
    });
  });
  const switches = weakening.flatMap(([key, weak]): Found[] =>
    at(sandbox, key) === weak ? [{ kind: 'sandbox', text: `sandbox.${key}: ${weak}`, at: path(key) }] : [],
  );
  const others = [...changing, ...Object.keys(fieldsOf(sandbox.limits) ?? {}).map((name) => `limits.${name}`)].flatMap(
    (key): Found[] => {
      const found = at(sandbox, key);
      return found === undefined ? [] : [{ kind: 'sandbox', text: `sandbox.${key}: ${shown(found)}`, at: path(key) }];
    },
  );
  return [...switches, ...lists, ...others];
}

/** What other programs take from a settings file and Gatehouse never does, trusted or not. */
const unused: readonly string[] = [
  ...['apiKeyHelper', 'awsAuthRefresh', 'awsCredentialExport', 'gcpAuthRefresh', 'otelHeadersHelper', 'statusLine'],
  ...['fileSuggestion', 'subagentStatusLine', 'model', 'outputStyle', 'enabledPlugins', 'extraKnownMarketplaces'],
  ...['enableAllProjectMcpServers', 'enabledMcpjsonServers', 'skipDangerousModePermissionPrompt', 'autoMode'],
];

function unusedIn(settings: Readonly<Record<string, unknown>>): readonly Found[] {
  const env = Object.keys(fieldsOf(settings.env) ?? {});
  return [
    // Values of variables may be secret.
    ...(env.length === 0 ? [] : [{ kind: 'unused' as const, text: cut(`env: ${env.join(', ')}`), at: ['env'] }]),
    ...unused
      .filter((key) => Object.hasOwn(settings, key))
      .map((key): Found => {
        const text = withoutCredentials(`${key}: ${shown(settings[key])}`) ?? `${key}: …`;
        return { kind: 'unused', text, at: [key] };
      }),
  ];
}

function hooksIn({ source, path, content }: LoadedFile): readonly Found[] {
  const fields = fieldsOf(content?.value);
  if (content === null || fields === null) return [];
  // Without the switches, which may be taken away later.
  const hooks = { value: { hooks: fields.hooks }, lineOf: content.lineOf };
  const file = { source, path, content: hooks, unknown: false, waits: false };
  const { listeners } = readHookTable({ files: [file], command: null });
  const found = [...listeners.values()].flat().map(({ handler }): Found => {
    const { event, matcher, action, line } = handler;
    return { kind: 'hook', text: `${event}: ${runOf(action, source)}`, at: line, whole: [matcher, action] };
  });
  const off = fields.disableAllHooks === true;
  return off ? [...found, { kind: 'switch', text: 'disableAllHooks: true', at: ['disableAllHooks'] }] : found;
}

function modeFound(mode: string): Found {
  // These two no file of a folder may choose.
  const kind = mode === 'auto' || mode === 'bypassPermissions' ? 'unused' : 'mode';
  return { kind, text: `permissions.defaultMode: ${mode}`, at: ['permissions', 'defaultMode'] };
}

function keyOf(text: string, whole: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([text, whole ?? null]))
    .digest('base64')
    .slice(0, 22);
}

/** All that a file brings beside rules and directories. Hooks and switches that are off by themselves are left out. */
export function broughtBy(file: LoadedFile): readonly BroughtItem[] {
  const settings = fieldsOf(file.content?.value);
  if (settings === null) return [];
  const mode = file.defaultMode;
  const found: readonly Found[] = [
    ...hooksIn(file),
    ...(mode === null ? [] : [modeFound(mode)]),
    ...sandboxIn(settings.sandbox),
    ...unusedIn(settings),
  ];
  return found.map(({ kind, text, at: place, whole }): BroughtItem => {
    const line = typeof place === 'object' && place !== null ? (file.content?.lineOf(place) ?? null) : place;
    return { kind, text, source: file.source, line, key: keyOf(`${file.source} ${text}`, whole) };
  });
}

/**
 * Names of all that a file would do, rules and directories with it, but for rules that the person has `written`. What is
 * never used has none.
 */
export function trustKeys(file: LoadedFile, written: (rule: string) => boolean = () => false): readonly string[] {
  const allowed = file.rules.filter(({ ref }) => ref.behavior === 'allow' && !written(ref.text));
  return [
    ...broughtBy(file).flatMap(({ kind, key }) => (kind === 'unused' ? [] : [key])),
    ...allowed.map(({ ref }) => ruleKey(file.source, ref.text)),
    ...file.additionalDirectories.map((folder) => directoryKey(file.source, folder)),
  ];
}

/** Names of what a change of a file's text adds. */
export function keysAdded(file: LoadedFile, change: Pick<FileTexts, 'before' | 'after'>): readonly string[] {
  const [before = [], after = []] = [change.before, change.after].map((text) => {
    const loaded = withText(file, { text, sourceFolder: null });
    return loaded === null ? [] : trustKeys(loaded);
  });
  return after.filter((key) => !before.includes(key));
}

export const ruleKey = (source: string, text: string): string => keyOf(`${source} allow ${text}`, null);
export const directoryKey = (source: string, folder: string): string => keyOf(`${source} folder ${folder}`, null);
