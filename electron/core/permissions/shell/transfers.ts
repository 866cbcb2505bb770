// Files of programs that pack, unpack and fetch: known where the words say them, else unknown.
import { type CommandFile, file, uncertainty } from './fileWords';
import type { ShellWord } from './words';

const here: CommandFile = { access: 'write', given: '.', values: ['.'], glob: false, unknown: null };

function notTold(name: string, why: string): CommandFile {
  return { access: 'write', given: name, values: [], glob: false, unknown: why };
}

/** Finds an option's value: `-o x`, `-ox`, `--output x`, `--output=x`, also at the end of a group of letters. */
function optionFiles(words: readonly ShellWord[], letter: string | null, long: string): readonly CommandFile[] {
  const found: CommandFile[] = [];
  for (const [at, word] of words.entries()) {
    const next = words[at + 1];
    const { value } = word;
    const group = letter === null ? undefined : new RegExp(`^-[A-Za-z]*?${letter}`).exec(value)?.[0];
    if (value === `--${long}` || (group !== undefined && group.length === value.length)) {
      if (next !== undefined) found.push(file(next, 'write'));
    } else if (value.startsWith(`--${long}=`)) found.push(file(word, 'write', long.length + 3));
    else if (group !== undefined && !value.startsWith('--')) found.push(file(word, 'write', group.length));
  }
  return found;
}

/** Archives: what is packed is read; what is unpacked lands where only the archive says. */
export function archiveFiles(name: string, words: readonly ShellWord[]): readonly CommandFile[] {
  const args = words.slice(1);
  const [first, ...rest] = args;
  if (name === 'unzip') {
    const only = args.some((word) => /^-[a-zA-Z]*[lptvzZ]/.test(word.value));
    const archive = args.find((word) => !word.value.startsWith('-'));
    const read = archive === undefined ? [] : [file(archive, 'read')];
    if (only) return read;
    const folder = optionFiles(args, 'd', 'd');
    return [...read, ...(folder.length > 0 ? folder : [here]), notTold(name, 'what the archive holds is not known')];
  }
  // Old style: `tar xzf a.tgz`, the values follow in the order of the letters.
  const old = first !== undefined && /^[A-Za-z]+$/.test(first.value) ? first.value : '';
  const letters = old + args.flatMap((word) => /^-([A-Za-z]+)/.exec(word.value)?.[1] ?? []).join('');
  const long = (option: string) => args.some((word) => word.value === `--${option}`);
  const unpacks = letters.includes('x') || long('extract') || long('get');
  const lists = letters.includes('t') || long('list');
  const access = unpacks || lists ? 'read' : 'write';
  const archive = old.includes('f')
    ? rest.slice(0, 1).map((word) => file(word, access))
    : optionFiles(args, 'f', 'file');
  const folder = optionFiles(args, 'C', 'directory');
  const files = archive.map((one) => ({ ...one, access }) as const);
  if (unpacks) {
    const toOutput = letters.includes('O') || long('to-stdout');
    const unknown = toOutput ? [] : [notTold(name, 'what the archive holds is not known')];
    return [...files, ...(folder.length > 0 ? folder : [here]), ...unknown];
  }
  const skipped = new Set([...files, ...folder].map((one) => one.given));
  const packed = (old === '' ? args : rest).filter((word) => !word.value.startsWith('-') && !skipped.has(word.text));
  return [
    ...files,
    ...folder.map((one): CommandFile => ({ ...one, access: 'read' })),
    ...packed.map((word) => file(word, 'read')),
  ];
}

