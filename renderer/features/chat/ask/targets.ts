import type { SavableSource } from '#shared/permissions/sources';

/** Places that a rule can be saved to. */
export const targets: Readonly<Record<SavableSource, { readonly label: string; readonly hint: string }>> = {
  session: { label: 'This session', hint: 'In memory, in no file' },
  localSettings: { label: 'Only me, here', hint: '.claude/settings.local.json' },
  projectSettings: { label: 'Project, shared', hint: '.claude/settings.json, which others who work here read too' },
  userSettings: { label: 'All my projects', hint: '~/.claude/settings.json' },
};
