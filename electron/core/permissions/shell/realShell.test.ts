// Generated command lines run by a real bash, with harmless programs of our own on its PATH: what was started must be
// among what the analysis found, or the analysis must have said that it does not know.
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { memoryView } from '../caseWorld';
import { gatherFacts } from '../facts';
import { loadSecondParser } from './treeSitter';
import { baseName } from './wrappers';

const bash = ['/bin/bash', '/usr/bin/bash'].find((path) => existsSync(path));
const programs = ['aa', 'bb', 'cc', 'dd', 'ee'] as const;
/** Real programs that start others, where the machine has them. */
const starters = ['env', 'timeout', 'nice', 'nohup', 'xargs', 'stdbuf', 'find', 'bash', 'sh', 'cat', 'flock'];

let folder = '';
let count = 0;

beforeAll(async () => {
  await loadSecondParser();
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-shell-'));
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'work/sub'), { recursive: true });
  for (const name of programs) {
    const file = join(folder, 'bin', name);
    // One write for each start; what it prints lets pipelines go on.
    writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "\${0##*/}" >> "$GATEHOUSE_TEST_LOG"\nexit 0\n`);
    chmodSync(file, 0o755);
  }
  for (const name of starters) {
    const real = ['/usr/bin', '/bin'].map((at) => join(at, name)).find((path) => existsSync(path));
    if (real !== undefined) symlinkSync(real, join(folder, 'bin', name));
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function groupLives(id: number): boolean {
  try {
    process.kill(-id, 0);
    return true;
  } catch {
    return false;
  }
}

/** Runs a line; the names of our programs that were started, once nothing of it is left. */
async function started(line: string): Promise<ReadonlySet<string>> {
  const log = join(folder, `log${count++}`);
  writeFileSync(log, '');
  const child = spawn(bash ?? 'bash', ['--norc', '--noprofile', '-c', line], {
    cwd: join(folder, 'work'),
    env: { PATH: join(folder, 'bin'), HOME: folder, GATEHOUSE_TEST_LOG: log },
    stdio: 'ignore',
    detached: true,
  });
  const id = child.pid;
  const kill = () => {
    if (id !== undefined && groupLives(id)) process.kill(-id, 'SIGKILL');
  };
  const timer = setTimeout(kill, 3_000);
  await new Promise((resolve) => child.once('close', resolve));
  const end = Date.now() + 2_000;
  while (id !== undefined && groupLives(id) && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 2));
  clearTimeout(timer);
  kill();
  const names = readFileSync(log, 'utf8')
    .split('\n')
    .filter((name) => name !== '');
  rmSync(log);
  return new Set(names);
}

interface Found {
  readonly names: ReadonlySet<string>;
  readonly unknown: boolean;
}

/** What the engine knows to be started. */
function analysed(line: string): Found {
  const facts = gatherFacts(
    {
      toolName: 'Bash',
      isMcp: false,
      isReadOnly: false,
      input: { command: line },
      facts: [{ kind: 'command', command: line, cwd: '/ws' }],
      own: { behavior: 'passthrough' },
    },
    {
      folder: '/ws',
      cwd: '/ws',
      home: '/home/u',
      additional: [],
      privateFiles: [],
      platform: 'linux',
      ignoreCase: false,
    },
    memoryView(new Map()),
  );
  const texts = [...facts.commands.flatMap((command) => command.denyForms), ...facts.loose];
  return {
    names: new Set(texts.map((text) => baseName(text.split(/\s/, 1)[0] ?? ''))),
    unknown: facts.shellProblems.length > 0 || facts.commands.some((command) => command.never !== null),
  };
}

const program = fc.constantFrom(...programs);
const spelled = program.chain((name) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(name) },
    fc.constantFrom(
      `${name[0]}'${name[1]}'`,
      `"${name}"`,
      `\\${name}`,
      `$'${name}'`,
      `$'\\x${name.charCodeAt(0).toString(16)}${name[1]}'`,
      `{${name},x}`,
      `${name[0]}\\\n${name[1]}`,
      `""${name}`,
      `$"${name}"`,
      `${name[0]}?`,
      `$(echo ${name})`,
      `\${X:-${name}}`,
    ),
  ),
);
const argument = fc.constantFrom(
  'x',
  '-n',
  '"y z"',
  "'q'",
  '$HOME',
  '*',
  '\\;',
  'a=b',
  '{1..2}',
  '#c',
  '$((1+1))',
  '2',
  '""',
);
const redirect = fc.constantFrom(
  '',
  '',
  '',
  '',
  ' > /dev/null',
  ' 2>&1',
  ' < /dev/null',
  ' >o',
  ' <<< w',
  ' &> /dev/null',
  ' 3>&1',
  ' <&-',
  ' >&2',
);
const assignment = fc.constantFrom('', '', '', '', 'A=1 ', 'A= ', 'A=$(bb) ', 'A="x y" ', 'A+=1 ', 'a[0]=1 ');
const simple = fc
  .tuple(assignment, spelled, fc.array(argument, { maxLength: 2 }), redirect)
  .map(([set, name, args, to]) => `${set}${[name, ...args].join(' ')}${to}`);

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const shapes: readonly ((inner: string, other: string) => string)[] = [
  (a, b) => `${a} && ${b}`,
  (a, b) => `${a} || ${b}`,
  (a, b) => `${a}; ${b}`,
  (a, b) => `${a}\n${b}`,
  (a, b) => `${a} | ${b}`,
  (a, b) => `${a} |& ${b}`,
  (a, b) => `${a} & ${b}`,
  (a) => `(${a}\n)`,
  (a) => `{ ${a}\n}`,
  (a, b) => `if ${a}\nthen ${b}\nfi`,
  (a, b) => `if false; then ${a}\nelse ${b}\nfi`,
  (a, b) => `while ${a}\ndo ${b}\nbreak; done`,
  (a, b) => `until ${a}\ndo ${b}\nbreak; done`,
  (a) => `for i in 1 2; do ${a}\ndone`,
  (a) => `for ((i=0; i<1; i++)); do ${a}\ndone`,
  (a, b) => `case x in y) ${a}\n;; *) ${b}\n;; esac`,
  (a) => `case $(${a}\n) in *) ;; esac`,
  (a) => `f() { ${a}\n}; f`,
  (a) => `function g { ${a}\n}; g x`,
  (a) => `! ${a}`,
  (a) => `time ${a}`,
  (a) => `time -p ${a}`,
  (a) => `coproc { ${a}\n}; wait`,
  (a) => `echo $(${a}\n)`,
  (a) => `echo "$(${a}\n)"`,
  (a) => `cat <(${a}\n) > /dev/null`,
  (a) => `: \${x:-$(${a}\n)}`,
  (a) => `[[ -n $(${a}\n) ]]`,
  (a) => `: $(( $(${a}\n) + 0 ))`,
  (a) => `a[$(${a}\n)0]=1`,
  (a) => `x=$(${a}\n)`,
  (a) => `cat <<EOF > /dev/null\n$(${a}\n)\nEOF`,
  (a) => `bash <<'EOF'\n${a}\nEOF`,
  (a) => `sh -s <<'EOF'\n${a}\nEOF`,
  (a) => `bash -c ${quote(a)}`,
  (a) => `sh -ec ${quote(a)}`,
  (a) => `bash --norc -c ${quote(a)} name x`,
  (a) => `bash -O extglob -c ${quote(a)}`,
  (a) => `eval ${quote(a)}`,
  (a) => `eval ${a.replaceAll('\n', ' ').replace(/[|&;<>(){}]/g, '\\$&')}`,
  (a) => `trap ${quote(a)} EXIT`,
  (a) => `trap ${quote(a)} DEBUG; :`,
  (a) => `env -S ${quote(`bash -c "${a.replace(/["$`\\']/g, '')}"`)}`,
  (a) => `timeout 2 bash -c ${quote(a)}`,
  (a) => `exec bash -c ${quote(a)}`,
  (a) => `find . -maxdepth 0 -exec bash -c ${quote(a)} \\;`,
  (a) => `echo ${quote(a)} | bash`,
  (a) => `echo ${quote(a)} | cat | sh`,
  (a) => `X=${quote(a)}; eval "$X"`,
  (a) => `X=${quote(a)}; bash -c "$X"`,
  (a) => `X=${quote(a)} bash -c 'eval "$X"'`,
  (a) => `PS4='$(${a.replaceAll("'", '')})'; set -x; :`,
  (a) => `printf -v 'v[$(${a.replaceAll("'", '')}\n)0]' x`,
  (a) => `test -v 'v[$(${a.replaceAll("'", '')}\n)0]'`,
  (a) => `unset 'v[$(${a.replaceAll("'", '')}\n)0]'`,
  (a) => `let 'v[$(${a.replaceAll("'", '')}\n)0]=1'`,
  (a) => `declare 'v[$(${a.replaceAll("'", '')}\n)0]=1'`,
  (a) => `read 'v[$(${a.replaceAll("'", '')}\n)0]' <<< x`,
  (a) => `(( v[$(${a.replaceAll("'", '')}\n)0] ))`,
  (a) => `v='$(${a.replaceAll("'", '')}\n)'; : "\${v@P}"`,
  (a) => `compgen -W '$(${a.replaceAll("'", '')}\n)' > /dev/null`,
  (a) => `compgen -C ${quote(a)} x > /dev/null`,
  (a) => `mapfile -c 1 -C ${quote(`${a} #`)} <<< x`,
  (a) => `: > >(${a}\n)`,
  (a) => `bash <<< ${quote(a)}`,
  (a) => `bash /dev/stdin <<< ${quote(a)}`,
  (a) => `. /dev/stdin <<< ${quote(a)}`,
  (a) => `bash <(echo ${quote(a)})`,
  (a) => `. <(printf '%s\\n' ${quote(a)})`,
  (a) => `eval "$(echo ${quote(a)})"`,
  (a) => `builtin eval ${quote(a)}`,
  (a) => `command eval ${quote(a)}`,
  (a) => `bash +e -c ${quote(a)}`,
  (a) => `bash -c -e ${quote(a)}`,
  (a) => `bash -xc ${quote(a)}`,
  (a) => `xargs bash -c ${quote(a)}`,
  (a) => `find . -maxdepth 0 -exec sh -c ${quote(a)} sh {} +`,
  (a) => `env A=1 bash -c ${quote(a)}`,
  (a) => `env -S "bash -c" ${quote(a)}`,
  (a) => `f() { "$@"\n}; f bash -c ${quote(a)}`,
  (a) => `bash -c '"$@"' x bash -c ${quote(a)}`,
  (a) => `bash -c '$0 x' aa; ${a}`,
  (a) => `bash -c 'eval "$1"' x ${quote(a)}`,
  (a) => `set -- ${quote(a)}; eval "$1"`,
  (a) => `read -r l <<< ${quote(a)}; eval "$l"`,
  (a) => `echo ${quote(a)} | while read -r l; do eval "$l"; done`,
  (a) => `echo aa | xargs -I{} {} x; ${a}`,
  (a) => `find bin -maxdepth 0 -name x -exec {} \\;; ${a}`,
  (a) => `a=(${quote(a)}); eval "\${a[0]}"`,
  (a) => `declare -n r=q; q=${quote(a)}; eval "$r"`,
  (a) => `printf -v q %s ${quote(a)}; eval "$q"`,
  (a) => `q=cat; printf -v q %s ${quote(a)}; eval "$q"`,
  (a) => `q=cat; read -r q <<< ${quote(a)}; eval "$q"`,
  (a) => `q=cat; : \${q:=x} \${z:=${a.replace(/[^a-z ]/g, '')}}; eval "$z"`,
  (a) => `q=${quote(a)}; r=q; eval "\${!r}"`,
  (a) => `exec 3<<< ${quote(a)}; bash <&3`,
  (a) => `{ bash; } <<< ${quote(a)}`,
  (a) => `bash -s x <<< ${quote(a)}`,
  (a) => `if true; then bash; fi <<'EOF'\n${a}\nEOF`,
  (a) => `echo ${quote(a)} | { bash; }`,
  (a) => `echo ${quote(a)} | timeout 2 bash`,
  (a) => `echo ${quote(a)} | xargs -0 bash -c`,
  (a) => `echo ${quote(a)} | tee o | env bash`,
  (a) => `BASH_ENV=<(echo ${quote(a)}) bash -c :`,
  (a) => `command_not_found_handle() { ${a}\n}; nosuchprogram`,
  (a) => `shopt -s expand_aliases\nalias zz=${quote(a)}\nzz`,
];

const prefixes = [
  'env ',
  'env A=1 ',
  'env -u A ',
  'timeout 2 ',
  'timeout -k 1 2 ',
  'nice ',
  'nice -n 1 ',
  'nohup ',
  'stdbuf -oL ',
  'command ',
  'command -p ',
  'exec ',
  'exec -a n ',
  'builtin command ',
  'xargs ',
  'echo x | xargs ',
  'echo x | xargs -n 1 ',
  'echo x | xargs -I{} ',
  'find . -maxdepth 0 -exec ',
  'flock o ',
  'env -S ',
  'time ',
  '! ',
];
const wrapped = fc
  .tuple(fc.constantFrom(...prefixes), spelled, fc.array(fc.constantFrom('x', '-n', 'b=c'), { maxLength: 2 }))
  .map(([prefix, name, args]) => {
    const text = `${prefix}${[name, ...args].join(' ')}`;
    return prefix.startsWith('find') ? `${text} \\;` : text;
  });

const { line } = fc.letrec<{ line: string; part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3 },
    { weight: 3, arbitrary: simple },
    { weight: 2, arbitrary: wrapped },
    { weight: 3, arbitrary: tie('line') },
  ),
  line: fc.tuple(fc.constantFrom(...shapes), tie('part'), tie('part')).map(([shape, a, b]) => shape(a, b)),
}));