/** The last name of an address. */
function remoteName(word: ShellWord, otherwise: string): CommandFile {
  const values = word.values.map((value) => {
    const path = value.replace(/^[a-z]+:\/\//i, '').replace(/[?#].*$/s, '');
    const slash = path.lastIndexOf('/');
    return slash === -1 || slash === path.length - 1 ? otherwise : path.slice(slash + 1);
  });
  return { access: 'write', given: word.text, values, glob: false, unknown: uncertainty(word, []) };
}

const sentFile = /^(?:(?:-d|-F|--data[\w-]*|--form|--json)=?)?(?:[^=@]*=|[\w-]+(?=@))?[@<](.+)$/s;

const curlValued =
  /^(-[A-Za-z]*[XHdFuAebmxrECtyYzQPUBwhi]|--(request|header|data[\w-]*|form[\w-]*|user|user-agent|referer|cookie|max-time|proxy|range|cert|key|retry|url-query|json|connect-timeout|resolve|cacert))$/;

/** `file:` addresses read the disk. */
function localFiles(args: readonly ShellWord[]): readonly CommandFile[] {
  return args.flatMap((word): readonly CommandFile[] => {
    const paths = word.values.flatMap((value) => /^file:(?:\/\/[^/]*)?(\/.*)$/i.exec(value)?.[1] ?? []);
    return paths.length === 0 ? [] : [{ ...file(word, 'read'), values: paths, glob: false }];
  });
}

/** Downloads of curl, and what it sends. */
export function curlFiles(words: readonly ShellWord[]): readonly CommandFile[] {
  const args = words.slice(1);
  const found: CommandFile[] = [
    ...optionFiles(args, 'o', 'output'),
    ...optionFiles(args, 'D', 'dump-header'),
    ...optionFiles(args, 'c', 'cookie-jar'),
    ...['trace', 'trace-ascii', 'stderr', 'etag-save', 'libcurl', 'hsts', 'alt-svc'].flatMap((long) =>
      optionFiles(args, null, long).filter((one) => one.given !== '-' && one.given !== '%'),
    ),
    ...args.flatMap((word) =>
      [...word.value.matchAll(/%output\{(?:>>)?([^}]+)\}/g)].map(
        (one): CommandFile => ({ access: 'write', given: one[0], values: [one[1] ?? ''], glob: false, unknown: null }),
      ),
    ),
    ...localFiles(args),
  ];
  const folder = optionFiles(args, null, 'output-dir');
  found.push(...folder);
  for (const one of [
    ...optionFiles(args, 'T', 'upload-file'),
    ...optionFiles(args, 'K', 'config'),
    ...optionFiles(args, null, 'netrc-file'),
    ...optionFiles(args, null, 'etag-compare'),
    // A cookie that is no `name=value` is a file.
    ...optionFiles(args, 'b', 'cookie').filter((one) => !one.given.includes('=')),
  ])
    found.push({ ...one, access: 'read' });
  const short = args.flatMap((word) => /^-([A-Za-z#]+)$/.exec(word.value)?.[1] ?? []).join('');
  const names = short.includes('O') || args.some((word) => /^--remote-name(-all)?$/.test(word.value));
  if (short.includes('K') || args.some((word) => /^--config(=|$)/.test(word.value)))
    found.push(notTold('curl', 'its configuration file may name any file'));
  if (names && (short.includes('J') || args.some((word) => word.value === '--remote-header-name')))
    found.push(notTold('curl', 'the server chooses the name'));
  for (const [at, word] of args.entries()) {
    // `-d @file`, `-F x=@file`: what is sent is read.
    const sent = word.values.flatMap((value) => sentFile.exec(value)?.[1]?.replace(/;.*$/s, '') ?? []);
    if (sent.length > 0 && sent[0] !== '-') found.push({ ...file(word, 'read'), values: sent, glob: false });
    const isValue = at > 0 && curlValued.test(args[at - 1]?.value ?? '');
    if (names && !word.value.startsWith('-') && !isValue) {
      const name = remoteName(word, 'curl_response');
      found.push(name);
      for (const one of folder) found.push({ ...one, into: name.values });
    }
  }
  return found;
}

/** Downloads of wget. */
export function wgetFiles(words: readonly ShellWord[]): readonly CommandFile[] {
  const args = words.slice(1);
  const output = optionFiles(args, 'O', 'output-document');
  const folder = optionFiles(args, 'P', 'directory-prefix');
  const found: CommandFile[] = [
    ...output,
    ...folder,
    ...optionFiles(args, 'o', 'output-file'),
    ...optionFiles(args, 'a', 'append-output'),
    ...optionFiles(args, null, 'save-cookies'),
  ];
  for (const one of [
    ...optionFiles(args, 'i', 'input-file'),
    ...optionFiles(args, null, 'post-file'),
    ...optionFiles(args, null, 'body-file'),
    ...optionFiles(args, null, 'load-cookies'),
  ])
    found.push({ ...one, access: 'read' });
  if (output.length > 0) return found;
  if (
    args.some((word) =>
      /^(-[A-Za-z]*[rmpi]|--(recursive|mirror|page-requisites|input-file|content-disposition|trust-server-names))/.test(
        word.value,
      ),
    )
  )
    return [...found, notTold('wget', 'what it saves is not known')];
  const names = args
    .filter((word) => /^[a-z]+:\/\/|^[\w-]+(\.[\w-]+)+(\/|$)/i.test(word.value))
    .map((word) => remoteName(word, 'index.html'));
  if (folder.length === 0) return [...found, ...names];
  return [...found, ...folder.map((one) => ({ ...one, into: names.flatMap((name) => name.values) }))];
}
