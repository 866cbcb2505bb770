// Which of a command's words are files, for commands that are known to use them so, and what is done with them.

import { type CommandFile, file } from './fileWords';
import { gitFiles } from './gitFiles';
import { changedInPlace, writtenByAwk, writtenBySed } from './scriptFiles';
import { archiveFiles, curlFiles, wgetFiles } from './transfers';
import type { ShellWord } from './words';
import { baseName } from './wrappers';

interface Use {
  /** What is done with words that are no options. */
  readonly access: 'read' | 'write';
  /** The last word is written, the others are read. */
  readonly lastWritten?: true;
  readonly firstWritten?: true;
  /** Options with which all words are folders to be made. */
  readonly foldersOnly?: RegExp;
  readonly secondWritten?: true;
  /** The others are changed as well, as `mv` does. */
  readonly alsoSources?: true;
  /** Leading words that are no files: the pattern of grep. `unless` such an option gives it. */
  readonly skip?: number;
  readonly unless?: RegExp;
  /** Options whose next word is no file. */
  readonly valued?: string;
  /** Options whose value is read. */
  readonly reads?: string;
  /** Options whose value is written. */
  readonly writes?: string;
}

const plainRead: Use = { access: 'read' };

const uses: ReadonlyMap<string, Use> = new Map<string, Use>([
  ...'cat tac rev fold nl od hexdump strings md5sum sha1sum sha224sum sha256sum sha384sum sha512sum cksum b2sum cmp comm paste stat df ls file readlink realpath less more bat expand unexpand zcat cd pushd source . lsof which-file ag ack vi vim nvim nano emacs view pico code open xdg-open tig hd batcat pygmentize pv shuf pr fmt ptx look join tsort sum basenc base32 uuencode'
    .split(' ')
    .map((name): [string, Use] => [name, plainRead]),
  ['head', { access: 'read', valued: '-n -c --lines --bytes' }],
  ['tail', { access: 'read', valued: '-n -c -s --lines --bytes --pid' }],
  ['cut', { access: 'read', valued: '-d -f -c -b --delimiter --fields --output-delimiter' }],
  [
    'sort',
    {
      access: 'read',
      valued: '-t -k -S --key --field-separator --buffer-size --parallel',
      writes: '-o --output -T --temporary-directory',
      reads: '--files0-from',
    },
  ],
  ['column', { access: 'read', valued: '-s -o -c -N' }],
  ['tree', { access: 'read', valued: '-L -I -P --filelimit', writes: '-o' }],
  ['base64', { access: 'read', valued: '-w --wrap', writes: '-o --output' }],
  ['date', { access: 'read', valued: '-d --date -s --set', reads: '-r -f --reference --file', skip: 1000 }],
  ['diff', { access: 'read', valued: '-U -C -x -I -W --label', reads: '--from-file --to-file -X' }],
  [
    'grep',
    {
      access: 'read',
      skip: 1,
      unless: /^(-[a-zA-Z]*[ef]|--(regexp|file)(=|$))/,
      valued: '-e -A -B -C -m -d -D --regexp --context --max-count',
      reads: '-f --file',
    },
  ],
  [
    'rg',
    {
      access: 'read',
      skip: 1,
      unless: /^(-[ef]|--(regexp|file|files|type-list)(=|$))/,
      valued: '-e -A -B -C -m -g -t -T -M -r -j -E --glob --type --regexp --iglob --max-depth -d',
      reads: '-f --file --ignore-file',
    },
  ],
  [
    'sed',
    {
      access: 'read',
      skip: 1,
      unless: /^(-[a-zA-Z]*[ef]|--(expression|file)(=|$))/,
      valued: '-e -l --expression',
      reads: '-f --file',
    },
  ],
  ['awk', { access: 'read', skip: 1, unless: /^(-f|--file)/, valued: '-F -v', reads: '-f --file' }],
  [
    'jq',
    {
      access: 'read',
      skip: 1,
      unless: /^(-f|--from-file)/,
      valued: '--arg --argjson --indent',
      reads: '-f --from-file -L',
    },
  ],
  ['fd', { access: 'read', skip: 1, valued: '-e -t -d -E --extension --type --max-depth --exclude --min-depth' }],
  ...'gzip bzip2 xz zstd lz4 dos2unix unix2dos patch ed ex sponge gunzip bunzip2 unxz uncompress mkfifo mknod chattr script'
    .split(' ')
    .map((name): [string, Use] => [name, { access: 'write' }]),
  ['openssl', { access: 'read', skip: 1000, writes: '-out', reads: '-in -inkey -CAfile -kfile' }],
  ['xargs', { access: 'read', skip: 1000, reads: '-a --arg-file' }],
  ['tee', { access: 'write' }],
  ['zip', { access: 'read', firstWritten: true, valued: '-x -i -P -b -t -n' }],
  ['uniq', { access: 'read', secondWritten: true, valued: '-f -s -w' }],
  ['xxd', { access: 'read', secondWritten: true, valued: '-c -g -l -s -n -o' }],
  ['split', { access: 'read', secondWritten: true, valued: '-b -C -l -n -a' }],
  ['csplit', { access: 'read', writes: '-f --prefix', valued: '-b -n', skip: 0 }],
  ['iconv', { access: 'read', writes: '-o --output', valued: '-f -t' }],
  ['gpg', { access: 'read', writes: '-o --output', valued: '-r -u --recipient --homedir' }],
  ['mktemp', { access: 'write', writes: '-p --tmpdir' }],
  ['setfacl', { access: 'write', valued: '-m -x', reads: '-M -X' }],
  ...'gcc g++ cc c++ clang clang++ ld as rustc pandoc strace ltrace'
    .split(' ')
    .map((name): [string, Use] => [name, { access: 'read', skip: 1000, writes: '-o --output' }]),
  ['go', { access: 'read', skip: 1000, writes: '-o' }],
  ['scp', { access: 'read', lastWritten: true, valued: '-P -o -F -c -l -J -S' }],
  ['wc', { access: 'read', reads: '--files0-from' }],
  ['du', { access: 'read', valued: '-d --max-depth --exclude -t', reads: '--files0-from' }],
  ['touch', { access: 'write', valued: '-d -t --date', reads: '-r --reference' }],
  ['mkdir', { access: 'write', valued: '-m --mode' }],
  ['rm', { access: 'write' }],
  ['rmdir', { access: 'write' }],
  ['unlink', { access: 'write' }],
  ['shred', { access: 'write', valued: '-n -s' }],
  ['truncate', { access: 'write', valued: '-s --size', reads: '-r --reference' }],
  ['chmod', { access: 'write', skip: 1 }],
  ['chown', { access: 'write', skip: 1 }],
  ['chgrp', { access: 'write', skip: 1 }],
  ['cp', { access: 'read', lastWritten: true, writes: '-t --target-directory', valued: '-S --suffix' }],
  [
    'mv',
    { access: 'read', lastWritten: true, alsoSources: true, writes: '-t --target-directory', valued: '-S --suffix' },
  ],
  [
    'install',
    {
      access: 'read',
      lastWritten: true,
      foldersOnly: /(^| )(-[A-Za-z]*d|--directory)/,
      writes: '-t --target-directory',
      valued: '-m -o -g -S',
    },
  ],
  ['ln', { access: 'read', lastWritten: true, writes: '-t --target-directory', valued: '-S --suffix' }],
  [
    'rsync',
    {
      access: 'read',
      lastWritten: true,
      valued: '-e --rsh --exclude --include --filter',
      reads: '--files-from --exclude-from --include-from',
      writes: '--log-file --backup-dir --partial-dir',
    },
  ],
]);

