// The read-only set: commands that run without asking because nothing about them can change anything. A command that is
// not listed, or an option that is not known, asks.
import { isSafeAssignment } from './shell/assignments';
import type { ShellPart } from './shell/walk';
import type { ShellWord } from './shell/words';
import { unwrapForAllow } from './shell/wrappers';

export interface ReadOnlyVerdict {
  readonly yes: boolean;
  /** What makes it read-only, or what keeps it from being so. */
  readonly why: string;
}

/** Judges the words behind the name; a text is the reason against. */
type Judge = (args: readonly string[]) => string | null;

const anything: Judge = () => null;
const nothing: Judge = (args) => (args.length === 0 ? null : 'only without arguments');

/** Every option must fit; other words may be anything. */
function options(allowed: RegExp): Judge {
  return (args) => {
    const strange = beforeDashes(args).find((arg) => /^[-+]./.test(arg) && !allowed.test(arg));
    return strange === undefined ? null : `its option ${strange} is not known to be harmless`;
  };
}

/** No option may fit. */
function without(refused: RegExp): Judge {
  return (args) => {
    const strange = beforeDashes(args).find((arg) => refused.test(arg));
    return strange === undefined ? null : `${strange} writes or runs something`;
  };
}

function beforeDashes(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}

const dateOption =
  /^(-u|-R|-I\w*|--utc|--universal|--rfc-email|--iso-8601(=\w+)?|--rfc-3339=\w+|-d.*|--date=.*|-r|--reference=.*)$/s;

const judgeDate: Judge = (args) => {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg.startsWith('+')) continue;
    if (!dateOption.test(arg)) return `${arg} may set the clock`;
    if (arg === '-d' || arg === '-r') at++;
  }
  return null;
};

const sedAddress = String.raw`(?:\d+|\$|/[^/\n]*/)`;
const sedCommand = new RegExp(`^(?:${sedAddress}(?:,(?:${sedAddress}|[+~]\\d+))?)?\\s*!?\\s*[pdq=]$`);

/** A sed script that prints, deletes from the output, or stops; nothing else. */
function harmlessSed(script: string): boolean {
  return script
    .split(/[;\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .every((one) => sedCommand.test(one));
}

const judgeSed: Judge = (args) => {
  const scripts: string[] = [];
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '-e' || arg === '--expression') scripts.push(args[++at] ?? '');
    else if (/^(-[nErsuz]+|--quiet|--silent|--regexp-extended|--separate|--null-data)$/.test(arg)) continue;
    else if (arg.startsWith('-') && arg !== '-') return `its option ${arg} is not known to be harmless`;
    else operands.push(arg);
  }
  const all = scripts.length > 0 ? scripts : operands.slice(0, 1);
  return all.every(harmlessSed) ? null : 'its script does more than print lines';
};

const judgeSort = options(
  /^(-[bdfghiMnrRVcCmsuz]+|-k[\d.,bdfghiMnrRV]*|-t.?|--(reverse|numeric-sort|general-numeric-sort|human-numeric-sort|version-sort|unique|ignore-case|stable|check|merge|zero-terminated|ignore-leading-blanks|dictionary-order|month-sort|random-sort)|--(key|field-separator|parallel)=.*)$/,
);

const findTests = new RegExp(
  `^-(${[
    'name iname path ipath wholename iwholename regex iregex regextype type xtype size empty mtime atime ctime mmin amin',
    'cmin newer anewer cnewer newer[aBcm][aBcmt] perm user group uid gid links inum samefile maxdepth mindepth depth mount',
    'xdev follow daystart print print0 printf ls prune quit not a o and or true false readable writable executable nouser',
    'nogroup fstype used H L P O\\d noleaf d',
  ]
    .join(' ')
    .split(' ')
    .join('|')})$`,
);

const judgeFind: Judge = (args) => {
  const strange = args.find((arg) => arg.startsWith('-') && !/^-\d/.test(arg) && !findTests.test(arg));
  return strange === undefined ? null : `${strange} writes, deletes or runs something`;
};

const judgePs: Judge = (args) => {
  const strange = args.find((arg) => (arg.startsWith('-') ? /^-\w*E/.test(arg) : /e/i.test(arg)));
  return strange === undefined ? null : `${strange} shows the environment of processes`;
};

const judgeJq: Judge = (args) => {
  const strange = args.find(
    (arg) => /\$ENV|\benv\b|\binclude\b|\bimport\b|input_filename/.test(arg) || /^-L/.test(arg),
  );
  return strange === undefined ? null : 'its filter reads the environment or other files';
};

