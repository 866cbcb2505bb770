// Which parts of the file system a sandboxed command sees and may write, as bubblewrap arguments. The order counts: empty
// places first, then from the outside in, so that the more specific one holds.
import { dirname, join } from 'node:path';
import type { SandboxPolicy } from '#shared/api/executor';
import { kernelOrders } from './kernelOrders';
import { emptyFolderArgs } from './limits';
import { depth, isInside, type Place, PlaceFinder } from './places';
import { comingRepositories, type KeptPlace, repositoryPlaces } from './repositories';
import { ViewOfPlaces } from './viewOfPlaces';

/** Replaced by empty folders, because sockets in them (session bus, Docker, X11, agents) reach out of any sandbox. */
const emptied = ['/tmp', '/run'];
/** Never bound writable, even when somebody opens the whole disk as a folder. */
const neverWritable = new Set(['/', ...emptied]);
/** Nor anything in these: what the kernel takes orders through. */
const kernelFolders = ['/dev', '/proc', '/sys'];

/** How a command's file system is put together. */
export interface MountPlan {
  readonly args: string[];
  /** What is mounted over, by itself; some may be placeholders that another command has made. */
  readonly mounted: readonly string[];
  /** Those of them that protect something in a folder that may be written. */
  readonly protecting: readonly string[];
  /** Links on the way to protected places, in folders that may be written: no mount can hold a link. */
  readonly links: readonly string[];
}

export interface MountWishes {
  readonly policy: SandboxPolicy;
  /** A real path. */
  readonly cwd: string;
  /** One that has to be seen wherever it is installed. */
  readonly program?: string | undefined;
  /** Whether this bubblewrap can limit the folders that it makes. */
  readonly sizes: boolean;
  /**
   * Makes an empty file or folder for as long as the command runs: a name that is not there cannot be mounted over, and
   * the command could make it. False: it cannot be made here, so neither can the command.
   */
  readonly makePlaceholder: (place: KeptPlace) => boolean;
}

