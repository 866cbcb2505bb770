// Programs that run another program, and how to find what they run. For allow little is looked through, for deny much.
import type { ShellWord } from './words';

interface Wrapper {
  /** Options that take the next word as their value. */
  readonly valued?: string;
  /** Words before the command that are no options: `timeout 5 make` has one. */
  readonly positions?: number;
  /** Assignments may stand before the command, as with `env`. */
  readonly assignments?: true;
  /** Options whose value is a script for a shell. */
  readonly scripts?: string;
  /** All words together are a script. */
  readonly joined?: true;
  /** Options take too many values to be told: the command may start at any word. */
  readonly everywhere?: true;
  /** Options may stand behind other words. */
  readonly late?: true;
  /** The command follows one of these sub-commands. */
  readonly verbs?: string;
}

/** What deny and ask rules look through. Keys are program names. */
const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ['timeout', { valued: '-k -s --kill-after --signal', positions: 1 }],
  ['time', { valued: '-f -o --format --output' }],
  ['nice', { valued: '-n --adjustment' }],
  ['nohup', {}],
  ['stdbuf', { valued: '-i -o -e --input --output --error' }],
  ['command', {}],
  ['builtin', {}],
  ['noglob', {}],
  ['nocorrect', {}],
  ['exec', { valued: '-a' }],
  ['env', { valued: '-u -C --unset --chdir', assignments: true, scripts: '-S --split-string' }],
  ['sudo', { valued: '-u -g -h -p -C -T -r -t -D -R -U --user --group --chdir --host --prompt', assignments: true }],
  ['doas', { valued: '-u -C' }],
  ['pkexec', { valued: '--user' }],
  ['runuser', { valued: '-u -g -G', scripts: '-c --command', late: true }],
  ['su', { valued: '-s -g -G', scripts: '-c --command', late: true }],
  ['setsid', {}],
  ['ionice', { valued: '-c -n -p --class --classdata' }],
  ['chrt', { valued: '-T -P -D', positions: 1 }],
  ['taskset', { positions: 1 }],
  ['prlimit', {}],
  ['setarch', {}],
  ['unshare', {}],
  ['nsenter', { valued: '-t -S -G' }],
  ['chroot', { positions: 1 }],
  ['systemd-run', { valued: '-p -u --unit --property' }],
  ['systemd-inhibit', {}],
  ['caffeinate', { valued: '-t -w' }],
  ['flock', { valued: '-w -E --timeout', positions: 1, scripts: '-c --command' }],
  ['watch', { valued: '-n -q --interval', joined: true }],
  ['parallel', { valued: '-j -a -S -N --jobs', joined: true }],
  ['xargs', { valued: '-n -I -P -L -s -d -a -E --max-args --max-procs --replace --delimiter --arg-file' }],
  ['numactl', { valued: '-N -m -C -p -i -l' }],
  ['cpulimit', { valued: '-l -p -e' }],
  ['entr', {}],
  ['hyperfine', { valued: '-w -r -n -p -s', joined: true }],
  ['ssh', { valued: '-p -i -l -o -F -J -L -R -D -b -c -E -m -S -W', positions: 1, joined: true }],
  [
    'tmux',
    {
      valued: '-s -n -t -c -L -S -f',
      verbs: 'new new-session neww new-window split-window respawn-pane run-shell',
      joined: true,
    },
  ],
  ['screen', { valued: '-S -t -c -s -e -h -p', joined: true }],
  ['bwrap', { everywhere: true }],
  ['strace', { valued: '-o -e -p -s -u -E' }],
  ['ltrace', { valued: '-o -e -p -s -u' }],
  ['perf', { verbs: 'stat record trace' }],
  ['gdb', {}],
  ['valgrind', {}],
  ['rlwrap', {}],
  ['unbuffer', {}],
  ['fakeroot', {}],
  ['firejail', {}],
  ['torsocks', {}],
  ['proxychains', {}],
  ['proxychains4', {}],
  ['dbus-run-session', {}],
  ['xvfb-run', { valued: '-n -s -e -f -p -w' }],
  ['script', { valued: '-t -I -O -B', scripts: '-c --command' }],
  ['busybox', {}],
  ['toybox', {}],
  ['coproc', {}],
  ['trap', { joined: true }],
  ['eval', { joined: true }],
  ['npx', { valued: '-p --package', scripts: '-c --call' }],
  ['bunx', {}],
  ['pnpx', {}],
  ['pnpm', { verbs: 'exec dlx' }],
  ['yarn', { verbs: 'exec dlx' }],
  ['npm', { verbs: 'exec x' }],
  ['bun', { verbs: 'x' }],
  ['uv', { verbs: 'run' }],
  ['uvx', {}],
  ['poetry', { verbs: 'run' }],
  ['pipenv', { verbs: 'run' }],
  ['pdm', { verbs: 'run' }],
  ['bundle', { verbs: 'exec' }],
  ['mise', { verbs: 'exec x', positions: 0 }],
  ['direnv', { verbs: 'exec', positions: 1 }],
  ['devbox', { verbs: 'run' }],
  ['conda', { valued: '-n -p', verbs: 'run' }],
  ['docker', { valued: '-u -w -e --user --workdir --env --name -v --volume -p', verbs: 'exec run', positions: 1 }],
  ['podman', { valued: '-u -w -e --user --workdir --env --name -v --volume -p', verbs: 'exec run', positions: 1 }],
  ['sh', { scripts: '-c' }],
  ['bash', { valued: '-O -o --rcfile --init-file', scripts: '-c' }],
  ['zsh', { valued: '-o', scripts: '-c' }],
  ['dash', { scripts: '-c' }],
  ['ksh', { scripts: '-c' }],
  ['ash', { scripts: '-c' }],
  ['fish', { scripts: '-c --command' }],
  ['git', {}],
]);

