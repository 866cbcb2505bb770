// THE table of the eight places a permission rule can come from.
import { z } from 'zod';

export const RuleSource = z.enum([
  'userSettings',
  'projectSettings',
  'localSettings',
  'flagSettings',
  'policySettings',
  'cliArg',
  'command',
  'session',
]);
export type RuleSource = z.infer<typeof RuleSource>;

export interface RuleSourceInfo {
  /** One or two words, as shown on cards and in tables. */
  readonly label: string;
  /** Where the rules live, for people. */
  readonly where: string;
  readonly editable: boolean;
  /** Rank for scalar settings such as `defaultMode`: the highest that sets it wins; null = sets none. */
  readonly scalarRank: number | null;
}

export const ruleSources: Readonly<Record<RuleSource, RuleSourceInfo>> = {
  userSettings: { label: 'user', where: '~/.claude/settings.json', editable: true, scalarRank: 1 },
  projectSettings: { label: 'project', where: '.claude/settings.json', editable: true, scalarRank: 2 },
  localSettings: { label: 'local', where: '.claude/settings.local.json', editable: true, scalarRank: 3 },
  flagSettings: { label: 'flag', where: '--settings', editable: false, scalarRank: 4 },
  policySettings: { label: 'policy', where: 'managed-settings.json', editable: false, scalarRank: 6 },
  cliArg: { label: 'command line', where: '--allowedTools, --disallowedTools', editable: false, scalarRank: 5 },
  command: { label: 'command', where: 'frontmatter of a command or skill', editable: false, scalarRank: null },
  session: { label: 'session', where: 'this session, in memory', editable: true, scalarRank: null },
};

/** Sources an "Always allow…" answer can be saved to, narrowest first. */
export const SavableSource = z.enum(['session', 'localSettings', 'projectSettings', 'userSettings']);
export type SavableSource = z.infer<typeof SavableSource>;