/** Plans for one command. */
export function planMounts({ policy, cwd, program, sizes, makePlaceholder }: MountWishes): MountPlan {
  const finder = new PlaceFinder();
  const writable = policy.writable.flatMap((given) => {
    const real = finder.real(given);
    const refused = real === undefined || neverWritable.has(real) || isOfKernel(real);
    return refused ? [] : [{ given, real }];
  });
  const roots = writable.map(({ real }) => real);
  const kept = [
    ...roots.flatMap((root) => repositoryPlaces(root, finder)),
    ...withoutComingRepositories(policy.readOnly ?? [], roots, finder).map(asFolder),
  ];
  const placed = (list: readonly KeptPlace[]) =>
    list.flatMap(({ path, shape }) => {
      const place = finder.find(path);
      return place === undefined || isOfKernel(place.real) ? [] : [{ place, shape }];
    });
  const keptPlaces = placed(kept);
  const hiddenPlaces = placed(policy.hidden.map(asFolder));
  const readable = (policy.readable ?? []).flatMap((given) => {
    const real = finder.real(given);
    return real === undefined || isOfKernel(real) ? [] : [real];
  });
  const seen = [
    ...(isEmptied(cwd) ? [cwd] : []),
    ...(program === undefined ? [] : installed(program, finder).filter(isEmptied)),
    ...(policy.network === 'open' ? resolver(finder) : []),
  ];
  const view = new ViewOfPlaces({
    writable: roots,
    shown: [...readable, ...seen],
    hidden: [...emptied, ...hiddenPlaces.map(({ place }) => wholePath(place))],
    readOnly: keptPlaces.map(({ place }) => wholePath(place)),
  });

  const nodes = new Set([...roots, ...readable, ...seen]);
  const pinned = new Set<string>();
  const placeholders = new Map<string, 'folder' | 'file'>();
  const links = new Set<string>();
  /** Folders between the writable one and the place are mount points too, so that none is renamed out of the way. */
  const pin = (path: string) => {
    for (let at = dirname(path); view.stateOf(at) === 'writable'; at = dirname(at)) pinned.add(at);
  };
  for (const { place, shape } of [...keptPlaces, ...hiddenPlaces]) {
    for (const link of place.links.filter((path) => view.stateOf(dirname(path)) === 'writable')) {
      links.add(link);
      pin(link);
    }
    if (place.missing.length > 0 && view.stateOf(place.real) !== 'writable') continue;
    if (place.missing.length > 0 && place.kind === 'other') {
      // A file where the way to the place would lead: it must stay one.
      pinned.add(place.real);
      pin(place.real);
      continue;
    }
    // What surrounds it is kept as well, so nothing can be made there; Gatehouse itself may, and then it must find the place free.
    if (place.missing.length > 0 && view.stateOf(dirname(wholePath(place))) !== 'writable') continue;
    const missing = missingOf(place, shape);
    const made = missing.filter((each) => placeholders.has(each.path) || makePlaceholder(each));
    if (made.length < missing.length) continue;
    for (const each of made) placeholders.set(each.path, each.shape);
    const path = wholePath(place);
    nodes.add(path);
    pin(path);
  }

  const mounted = [...new Set([...nodes, ...pinned])]
    .filter((path) => pinned.has(path) || view.stateOf(path) !== view.stateOf(dirname(path)))
    .sort((left, right) => depth(left) - depth(right) || (left < right ? -1 : 1));
  const hiddenFolders: string[] = [];
  const mounts = mounted.flatMap((path) => {
    const state = view.stateOf(path);
    if (state !== 'hidden') return [state === 'writable' ? '--bind' : '--ro-bind', path, path];
    const isFolder = finder.exists(path) ? finder.isFolder(path) : placeholders.get(path) === 'folder';
    if (!isFolder) return ['--ro-bind', '/dev/null', path];
    hiddenFolders.push(path);
    return ['--tmpfs', path];
  });
  const renamed = writable.filter(({ given, real }) => given !== real && isEmptied(given));
  return {
    args: [
      ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
      ...kernelOrders().flatMap((path) => ['--ro-bind', path, path]),
      ...emptyFolderArgs(emptied, { limits: policy.limits, sizes }),
      ...renamed.flatMap(({ given, real }) => ['--symlink', real, given]),
      ...mounts,
      // At the end: what is shown within them has to be put there first.
      ...hiddenFolders.flatMap((path) => ['--remount-ro', path]),
    ],
    mounted,
    protecting: mounted.filter((path) => view.stateOf(dirname(path)) === 'writable'),
    links: [...links],
  };
}

const asFolder = (path: string): KeptPlace => ({ path, shape: 'folder' });

/** A repository that is yet to be made is looked at afterwards: a placeholder would keep git from making it. */
function withoutComingRepositories(
  places: readonly string[],
  roots: readonly string[],
  finder: PlaceFinder,
): readonly string[] {
  const coming = comingRepositories(roots, finder);
  return places.filter((path) => !coming.some((git) => path !== git && isInside(git, path)));
}

function wholePath({ real, missing }: Place): string {
  return join(real, ...missing);
}

/** What has to be made, outermost first. */
function missingOf({ real, missing }: Place, shape: KeptPlace['shape']): KeptPlace[] {
  return missing.map((_, index) => ({
    path: join(real, ...missing.slice(0, index + 1)),
    shape: index === missing.length - 1 ? shape : 'folder',
  }));
}

/** The folders that a program needs to be seen with: its package folder `node_modules`, else the one it lies in. */
function installed(program: string, finder: PlaceFinder): string[] {
  const given = dirname(program);
  const real = dirname(finder.real(program) ?? program);
  return [...new Set([given, real].map((folder) => /^.*?\/node_modules(?=\/|$)/.exec(folder)?.[0] ?? folder))];
}

/** The resolver's file often is a link into /run, which is emptied. */
function resolver(finder: PlaceFinder): string[] {
  const real = finder.real('/etc/resolv.conf');
  return real !== undefined && isEmptied(dirname(real)) ? [real] : [];
}

function isEmptied(path: string): boolean {
  return emptied.some((folder) => isInside(folder, path));
}

function isOfKernel(path: string): boolean {
  return kernelFolders.some((folder) => isInside(folder, path));
}