const aliases: ReadonlyMap<string, string> = new Map([
  ['egrep', 'grep'],
  ['zgrep', 'grep'],
  ['fgrep', 'grep'],
  ['gawk', 'awk'],
  ['mawk', 'awk'],
  ['fdfind', 'fd'],
  ['yq', 'jq'],
]);

function split(list: string | undefined): readonly string[] {
  return list === undefined || list === '' ? [] : list.split(' ');
}

function stdinFile(name: string): CommandFile {
  return { access: 'write', given: name, values: [], glob: false, unknown: 'the names come from its input' };
}

/** An option's own file: `-o out`, `--output=out`, `-oout`. */
function optionFile(options: {
  readonly word: ShellWord;
  readonly next: ShellWord | undefined;
  readonly names: readonly string[];
  readonly access: 'read' | 'write';
}): { readonly file: CommandFile; readonly usesNext: boolean } | null {
  const { word, next, names, access } = options;
  for (const name of names) {
    if (word.value === name) return next === undefined ? null : { file: file(next, access), usesNext: true };
    if (name.startsWith('--') && word.value.startsWith(`${name}=`))
      return { file: file(word, access, name.length + 1), usesNext: false };
    if (name.length !== 2) continue;
    if (word.value.startsWith(name) && word.value.length > 2) return { file: file(word, access, 2), usesNext: false };
    // At the end of a group of letters: `cp -at dir`.
    const grouped = access === 'write' && /^-[A-Za-z]{2,}$/.test(word.value) && word.value.endsWith(name.slice(1));
    if (grouped && next !== undefined) return { file: file(next, access), usesNext: true };
  }
  return null;
}