const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'fish']);

const standardInput = /^(-|\/dev\/(stdin|fd\/0)|\/proc\/self\/fd\/0)$/;

/** Whether a shell reads its commands from its input. */
export function readsScript(words: readonly ShellWord[]): boolean {
  const name = baseName(words[0]?.values[0] ?? '');
  const rest = words.slice(1).map((word) => word.value);
  const operand = rest.find((word) => word === '-' || !/^[-+]/.test(word));
  if (name === '.' || name === 'source') return operand !== undefined && standardInput.test(operand);
  if (name === 'at' || name === 'batch') return true;
  if (!shells.has(name)) return false;
  return operand === undefined || standardInput.test(operand) || rest.some((word) => /^-[A-Za-z]*s/.test(word));
}

/** A shell that is given `<(…)` runs what that prints. */
function printedScripts(words: readonly ShellWord[]): readonly string[] {
  const name = baseName(words[0]?.values[0] ?? '');
  if (name !== '.' && name !== 'source' && !shells.has(name)) return [];
  return words
    .slice(1)
    .filter((word) => word.text.startsWith('<('))
    .map((word) => `eval "$(${word.text.slice(2, -1)})"`);
}

/** What a command runs besides itself. */
export interface Unwrapped {
  readonly commands: readonly (readonly ShellWord[])[];
  /** Texts that a shell will read again. */
  readonly scripts: readonly string[];
}

const nothing: Unwrapped = { commands: [], scripts: [] };

/** The program's name without its folder. */
export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function isAssignment(word: ShellWord): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(word.value);
}

function split(list: string | undefined): readonly string[] {
  return list === undefined ? [] : list.split(' ');
}

/** `find … -exec cmd ;` and its relatives. */
function findCommands(words: readonly ShellWord[]): Unwrapped {
  const commands: (readonly ShellWord[])[] = [];
  for (const [at, word] of words.entries()) {
    if (!/^-(exec|execdir|ok|okdir)$/.test(word.value)) continue;
    const rest = words.slice(at + 1);
    const end = rest.findIndex((one) => one.value === ';' || one.value === '+');
    commands.push(end === -1 ? rest : rest.slice(0, end));
  }
  return { commands, scripts: [] };
}

/** `git -C dir push` is a push; so is `git -c key=value push`. */
function gitCommand(words: readonly ShellWord[]): Unwrapped {
  const valued = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env']);
  let at = 1;
  while (at < words.length) {
    const value = words[at]?.value ?? '';
    if (!value.startsWith('-')) break;
    at += valued.has(value) ? 2 : 1;
  }
  const [name] = words;
  if (at === 1 || name === undefined || at >= words.length) return nothing;
  return { commands: [[name, ...words.slice(at)]], scripts: [] };
}

