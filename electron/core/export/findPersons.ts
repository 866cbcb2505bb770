// Where a text tells who sits here: e-mail addresses, the home folder, the user's name in paths.
import type { Finding } from './finding';

export interface Places {
  /** The person's home folder, absolute. */
  readonly home: string;
  /** Working folders and the like, absolute: what lies above their last name is nobody's business either. */
  readonly folders: readonly string[];
}

/** Names that many computers have; they tell of nobody. */
const commonNames: ReadonlySet<string> = new Set(
  'root user users home node app admin src dev test tests runner ubuntu debian vscode www data work workspace public shared default'.split(
    ' ',
  ),
);
const email =
  /(?<![\w.%+-])[A-Za-z0-9_][\w.%+-]{0,63}@(?!\dx\.)((?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.){1,8}[A-Za-z]{2,24})(?![\w-]|\.\w)/g;
/** Domains for examples (RFC 2606), units of a service manager. */
const noPersonsDomain =
  /(?:^|\.)(?:example\.(?:com|org|net)|example|test|invalid|localhost)$|\.(?:service|socket|timer|target|mount)$/i;
const noPerson = /^(?:git|noreply|no-reply|\d+\+[\w-]+)@/i;

/** A search for all that tells of a person; made once for many texts. */
export function personFinder({ home, folders }: Places): (text: string) => Finding[] {
  const homeNames = namesOf(home);
  const user = homeNames.at(-1) ?? '';
  const searches: ((text: string) => Iterable<Finding>)[] = [emails, homesOfOthers];
  if (homeNames.length > 1 || user === 'root') searches.push(folderSearch(home, { kind: 'home folder', shown: '~' }));
  for (const folder of new Set(folders.slice(0, 200))) {
    const names = namesOf(folder);
    if (names.length > 1) searches.push(folderSearch(folder, { kind: 'working folder', shown: `…/${names.at(-1)}` }));
  }
  if (user.length > 1 && !commonNames.has(user.toLowerCase())) searches.push(userSearch(user));
  // Whoever is told of is told of in an address or in a path.
  return (text) => (/[@/\\~-]/.test(text) ? searches.flatMap((search) => [...search(text)]) : []);
}

function namesOf(path: string): readonly string[] {
  return path.split(/[\\/]+/).filter((name) => name !== '' && !/^[A-Za-z]:$/.test(name));
}

function* emails(text: string): Generator<Finding> {
  if (!text.includes('@')) return;
  for (const found of text.matchAll(email)) {
    if (noPersonsDomain.test(found[1] ?? '') || noPerson.test(found[0])) continue;
    yield { start: found.index, end: found.index + found[0].length, kind: 'e-mail address', shown: '[e-mail]' };
  }
}

function* homesOfOthers(text: string): Generator<Finding> {
  for (const found of text.matchAll(
    /(?<=^|[^\w.-]|-[A-Z]|\/[a-z])[\\/](?:home|Users)[\\/]{1,2}([^\s\\/"'`:;,<>|()*$]{1,64})/g,
  )) {
    const name = found[1] ?? '';
    if (name.startsWith('[') || commonNames.has(name.toLowerCase()) || /^\.+$/.test(name)) continue;
    const end = found.index + found[0].length;
    yield { start: end - name.length, end, kind: 'user name', shown: '[user]' };
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\-]/g, String.raw`\$&`);
}

/** A folder as a text may write it: with either slash, and with slashes doubled within a string of a language. */
function folderSearch(folder: string, as: { kind: string; shown: string }): (text: string) => Iterable<Finding> {
  const isWindows = /^[A-Za-z]:/.test(folder);
  const slash = String.raw`[\\/]{1,2}`;
  const body = namesOf(folder).map(escaped).join(slash);
  const head = isWindows ? `${folder.slice(0, 1)}:${slash}` : '/';
  const search = new RegExp(String.raw`(?<![\w.~…-])${head}${body}(?![\w-]|\.\w)`, isWindows ? 'gi' : 'g');
  return function* (text) {
    for (const found of text.matchAll(search)) yield { start: found.index, end: found.index + found[0].length, ...as };
  };
}

/** The user's name as one name of a path, in a folder name made of a path (`-home-ada-app`), and before `@host`. */
function userSearch(user: string): (text: string) => Iterable<Finding> {
  const name = escaped(user);
  const search = new RegExp(
    String.raw`(?<=[\\/]|-(?:home|Users)-)${name}(?=[\\/]|-|[\s"'\`:;,)]|$)|(?<![\w.-])${name}(?=@[A-Za-z][\w.-]{0,60}:)|(?<=~)${name}(?=[\\/])`,
    'g',
  );
  return function* (text) {
    for (const found of text.matchAll(search))
      yield { start: found.index, end: found.index + found[0].length, kind: 'user name', shown: '[user]' };
  };
}