function general(words: readonly ShellWord[], use: Use): readonly CommandFile[] {
  const args = words.slice(1);
  const found: CommandFile[] = [];
  const operands: ShellWord[] = [];
  const given = use.unless !== undefined && args.some((word) => use.unless?.test(word.value) === true);
  let skip = given ? 0 : (use.skip ?? 0);
  let ended = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word === undefined) continue;
    const isOption = !ended && word.value.startsWith('-') && word.value !== '-';
    if (!isOption) {
      if (skip > 0) skip--;
      else if (word.value !== '-') operands.push(word);
      continue;
    }
    if (word.value === '--') {
      ended = true;
      continue;
    }
    const next = args[at + 1];
    const written = optionFile({ word, next, names: split(use.writes), access: 'write' });
    const read = written ?? optionFile({ word, next, names: split(use.reads), access: 'read' });
    if (read !== null) {
      found.push(read.file);
      if (read.usesNext) at++;
    } else if (split(use.valued).includes(word.value)) at++;
    else if (!split(use.valued).some((name) => word.value.startsWith(name))) {
      const value = /^--[^=]+=(.*[/~].*)$/s.exec(word.value)?.[1];
      if (value !== undefined) found.push(file(word, 'read', word.value.length - value.length));
    }
  }
  const folders = use.foldersOnly?.test(args.map((word) => word.value).join(' ')) === true;
  if (folders) return [...found, ...operands.map((word) => file(word, 'write'))];
  const last = use.lastWritten === true && operands.length > 1 ? operands.at(-1) : undefined;
  const sources = operands.filter((word) => word !== last);
  const from = sources.flatMap((word) => word.values);
  const names = sources.flatMap((word) => word.values.map(baseName)).filter((name) => name !== '');
  if (use.lastWritten === true)
    for (const [at, one] of found.entries())
      if (one.access === 'write') found[at] = { ...one, into: names, sources: from };
  for (const word of operands) {
    if (word === last) found.push({ ...file(word, 'write'), into: names, sources: from });
    else if (use.secondWritten === true && word === operands[1]) found.push(file(word, 'write'));
    else if (use.firstWritten === true && word === operands[0]) found.push(file(word, 'write'));
    else {
      found.push(file(word, use.access));
      if (use.alsoSources === true) found.push(file(word, 'write'));
    }
  }
  return found;
}

function sedFiles(words: readonly ShellWord[], use: Use): readonly CommandFile[] {
  const inPlace = words.some((word) => /^(-[a-zA-Z]*i|--in-place)/.test(word.value));
  const files = [...general(words, use), ...writtenBySed(words.slice(1))];
  return inPlace ? files.flatMap((one): readonly CommandFile[] => [one, { ...one, access: 'write' }]) : files;
}

/** Programs that change what they are given. */
const changing = /^(rm|rmdir|mv|cp|chmod|chown|chgrp|touch|truncate|shred|unlink|ln)$/;

function findFiles(words: readonly ShellWord[]): readonly CommandFile[] {
  const changes = words.some(
    (word, at) =>
      word.value === '-delete' ||
      (/^-(exec|execdir|ok|okdir)$/.test(word.value) && changing.test(baseName(words[at + 1]?.value ?? ''))),
  );
  const files: CommandFile[] = [];
  const args = words.slice(1);
  const follows = args.some((word) => word.value === '-L' || word.value === '-follow');
  let at = 0;
  while (at < args.length && /^-[HLPO]/.test(args[at]?.value ?? '')) at++;
  for (; at < args.length; at++) {
    const word = args[at];
    if (word === undefined || /^[-(!,)]/.test(word.value)) break;
    files.push(follows ? { ...file(word, 'read'), followsLinks: true } : file(word, 'read'));
    if (changes) files.push(file(word, 'write'));
  }
  for (const [index, word] of args.entries()) {
    const next = args[index + 1];
    if (next === undefined) continue;
    if (/^-(newer\w*|anewer|cnewer|samefile|files0-from)$/.test(word.value)) files.push(file(next, 'read'));
    if (/^-(fprint|fprint0|fprintf|fls)$/.test(word.value)) files.push(file(next, 'write'));
  }
  return files;
}

/** `dd if=a of=b` */
function ddFiles(words: readonly ShellWord[]): readonly CommandFile[] {
  return words.flatMap((word): readonly CommandFile[] => {
    if (word.value.startsWith('of=')) return [file(word, 'write', 3)];
    return word.value.startsWith('if=') ? [file(word, 'read', 3)] : [];
  });
}

