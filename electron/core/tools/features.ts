// Stage 1 of the pool: parts of the catalogue that can be switched off or on as a whole.
import { type Feature, features } from '#shared/tools/features';

/** Those that are on. */
export type Features = ReadonlySet<Feature>;

const toolsOf: Readonly<Record<Feature, readonly string[]>> = {
  agent: ['Agent'],
  skills: ['Skill'],
  web: ['WebFetch', 'WebSearch'],
  languageServers: ['LSP', 'GetDiagnostics'],
  cron: ['CronCreate', 'CronList', 'CronDelete'],
  worktrees: ['EnterWorktree', 'ExitWorktree'],
  repl: ['REPL'],
};

const byTool = new Map(features.flatMap(({ name }) => toolsOf[name].map((tool) => [tool, name] as const)));

/** The feature that a tool belongs to; null: it is always in the catalogue. */
export function featureOf(toolName: string): Feature | null {
  return byTool.get(toolName) ?? null;
}

export const allFeatures: Features = new Set(features.map(({ name }) => name));

/**
 * Which features are on: the environment's word (`repl,-agent`: names to switch on, with a minus to switch off) before
 * the person's preference before what is usual. Words that name no feature change nothing.
 */
export function featuresInForce(wishes: {
  readonly environment: string;
  readonly preferences: Readonly<Partial<Record<Feature, boolean | undefined>>>;
}): Features {
  const stated = new Map(
    wishes.environment
      .split(/[\s,]+/)
      .filter((word) => word !== '')
      .map((word) => [word.replace(/^[-+]/, '').toLowerCase(), !word.startsWith('-')] as const),
  );
  return new Set(
    features
      .filter(({ name, usual }) => stated.get(name.toLowerCase()) ?? wishes.preferences[name] ?? usual)
      .map(({ name }) => name),
  );
}
