// What git itself runs: the command behind its own options, aliases given on the line, and programs named by options.
import type { ShellWord } from './words';

/** What a command runs besides itself. */
export interface Unwrapped {
  readonly commands: readonly (readonly ShellWord[])[];
  /** Texts that a shell will read again. */
  readonly scripts: readonly string[];
}

const valued: ReadonlySet<string> = new Set(
  '-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix --attr-source'.split(' '),
);

/** Settings whose value is a program. */
const programs =
  /^(pager\..*|.*\.(pager|editor|sshcommand|fsmonitor|askpass|cmd|helper|textconv|command|program|driver|clean|smudge|process|external|trustexitcode|hookspath|proxycommand|sendmailcmd|uploadpack|receivepack))$/i;

/** Options whose value is a program or a script, by verb; `*` for all verbs. */
const scriptOptions: ReadonlyMap<string, RegExp> = new Map([
  ['rebase', /^(-x|--exec)(?:=(.*))?$/s],
  ['filter-branch', /^(--[a-z-]+-filter)(?:=(.*))?$/s],
  ['difftool', /^(-x|--extcmd)(?:=(.*))?$/s],
  ['grep', /^(-O|--open-files-in-pager)(?:=?(.*))?$/s],
  ['send-email', /^(--sendmail-cmd|--to-cmd|--cc-cmd|--header-cmd)(?:=(.*))?$/s],
  ['*', /^(-u|--upload-pack|--receive-pack|--exec)(?:=(.*))?$/s],
]);

function scriptsOf(verb: string, args: readonly ShellWord[]): readonly string[] {
  const pattern =
    scriptOptions.get(verb) ??
    (/^(fetch|pull|clone|push|ls-remote|archive|fetch-pack|send-pack)$/.test(verb)
      ? scriptOptions.get('*')
      : undefined);
  const found: string[] = [];
  for (const [at, word] of args.entries()) {
    const match = pattern?.exec(word.value);
    if (match === null || match === undefined) continue;
    const own = match[2] ?? '';
    const script = own === '' ? args[at + 1]?.values[0] : own;
    if (script !== undefined) found.push(script);
  }
  return found;
}

/** `git -C dir push` is a push; so is `git -c alias.p=push p`. */
export function gitCommand(words: readonly ShellWord[]): Unwrapped {
  const [name] = words;
  if (name === undefined) return { commands: [], scripts: [] };
  const aliases = new Map<string, string>();
  const scripts: string[] = [];
  let at = 1;
  while (at < words.length) {
    const value = words[at]?.value ?? '';
    if (!value.startsWith('-')) break;
    const setting = value === '-c' ? words[at + 1]?.values[0] : value.startsWith('-c') ? value.slice(2) : undefined;
    const [, key = '', text = ''] = /^([^=]+)=(.*)$/s.exec(setting ?? '') ?? [];
    if (/^alias\./i.test(key)) aliases.set(key.slice('alias.'.length), text);
    else if (programs.test(key) && text !== '') scripts.push(text.replace(/^!/, ''));
    at += valued.has(value) ? 2 : 1;
  }
  const verb = words[at]?.value ?? '';
  const args = words.slice(at + 1);
  const rest = args.map((word) => word.text);
  const alias = aliases.get(verb);
  if (alias !== undefined) scripts.push([alias.startsWith('!') ? alias.slice(1) : `git ${alias}`, ...rest].join(' '));
  if (verb === 'submodule') {
    const start = args.findIndex((word) => word.value === 'foreach');
    const script =
      start === -1 ? [] : args.slice(start + 1).filter((word) => !/^(--recursive|-q|--quiet)$/.test(word.value));
    if (script.length > 0) scripts.push(script.map((word) => word.values[0] ?? word.value).join(' '));
  }
  scripts.push(...scriptsOf(verb, args));
  const commands: (readonly ShellWord[])[] = at > 1 && at < words.length ? [[name, ...words.slice(at)]] : [];
  if (verb === 'bisect' && args[0]?.value === 'run' && args.length > 1) commands.push(args.slice(1));
  return { commands, scripts };
}
