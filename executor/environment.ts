// The environment that commands get: named variables only, so that a key or token in ours can never reach them.

/** Variables of the executor's own environment that commands may see. */
const passedOn = ['HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LOGNAME', 'PATH', 'SHELL', 'TZ', 'USER'] as const;
/** Without these no program runs on Windows, where SYSTEMROOT is always set. */
const windowsPassedOn = 'APPDATA COMSPEC LOCALAPPDATA PATHEXT SYSTEMROOT TEMP TMP USERPROFILE'.split(' ');

/** Nothing may wait for a person who is not there: no pager, no editor, no password prompt. */
const unattended = {
  EDITOR: 'false',
  GIT_EDITOR: 'false',
  GIT_PAGER: 'cat',
  GIT_SEQUENCE_EDITOR: 'false',
  GIT_TERMINAL_PROMPT: '0',
  MANPAGER: 'cat',
  PAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  VISUAL: 'false',
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where programs are looked for when PATH is not set. */
const defaultPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Name of the variable that marks every process of a run, see processTree. */
export const runMark = 'GATEHOUSE_RUN';

/** The environment of one command. `sandboxed` commands have a temp folder of their own. */
export function commandEnvironment(options: {
  readonly own: Environment;
  readonly runId: string;
  readonly sandboxed: boolean;
  /** Of this command alone. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}): Record<string, string> {
  const { own, runId, sandboxed, variables = {} } = options;
  const passed: Record<string, string> = {};
  for (const name of own.SYSTEMROOT === undefined ? passedOn : [...passedOn, ...windowsPassedOn]) {
    const value = own[name];
    if (value !== undefined) passed[name] = value;
  }
  return {
    PATH: defaultPath,
    LANG: 'C.UTF-8',
    ...passed,
    ...unattended,
    ...variables,
    TERM: 'xterm-256color',
    TMPDIR: sandboxed ? '/tmp' : (own.TMPDIR ?? '/tmp'),
    [runMark]: runId,
  };
}