/** The script of `-c`, also when it hides in a group of letters (`-lc`). */
function scriptOption(word: string, options: readonly string[], isShell: boolean): 'next' | string | null {
  if (options.includes(word)) return 'next';
  if (isShell && /^[-+][A-Za-z]*c[A-Za-z]*$/.test(word)) return 'next';
  for (const option of options) {
    if (option.startsWith('--') && word.startsWith(`${option}=`)) return word.slice(option.length + 1);
    if (!option.startsWith('--') && !isShell && word.startsWith(option) && word.length > 2) return word.slice(2);
  }
  return null;
}

function quoted(text: string): string {
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

interface Found {
  readonly commands: (readonly ShellWord[])[];
  readonly scripts: string[];
}

/** Reads the options from `start`; what follows them is a command, and where an option is strange both readings are. */
function readOptions(words: readonly ShellWord[], start: number, wrapper: Wrapper, found: Found): void {
  const valued = split(wrapper.valued);
  const scripts = split(wrapper.scripts);
  const isShell = shells.has(baseName(words[0]?.value ?? ''));
  const starts = new Set<number>();
  let at = start;
  let sawScript = false;
  for (; at < words.length; at++) {
    const word = words[at]?.value ?? '';
    if (word === '--') {
      at++;
      break;
    }
    const current = words[at];
    if (wrapper.assignments === true && current !== undefined && isAssignment(current)) continue;
    if (!/^[-+]./.test(word)) break;
    const script = scriptOption(word, scripts, isShell);
    if (script !== null) {
      sawScript = true;
      const text = script === 'next' ? words[at + 1]?.values[0] : script;
      // With a shell the options go on behind -c; its text is the first word that is none.
      if (isShell) {
        let next = at + 1;
        while (/^[-+]./.test(words[next]?.value ?? '')) next++;
        const inner = words[next]?.values[0];
        if (inner !== undefined) found.scripts.push(inner);
        return;
      }
      const rest = words.slice(at + (script === 'next' ? 2 : 1)).map((one) => one.value);
      // The words behind stay words of their own; some programs join them all the same.
      if (text !== undefined)
        found.scripts.push(...new Set([[text, ...rest].join(' '), [text, ...rest.map(quoted)].join(' ')]));
      if (script === 'next') at++;
      continue;
    }
    if (valued.includes(word)) at++;
    else if (!word.startsWith('--') || !word.includes('=')) starts.add(at + 2);
  }
  if (wrapper.everywhere === true) for (let one = at; one < words.length; one++) starts.add(one);
  if (wrapper.late === true)
    for (let one = at; one < words.length; one++)
      if (scriptOption(words[one]?.value ?? '', scripts, false) === 'next')
        found.scripts.push(words[one + 1]?.values[0] ?? '');
  // A script's name is what the shell runs.
  if (isShell && at < words.length) found.commands.push(words.slice(at));
  if (isShell || (sawScript && wrapper.joined !== true)) return;
  starts.add(at);
  for (const one of starts) {
    const from = one + (wrapper.positions ?? 0);
    if (from >= words.length) continue;
    const rest = words.slice(from);
    // A guess about an unknown option; a name that is not plain belongs to the option.
    if (one !== at && (rest[0]?.literal !== true || rest[0].value.includes('{}'))) continue;
    if (scripts.includes(rest[0]?.value ?? '')) {
      found.scripts.push(rest[1]?.values[0] ?? '');
      continue;
    }
    found.commands.push(rest);
    // Programs of this shape hand an assignment on; where they do not, nothing of this name exists.
    const behind = rest.findIndex((word) => !isAssignment(word));
    if (behind > 0) found.commands.push(rest.slice(behind));
    if (wrapper.joined === true)
      found.scripts.push(
        ...new Set([rest.map((word) => word.values[0] ?? word.value).join(' '), rest[0]?.value ?? '']),
      );
    if (rest.length === 1 && /\s/.test(rest[0]?.value ?? '')) found.scripts.push(rest[0]?.value ?? '');
  }
}

/** One step of looking through a command for deny and ask. */
export function unwrapForDeny(words: readonly ShellWord[]): Unwrapped {
  const name = baseName(words[0]?.values[0] ?? '');
  if (name === 'find' || name === 'fd' || name === 'fdfind') {
    const inner = findCommands(words);
    const at = words.findIndex((word) => /^(-x|-X|--exec|--exec-batch)$/.test(word.value));
    return name === 'find' || at === -1 ? inner : { commands: [...inner.commands, words.slice(at + 1)], scripts: [] };
  }
  if (name === 'git') return gitCommand(words);
  const printed = printedScripts(words);
  if (name === '.' || name === 'source')
    return { commands: words.length > 1 ? [words.slice(1)] : [], scripts: printed };
  const wrapper = wrappers.get(name);
  if (wrapper === undefined) return nothing;
  let start = 1;
  if (wrapper.verbs !== undefined) {
    const verb = words.findIndex((word, index) => index > 0 && split(wrapper.verbs).includes(word.value));
    if (verb === -1) return nothing;
    start = verb + 1;
  }
  const found: Found = { commands: [], scripts: [...printed] };
  readOptions(words, start, wrapper, found);
  return found;
}

/** Wrappers that a rule's star must not reach through: only the exact rule of the whole command covers them. */
const exactOnly: ReadonlySet<string> = new Set(['watch', 'setsid', 'ionice', 'flock', 'env', 'exec']);

/** Why no rule with a star may cover this command, or null. */
export function exactOnlyReason(words: readonly ShellWord[]): string | null {
  const name = words[0]?.value ?? '';
  if (words.length > 1 && exactOnly.has(baseName(name))) return `${name} runs another program`;
  if (
    name === 'find' &&
    words.some((word) => /^-(exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/.test(word.value))
  )
    return 'find runs programs or deletes with these options';
  if (
    (name === 'fd' || name === 'fdfind') &&
    words.some((word) => /^(-x|-X|--exec|--exec-batch)(=|$)/.test(word.value))
  )
    return `${name} runs programs with these options`;
  return null;
}

/**
 * What is left of a command for allow rules once a harmless wrapper is taken off, or null when there is none. Strict:
 * only the documented wrappers with options that cannot run anything.
 */
export function unwrapForAllow(words: readonly ShellWord[]): readonly ShellWord[] | null {
  const name = words[0]?.text;
  const rest = words.slice(1);
  const first = rest[0];
  if (first === undefined) return null;
  switch (name) {
    case 'nohup':
    case 'noglob':
    case 'builtin':
    case 'xargs':
    case 'time':
      return first.text.startsWith('-') ? null : rest;
    case 'command':
      if (first.text === '-p') return rest.length > 1 ? rest.slice(1) : null;
      return first.text.startsWith('-') ? null : rest;
    case 'nice': {
      if (!first.text.startsWith('-')) return rest;
      if (first.text === '-n' && /^-?\d+$/.test(rest[1]?.text ?? '')) return rest.length > 2 ? rest.slice(2) : null;
      return /^-(n)?-?\d+$/.test(first.text) && rest.length > 1 ? rest.slice(1) : null;
    }
    case 'stdbuf': {
      let at = 0;
      while (/^-[ioe](L|\d+[KMG]?)$/.test(rest[at]?.text ?? '')) at++;
      return at > 0 && at < rest.length ? rest.slice(at) : null;
    }
    case 'timeout': {
      let at = 0;
      while (rest[at]?.text.startsWith('-') === true) {
        const option = rest[at]?.text ?? '';
        if (/^(-k|-s|--kill-after|--signal)$/.test(option)) at += 2;
        else if (/^(--(preserve-status|foreground|verbose)|-v|-f|-p|--(kill-after|signal)=\w+|-[ks]\w+)$/.test(option))
          at += 1;
        else return null;
      }
      return /^\d+(\.\d+)?[smhd]?$/.test(rest[at]?.text ?? '') && at + 1 < rest.length ? rest.slice(at + 1) : null;
    }
    default:
      return null;
  }
}
