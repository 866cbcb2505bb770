// The sandbox of macOS: a profile in the kernel's own language, in which of all rules that match the last one holds. Unlike
// mounts it goes by names, also by those that do not exist yet.
// The profile is checked as text and by reckoning what its rules say; no macOS was there to try it on.
import { dirname, join } from 'node:path';
import type { SandboxPolicy } from '#shared/api/executor';
import { depth, isInside, type Place, PlaceFinder } from './places';
import { comingRepositories, repositoryPlaces } from './repositories';

/** What every program needs that does nothing outside of itself. */
const base = [
  '(version 1)',
  '(deny default)',
  '(allow process-exec)',
  '(allow process-fork)',
  '(allow process-info* (target same-sandbox))',
  '(allow signal (target same-sandbox))',
  '(allow sysctl-read)',
  '(allow ipc-posix-sem)',
  '(allow ipc-posix-shm)',
  '(allow pseudo-tty)',
  // Names of users, file events, the system log. Nothing that opens programs, types, or reads the key chain.
  '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
  '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.membership"))',
  '(allow mach-lookup (global-name "com.apple.system.notification_center"))',
  '(allow mach-lookup (global-name "com.apple.system.logger"))',
  '(allow mach-lookup (global-name "com.apple.logd"))',
  '(allow mach-lookup (global-name "com.apple.bsd.dirhelper"))',
  '(allow mach-lookup (global-name "com.apple.FSEvents"))',
  '(allow file-read*)',
  '(allow file-write* (literal "/dev/null"))',
  '(allow file-write* (literal "/dev/zero"))',
  '(allow file-write* (literal "/dev/tty"))',
  '(allow file-write* (regex #"^/dev/ttys[0-9]+$"))',
  '(allow file-ioctl (literal "/dev/tty"))',
  '(allow file-ioctl (regex #"^/dev/ttys[0-9]+$"))',
];

const open = [
  '(allow system-socket)',
  '(allow network-outbound (remote ip))',
  '(allow network-bind (local ip))',
  '(allow network-inbound (local ip))',
  // Names are looked up, and certificates checked, by programs of the system.
  '(allow network-outbound (literal "/private/var/run/mDNSResponder"))',
  '(allow mach-lookup (global-name "com.apple.SystemConfiguration.configd"))',
  '(allow mach-lookup (global-name "com.apple.SystemConfiguration.DNSConfiguration"))',
  '(allow mach-lookup (global-name "com.apple.trustd.agent"))',
];
const unixSockets = ['(allow network-outbound (remote unix-socket))', '(allow network-bind (local unix-socket))'];

/** Never writable, even when somebody opens the whole disk as a folder. */
const neverWritable = ['/dev', '/System', '/private/var/run'];

export interface SeatbeltWishes {
  readonly policy: SandboxPolicy;
  /** A folder for the command's temporary files, a real path. */
  readonly temp: string;
  /** Files beside those of the policy that it may write, real paths. */
  readonly alsoWritable: readonly string[];
}

/** A profile, and the links that nothing but a guard can bring back when others are renamed to them. */
export interface SeatbeltPlan {
  readonly profile: string;
  readonly links: readonly string[];
}