/** `[[ … ]]` is one word; its own words are taken as they stand. */
function doubleTestFiles(text: string): readonly CommandFile[] {
  const names = [...text.matchAll(/(?:^|\s)-[a-hkprstuwxLNOGS]\s+("[^"]*"|'[^']*'|[^\s)]+)/g)];
  return names.flatMap((found): readonly CommandFile[] => {
    const given = found[1] ?? '';
    const name = given.replace(/^(["'])(.*)\1$/s, '$2');
    return /[$`\\]/.test(name) ? [] : [{ access: 'read', given, values: [name], glob: false, unknown: null }];
  });
}

function testFiles(words: readonly ShellWord[]): readonly CommandFile[] {
  return words.flatMap((word, at): readonly CommandFile[] => {
    const next = words[at + 1];
    return /^-[a-hkprstuwxLNOGS]$/.test(word.value) && next !== undefined ? [file(next, 'read')] : [];
  });
}

export type { CommandFile } from './fileWords';

/** Programs that go down folders and then follow what links they meet there, which a plain run does not. */
const followingLinks: ReadonlyMap<string, (args: readonly string[]) => boolean> = new Map(
  Object.entries({
    grep: (args: readonly string[]) => args.some((arg) => /^-[a-zA-Z]*R|^--dereference-recursive$/.test(arg)),
    rg: (args: readonly string[]) => args.some((arg) => /^-[a-zA-Z]*L|^--follow$/.test(arg)),
    fd: (args: readonly string[]) => args.some((arg) => /^-[a-zA-Z]*L|^--follow$/.test(arg)),
    tree: (args: readonly string[]) => args.some((arg) => /^-[a-zA-Z]*l/.test(arg)),
    du: (args: readonly string[]) => args.some((arg) => /^-[a-zA-Z]*L|^--dereference$/.test(arg)),
  }),
);

/** Programs that only write into what they are told to write to: into /dev/null that is nothing. */
const fillers: ReadonlySet<string> = new Set(
  'curl wget tee dd sort gcc g++ cc clang clang++ go tree strace'.split(' '),
);

/** Files that a command is known to touch with its arguments. Unknown commands touch none that can be told. */
export function commandFiles(words: readonly ShellWord[], fromInput: boolean): readonly CommandFile[] {
  const files = filesOf(words, fromInput);
  if (!fillers.has(baseName(words[0]?.values[0] ?? ''))) return files;
  return files.filter(
    (one) => one.access === 'read' || one.values.some((value) => value !== '/dev/null') || one.values.length === 0,
  );
}

function filesOf(words: readonly ShellWord[], fromInput: boolean): readonly CommandFile[] {
  const first = words[0]?.values[0] ?? '';
  const written = first.startsWith('[[') ? first : baseName(first);
  const name = aliases.get(written) ?? written;
  switch (name) {
    case 'find':
      return findFiles(words);
    case 'dd':
      return ddFiles(words);
    case 'perl':
    case 'ruby':
      return changedInPlace(name, words.slice(1));
    case 'git':
      return gitFiles(words);
    case 'tar':
    case 'bsdtar':
    case 'unzip':
      return archiveFiles(name, words);
    case 'curl':
      return curlFiles(words);
    case 'wget':
      return wgetFiles(words);
    case 'test':
    case '[':
      return testFiles(words);
    default:
      break;
  }
  if (written.startsWith('[[')) return doubleTestFiles(words[0]?.value ?? '');
  const use = uses.get(name);
  if (use === undefined) return [];
  const args = words.slice(1);
  const scripted = name === 'awk' ? [...writtenByAwk(args), ...changedInPlace('awk', args)] : [];
  const plain = [...(name === 'sed' ? sedFiles(words, use) : general(words, use)), ...scripted];
  const follows = followingLinks.get(name)?.(words.slice(1).map((word) => word.value)) === true;
  const files = follows ? plain.map((one): CommandFile => ({ ...one, followsLinks: true })) : plain;
  const writes = use.access === 'write' || use.lastWritten === true || files.some((one) => one.access === 'write');
  return fromInput && writes ? [...files, stdinFile(name)] : files;
}

/** Programs that let a person or a script change what they open. */
const editors: ReadonlySet<string> = new Set('vi vim nvim nano emacs pico code open xdg-open'.split(' '));

/** Those that have rules of their own here, and parts of the shell that touch no files. */
const understood: ReadonlySet<string> = new Set(
  (
    'find dd perl ruby git tar bsdtar unzip curl wget test [ echo printf export declare local typeset readonly set unset ' +
    'alias unalias true false : return exit kill wait trap sleep shift read getopts umask ulimit hash type command builtin'
  ).split(' '),
);

/** Whether it is known what a program does with files among its arguments. */
export function understands(name: string): boolean {
  return !editors.has(name) && (uses.has(aliases.get(name) ?? name) || understood.has(name)) && name !== 'yq';
}

/** File commands that acceptEdits runs inside the working folders. */
export const editCommands: ReadonlySet<string> = new Set(['mkdir', 'touch', 'rm', 'rmdir', 'mv', 'cp', 'sed']);