const judgeTest: Judge = (args) => {
  const strange = args.find((arg) => arg === '-v' || arg === '-R' || /[$`]/.test(arg.replace(/\$HOME\b/g, '')));
  return strange === undefined ? null : `${strange} may run something`;
};

const judgeDocker: Judge = (args) => {
  const verb = args[0] ?? '';
  const elsewhere = args.find((arg) => /^(-H|-c$|--(host|context|config|tls))/.test(arg));
  if (elsewhere !== undefined) return `${elsewhere} speaks to another daemon`;
  return /^(ps|images|logs|inspect)$/.test(verb) ? null : `docker ${verb} is not known to be harmless`;
};

const onlyVersion: Judge = (args) =>
  args.length === 1 && args[0] === '--version' ? null : 'only --version is harmless';

const gitRefused = /^(--ou|--op|--ext|--textc|--up|--exec|--rec|--fil|--server|--no-ind|--conte|--ignore-revs|-O)/;

/** Words that name something to change, unless one of the listing options is there. */
function listing(options_: RegExp): Judge {
  return (args) => {
    const strange = args.find((arg) => arg.startsWith('-') && !options_.test(arg));
    if (strange !== undefined) return `its option ${strange} is not known to be harmless`;
    const lists = args.some((arg) =>
      /^(-l|--list|--contains|--no-contains|--merged|--no-merged|--points-at)/.test(arg),
    );
    const names = args.filter((arg) => !arg.startsWith('-'));
    return lists || names.length === 0 ? null : 'it creates or changes what it names';
  };
}

const gitVerbs: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ...'status log diff show blame ls-files rev-parse grep describe shortlog rev-list for-each-ref'
    .split(' ')
    .map((verb): [string, Judge] => [verb, anything]),
  [
    'branch',
    listing(
      /^(-a|-r|-v|-vv|-av|-avv|-l|--list|--all|--remotes|--verbose|--show-current|--(no-)?contains(=.*)?|--(no-)?merged(=.*)?|--points-at(=.*)?|--sort=.*|--format=.*|--(no-)?column.*|--(no-)?color.*|-i|--ignore-case)$/,
    ),
  ],
  [
    'tag',
    listing(
      /^(-l|-n\d*|--list|--(no-)?contains(=.*)?|--(no-)?merged(=.*)?|--points-at(=.*)?|--sort=.*|--format=.*|--(no-)?column.*|-i|--ignore-case)$/,
    ),
  ],
  ['remote', (args) => (args.every((arg) => arg === '-v' || arg === '--verbose') ? null : 'only the list is harmless')],
  ['stash', (args) => (args[0] === 'list' ? null : 'only git stash list is harmless')],
  ['worktree', (args) => (args[0] === 'list' ? null : 'only git worktree list is harmless')],
  [
    'reflog',
    (args) =>
      /^(expire|delete|drop|write)$/.test(args.find((arg) => !arg.startsWith('-')) ?? '') ? 'it changes the log' : null,
  ],
  ['cat-file', options(/^-[tspe]$/)],
  [
    'ls-remote',
    (args) =>
      args.every(
        (arg) =>
          /^(--heads|--tags|--refs|--quiet|-q|-h|-t|--symref|--exit-code|--get-url)$/.test(arg) ||
          /^[A-Za-z0-9][\w-]*$/.test(arg),
      )
        ? null
        : 'only the name of a remote is known to be harmless',
  ],
]);

const judgeGit: Judge = (args) => {
  const [verb = '', ...rest] = args;
  if (verb.startsWith('-')) return `git ${verb} before the verb may run something`;
  const judge = gitVerbs.get(verb);
  if (judge === undefined) return `git ${verb} is not in the read-only set`;
  const strange = rest.find((arg) => gitRefused.test(arg));
  return strange === undefined ? judge(rest) : `${strange} writes or runs something`;
};

const harmless: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ...(
    'ls cat echo head tail stat df true false sleep whoami id uname uptime free cut tr basename dirname realpath ' +
    'readlink seq expr od hexdump md5sum sha256sum cmp comm paste column nl fold rev tac type locale nproc arch ' +
    'groups cal which grep egrep diff help netstat cd'
  )
    .split(' ')
    .map((name): [string, Judge] => [name, anything]),
  ['wc', without(/^--files0/)],
  ['du', without(/^--files0/)],
  ['strings', without(/^@/)],
  ['pgrep', without(/^(-[A-Za-z]*F|--pidf)/)],
  [
    'tput',
    (args) =>
      args.every((arg) => /^[\w-]+$/.test(arg) && !/^-[^-]*T/.test(arg))
        ? null
        : 'it may load a description of a terminal',
  ],
  ['pwd', nothing],
  ['history', (args) => (args.every((arg) => /^\d+$/.test(arg)) ? null : 'its options change the history')],
  ['printf', without(/^-v/)],
  ['hostname', (args) => (args.every((arg) => /^-[fisdIA]+$/.test(arg)) ? null : 'it may set the name')],
  ['test', judgeTest],
  ['[', judgeTest],
  ['find', judgeFind],
  ['sed', judgeSed],
  ['date', judgeDate],
  ['sort', judgeSort],
  [
    'file',
    options(
      /^(-[biLhNnprsv0k]+|--(brief|mime|mime-type|mime-encoding|extension|dereference|no-dereference|keep-going|raw))$/,
    ),
  ],
  ['ps', judgePs],
  ['lsof', without(/^-D/)],
  ['ss', options(/^-[tulnpeoimsx46aHrwO]+$/)],
  ['jq', judgeJq],
  ['tree', without(/^(-[A-Za-z]*[oR]|--o)/)],
  [
    'man',
    (args) =>
      args.every((arg) => /^[\w.+:-]+$/.test(arg) && !arg.startsWith('-')) ? null : 'its options may run a program',
  ],
  ['base64', options(/^(-[diD]+|-w\d*|--decode|--wrap=\d+|--ignore-garbage)$/)],
  ['fd', without(/^(-[A-Za-z]*[xX]|--exec)/)],
  ['fdfind', without(/^(-[A-Za-z]*[xX]|--exec)/)],
  ['rg', without(/^(--pre(=|$)|--hostname-bin|-[A-Za-z]*z|--search-zip)/)],
  ['git', judgeGit],
  ['docker', judgeDocker],
  ['node', onlyVersion],
  ['python3', onlyVersion],
]);

/** With these a pattern is never taken for harmless, even when its beginning cannot be an option. */
const alwaysDoubtful: ReadonlySet<string> = new Set([
  'find',
  'sort',
  'sed',
  'git',
  'test',
  '[',
  'printf',
  'ps',
  'docker',
]);

/** None of their options changes or runs anything. */
const readsWithAnyOption: ReadonlySet<string> = new Set(['wc', 'du', 'base64', 'jq', 'lsof']);

/** Only these may be in front of a read-only command. */
function peel(words: readonly ShellWord[]): readonly ShellWord[] {
  const name = words[0]?.text;
  const inner = name === 'timeout' || name === 'command' ? unwrapForAllow(words) : null;
  return inner === null ? words : peel(inner);
}

function no(why: string): ReadOnlyVerdict {
  return { yes: false, why };
}

/** Judges one command of a line. Its files are judged apart: reading outside the folder is another matter. */
export function judgeReadOnly(part: ShellPart, folder: string): ReadOnlyVerdict {
  for (const context of part.within)
    if (context !== 'if' && context !== 'pipe')
      return no(`it stands in a ${context === 'timed' ? 'time measurement' : context}`);
  const [block] = part.blocks;
  if (block !== undefined) return no(block);
  const unsafe = part.assignments.find((assignment) => !isSafeAssignment(assignment));
  if (unsafe !== undefined) return no(`the variable ${unsafe.name} may change what runs`);
  const words = peel(part.words);
  const [first, ...rest] = words;
  if (first === undefined) return { yes: true, why: 'it only sets harmless variables' };
  if (first.text.startsWith('[[')) {
    return first.plain ? { yes: true, why: 'a test' } : no('its test holds something the shell fills in');
  }
  if (first.text !== first.value || !first.literal) return no('its name is not plainly written');
  const judge = harmless.get(first.text);
  if (judge === undefined) return no(`${first.text} is not in the read-only set`);
  const dynamic = rest.find((word) => !word.plain);
  if (dynamic !== undefined) return no(`${dynamic.text} is not plain text`);
  const becomes = rest.some((word) => word.glob && (alwaysDoubtful.has(first.text) || /^[-*?[]/.test(word.value)));
  if (judge !== anything && becomes && !readsWithAnyOption.has(first.text))
    return no(`${first.text}: an unquoted pattern may become one of its options`);
  const against = judge(rest.map((word) => word.value));
  if (against !== null) return no(`${first.text}: ${against}`);
  if (first.text === 'git' && part.afterCd && part.cwds?.every((cwd) => cwd === folder) !== true)
    return no('git in another folder may run what that folder’s settings say');
  return { yes: true, why: `${first.text} only reads` };
}