it.skipIf(bash === undefined)(
  'finds all that bash starts, or says that it does not know',
  { timeout: 60_000 },
  async () => {
    const lines = [
      ...shapes.map((shape) => shape('aa x', 'bb y')),
      ...prefixes.map((prefix) => (prefix.startsWith('find') ? `${prefix}aa x \\;` : `${prefix}aa x`)),
      ...fc.sample(fc.oneof({ weight: 3, arbitrary: line }, { weight: 1, arbitrary: wrapped }), {
        numRuns: 450,
        seed: 20,
      }),
    ];
    const missed: { readonly line: string; readonly started: readonly string[]; readonly found: readonly string[] }[] =
      [];
    const tally = { lines: 0, startedSomething: 0, known: 0 };
    // A busy machine tries fewer lines rather than failing.
    const end = Date.now() + 15_000;
    let next = 0;
    const worker = async () => {
      for (let at = next++; at < lines.length && Date.now() < end; at = next++) {
        const text = lines[at] ?? '';
        const really = await started(text);
        const found = analysed(text);
        tally.lines++;
        if (really.size > 0) tally.startedSomething++;
        if (really.size > 0 && !found.unknown) tally.known++;
        const unseen = [...really].filter((name) => !found.names.has(name));
        if (unseen.length > 0 && !found.unknown) missed.push({ line: text, started: unseen, found: [...found.names] });
      }
    };
    await Promise.all(Array.from({ length: 4 }, worker));
    expect(missed).toEqual([]);
    // The lines must start programs, and the analysis must know most of them, or nothing is shown.
    expect(tally.startedSomething).toBeGreaterThan(tally.lines / 2);
    expect(tally.known).toBeGreaterThan(tally.startedSomething / 2);
  },
);
