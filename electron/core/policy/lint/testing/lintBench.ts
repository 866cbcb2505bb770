// A world of settings texts and names on a disk, for tests of the remarks.
import type { Behavior } from '#shared/permissions/decision';
import type { RuleSource } from '#shared/permissions/sources';
import { readSettings } from '#shared/settings/schema';
import { memoryView } from '../../../permissions/caseWorld';
import { noSources, trustedFolder } from '../../../permissions/combineSources';
import { type SourcedRule, sourceOrder } from '../../../permissions/ruleSet';
import { nodeAt, placeOf, readSettingsText } from '../../../settings/settingsText';
import type { LintWorld } from '../lint';

export const folder = '/srv/app';
export const home = '/home/kim';

const paths = {
  userSettings: `${home}/.claude/settings.json`,
  projectSettings: `${folder}/.claude/settings.json`,
  localSettings: `${folder}/.claude/settings.local.json`,
  flagSettings: '/srv/flags/more.json',
  policySettings: '/etc/claude-code/managed-settings.json',
} as const;

export interface BenchWorld {
  /** A settings text, or the lists of `permissions`. */
  readonly settings: Partial<Record<RuleSource, string | Readonly<Partial<Record<Behavior, readonly string[]>>>>>;
  /** Other files by absolute path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly tracked?: boolean;
  readonly usage?: LintWorld['usage'];
  readonly servers?: readonly string[];
  readonly platform?: LintWorld['platform'];
  readonly trusted?: boolean;
  readonly managedOnly?: boolean;
}

function textOf(given: BenchWorld['settings'][RuleSource]): string | null {
  if (given === undefined) return null;
  return typeof given === 'string' ? given : JSON.stringify({ permissions: given }, null, 2);
}

function rulesOf(source: RuleSource, text: string): readonly SourcedRule[] {
  const path = source in paths ? paths[source as keyof typeof paths] : undefined;
  const read = readSettingsText(text);
  if (!read.ok) return [];
  const { root, body, value } = read.value;
  return readSettings(value).rules.map((rule): SourcedRule => {
    const { line } = placeOf(body, nodeAt(root, [...rule.path])?.offset ?? 0);
    const place = path === undefined ? {} : { file: path, line };
    const sourceFolder =
      source === 'userSettings' ? `${home}/.claude` : source === 'flagSettings' ? '/srv/flags' : null;
    return { ref: { text: rule.text, behavior: rule.behavior, source, ...place }, sourceFolder };
  });
}

/** The world that the remarks are made from. */
export function lintWorldOf(world: BenchWorld): LintWorld {
  const { settings, files = {}, trusted = true, managedOnly = false } = world;
  const texts = new Map<string, string>(Object.entries(files));
  const rules: SourcedRule[] = [];
  for (const source of sourceOrder) {
    const text = textOf(settings[source]);
    if (text === null) continue;
    if (source in paths) texts.set(paths[source as keyof typeof paths], text);
    rules.push(...rulesOf(source, text));
  }
  const waits = ({ ref }: SourcedRule): boolean =>
    !trusted && ref.source === 'projectSettings' && ref.behavior === 'allow';
  const counts = (rule: SourcedRule): boolean => !waits(rule) && !(managedOnly && rule.ref.source !== 'policySettings');
  const disk = new Map<string, string>([...texts, [`${folder}/package.json`, '{}'], [`${home}/.profile`, '']]);
  return {
    sources: {
      ...noSources(folder),
      rules: rules.filter(counts),
      managedOnly,
      files: Object.entries(paths).flatMap(([source, path]) => {
        const text = texts.get(path);
        if (text === undefined) return [];
        const state = readSettingsText(text).ok ? ('read' as const) : ('broken' as const);
        return [{ source: source as RuleSource, path, state, problem: state === 'read' ? '' : 'It is broken.' }];
      }),
      trust: { ...trustedFolder(folder), trusted, waitingRules: rules.filter(waits).map((rule) => rule.ref) },
    },
    standing: rules.map((rule) => rule.ref),
    home,
    claudeConfig: `${home}/.claude`,
    platform: world.platform ?? 'linux',
    view: memoryView(disk),
    readText: (path) => texts.get(path) ?? null,
    isTracked: () => world.tracked ?? false,
    usage: world.usage ?? null,
    servers: world.servers ?? null,
  };
}