/** Reading, writing and reaching out as the policy says; one rule a line. */
export function planSeatbelt({ policy, temp, alsoWritable }: SeatbeltWishes): SeatbeltPlan {
  const finder = new PlaceFinder();
  const reals = (list: readonly string[] = []) => list.flatMap((given) => finder.real(given) ?? []);
  const found = (list: readonly string[]) => list.flatMap((given) => finder.find(given) ?? []);
  const roots = reals(policy.writable).filter(
    (root) => root !== '/' && !neverWritable.some((folder) => isInside(folder, root)),
  );
  const coming = comingRepositories(roots, finder);
  const kept = found([
    ...roots.flatMap((root) => repositoryPlaces(root, finder).map(({ path }) => path)),
    ...(policy.readOnly ?? []).filter((path) => !coming.some((git) => path !== git && isInside(git, path))),
  ]);
  const hidden = found(policy.hidden);
  const hiddenPaths = hidden.map(wholePath);
  const keptPaths = kept.map(wholePath);
  const links = [...kept, ...hidden].flatMap((place) => place.links).filter((link) => isWithin(roots, link));
  const worktrees = roots.filter((root) => keptPaths.some((place) => root.startsWith(`${place}/worktrees/`)));
  const lines = [
    ...base,
    ...byDepth(hiddenPaths, [...roots, ...reals(policy.readable)]).map(({ path, denies }) =>
      denies ? `(deny file-read* ${anyCase(path)})` : allow('file-read*', 'subpath', path),
    ),
    // On the way to what may be read the kernel looks at each folder.
    ...wayTo([...roots, ...reals(policy.readable)], hiddenPaths).map((path) =>
      allow('file-read-metadata', 'literal', path),
    ),
    ...byDepth(hiddenPaths, [...roots, temp]).map(({ path, denies }) =>
      denies ? `(deny file-write* ${anyCase(path)})` : allow('file-write*', 'subpath', path),
    ),
    ...alsoWritable.map((path) => allow('file-write*', 'literal', path)),
    ...keptPaths.map((path) => `(deny file-write* ${anyCase(path)})`),
    ...worktrees.flatMap((root) => [
      allow('file-write*', 'subpath', root),
      ...[...keptPaths, ...hiddenPaths]
        .filter((path) => isInside(root, path))
        .map((path) => `(deny file-write* ${anyCase(path)})`),
    ]),
    ...[...new Set(links)].map((path) => `(deny file-write* ${anyCase(path)})`),
    // Renaming a folder takes away all that lies in it.
    ...ancestors([...keptPaths, ...hiddenPaths, ...links], roots).map(
      (path) => `(deny file-write-unlink ${anyCase(path, 'alone')})`,
    ),
    ...(policy.network === 'open' ? open : []),
    ...(policy.unixSockets === true ? unixSockets : []),
  ];
  return { profile: lines.filter((line) => line !== '').join('\n'), links: [...new Set(links)] };
}

/** From the outside in; of two that are the same the denying one is the last. */
function byDepth(denied: readonly string[], allowed: readonly string[]) {
  return [...allowed.map((path) => ({ path, denies: false })), ...denied.map((path) => ({ path, denies: true }))].sort(
    (left, right) => depth(left.path) - depth(right.path) || Number(left.denies) - Number(right.denies),
  );
}

function wholePath({ real, missing }: Place): string {
  return join(real, ...missing);
}

function isWithin(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => isInside(folder, path));
}

/** Folders that hold one of the paths and lie in one of the writable ones. */
function ancestors(paths: readonly string[], roots: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const path of paths) for (let at = dirname(path); isWithin(roots, at); at = dirname(at)) found.add(at);
  return [...found].sort();
}

/** Hidden folders on the way to something that is shown. */
function wayTo(shown: readonly string[], hidden: readonly string[]): readonly string[] {
  return ancestors(
    shown.filter((path) => hidden.some((folder) => folder !== path && isInside(folder, path))),
    hidden,
  );
}

/** Empty for a path that cannot be written in a profile: then nothing is allowed. */
function allow(what: string, how: 'subpath' | 'literal', path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  if (/[\u0000-\u001f\u007f]/.test(path)) return '';
  return `(allow ${what} (${how} "${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"))`;
}

/**
 * A path with all that lies in it, or alone, however its letters are written: most disks of macOS do not tell case or forms
 * of accents apart. What cannot be written in a pattern matches any character.
 */
function anyCase(path: string, how: 'within' | 'alone' = 'within'): string {
  const pattern = [...path].map((character) => {
    if (/[a-z]/i.test(character)) return `[${character.toLowerCase()}${character.toUpperCase()}]`;
    if (/[\w/ -]/.test(character)) return character;
    if (/[.+*?(){}|$]/.test(character)) return `[${character}]`;
    return character.charCodeAt(0) < 0x80 ? '[^/]' : '[^/]+';
  });
  return `(regex #"^${pattern.join('').replaceAll(/(?:\[\^\/\]\+)+/g, '[^/]+')}${how === 'within' ? '(/|$)' : '$'}")`;
}
