// What becomes of a session's commands, in words.
import type { SandboxOrigin, SandboxView } from '#shared/api/sandbox';
import { ruleSources } from '#shared/permissions/sources';
import { counted, homePath } from './words';

/** confined · off: switched off by somebody · missing: run unconfined · refused: none runs, since there is no sandbox. */
export type Confinement = 'confined' | 'off' | 'missing' | 'refused';

/** What becomes of a command now. */
export function confinementOf(
  view: Pick<SandboxView, 'state'> & Partial<Pick<SandboxView, 'enabled' | 'failIfUnavailable'>>,
): Confinement {
  if (view.state.active) return 'confined';
  if (view.enabled?.on === false) return 'off';
  return view.failIfUnavailable?.on === true ? 'refused' : 'missing';
}

export interface ConfinementWords {
  /** The fact, as a heading. */
  readonly title: string;
  readonly meaning: string;
  /** In the status bar. */
  readonly short: string;
}

export const confinements: Readonly<Record<Confinement, ConfinementWords>> = {
  confined: {
    title: 'Commands run in a sandbox',
    meaning: 'What a command may not change or see stays as it is, whatever it tries.',
    short: 'sandbox',
  },
  off: {
    title: 'The sandbox is switched off',
    meaning: 'Commands run unconfined once you or a rule allow them, with all your rights.',
    short: 'sandbox off',
  },
  missing: {
    title: 'There is no sandbox',
    meaning: 'Commands run unconfined once you or a rule allow them, with all your rights.',
    short: 'no sandbox',
  },
  refused: {
    title: 'No command can run',
    meaning: 'There is no sandbox, and the settings say that commands run in one or not at all.',
    short: 'no commands',
  },
};

export const reaches: Readonly<
  Record<SandboxView['network']['reach'], { readonly short: string; readonly meaning: string }>
> = {
  off: {
    short: 'network off',
    meaning: 'Commands cannot reach the network. Downloads such as npm install will fail.',
  },
  listed: { short: 'listed hosts', meaning: 'Commands reach the hosts on the list. All others are refused.' },
  asks: {
    short: 'network asks',
    meaning: 'Commands reach the hosts on the list. About any other you are asked while the command waits.',
  },
  open: {
    short: 'network on',
    meaning: 'Commands can reach the network and may send out what they can read.',
  },
};

/** Where a value comes from: "built in", "user settings". */
export function originWords(from: SandboxOrigin): string {
  switch (from.kind) {
    case 'builtIn':
      return 'built in';
    case 'default':
      return 'default';
    case 'session':
      return 'this session';
    case 'rule':
      return `${ruleSources[from.source].label} rule`;
    case 'setting':
      return from.path === null ? ruleSources[from.source].where : `${ruleSources[from.source].label} settings`;
  }
}

/** "~/.claude/settings.json:12"; empty where it stands in no file. */
export function originPlace(from: SandboxOrigin, home: string): string {
  if (from.kind !== 'setting' || from.path === null) return '';
  const path = homePath(from.path, home);
  return from.line === null ? path : `${path}:${from.line}`;
}

/** "4 GB", "512 MB"; in steps of 1,024. */
export function byteWords(bytes: number): string {
  if (bytes === 1) return '1 byte';
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;
  let rest = bytes;
  let unit = 0;
  while (rest >= 1_024 && unit < units.length - 1) {
    rest /= 1_024;
    unit += 1;
  }
  return `${Number(rest.toFixed(1)).toLocaleString('en')} ${units[unit] ?? ''}`;
}

/** The limits in force, each as a phrase; empty where there are none. */
export function limitWords({ memoryBytes, processes, fileBytes }: SandboxView['limits']): readonly string[] {
  return [
    memoryBytes === undefined ? '' : `${byteWords(memoryBytes)} of memory`,
    processes === undefined ? '' : counted(processes, 'process', 'processes'),
    fileBytes === undefined ? '' : `${byteWords(fileBytes)} for one file`,
  ].filter((words) => words !== '');
}
