// Names of files that decide what runs later or what the agent itself may do, however they are written.
import { isInside } from './paths';

/** What a guarded file steers. The first four are the agent's own limits. */
export type Steers = 'rules' | 'servers' | 'hooks' | 'definitions' | 'memory' | 'git' | 'shell' | 'later';

export interface Guard {
  /** The folder or file that is protected, as written. */
  readonly name: string;
  readonly steers: Steers;
  /** Written in other letters than the name has: some disks take it for the same, and people read it as the same. */
  readonly disguised: boolean;
}

const effects: Readonly<Record<Steers, string>> = {
  rules: 'it holds the agent’s own rules, hooks and sandbox settings, so a change decides what the agent may do',
  servers: 'it says which MCP servers start, with your rights and outside of the sandbox',
  hooks: 'hooks run it by themselves, outside of the sandbox',
  definitions: 'it defines commands, skills or agents, which bring rules and hooks of their own',
  memory: 'it is read as instructions in every later session',
  git: 'it decides what git runs by itself',
  shell: 'every new shell runs it',
  later: 'it decides what runs later',
};

/** Why a change of a guarded file is put before a person, as a sentence. `given` is the file as the call names it. */
export function guardText(given: string, guard: Guard): string {
  const name = guard.disguised ? `${guard.name}, in letters that some disks take for the same` : guard.name;
  return `${given} is protected (${name}): ${effects[guard.steers]}.`;
}

/** Whether a change would move the agent's own limits. Those are asked for in bypass mode too: they outlast it. */
export function isOwnLimit(steers: Steers): boolean {
  return steers === 'rules' || steers === 'servers' || steers === 'hooks' || steers === 'definitions';
}

function table(steers: Steers, names: string): readonly (readonly [string, Steers])[] {
  return names.split(' ').map((name) => [name, steers] as const);
}

const folders: ReadonlyMap<string, Steers> = new Map([
  ...table('rules', '.claude'),
  ...table('git', '.git .husky'),
  ...table('later', '.vscode .idea .cargo .devcontainer .yarn .mvn'),
]);

const files: ReadonlyMap<string, Steers> = new Map([
  ...table('servers', '.mcp.json .claude.json'),
  ...table('memory', 'claude.md claude.local.md'),
  ...table('git', '.gitconfig .gitmodules .pre-commit-config.yaml'),
  ...table('shell', '.bashrc .bash_profile .bash_login .bash_aliases .bash_logout .zshrc .zprofile .zshenv .zlogin'),
  ...table('shell', '.zlogout .profile .envrc'),
  ...table('later', '.npmrc .yarnrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs bunfig.toml .bunfig.toml'),
  ...table('later', '.bazelrc .bazelversion .bazeliskrc gradle-wrapper.properties maven-wrapper.properties'),
  ...table('later', '.devcontainer.json .ripgreprc pyrightconfig.json'),
]);

const lefthookFile = /^\.?lefthook(-local)?\.(ya?ml|toml|jsonc?)$/;

/** What a name below `.claude` steers. */
function belowConfig(next: string | undefined): Steers {
  if (next === undefined || /^settings(\.local)?\.json$/.test(next)) return 'rules';
  if (next === 'hooks') return 'hooks';
  if (/^(agents|commands|skills|plugins)$/.test(next)) return 'definitions';
  return next === 'rules' || files.get(next) === 'memory' ? 'memory' : 'later';
}

/** Letters of other scripts that look like those of the names, in pairs. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  'аaсcеeоoрpхxуyіiѕsԁdһhјjӏlԛqѡwіiνvοoαaιiρpκkτtυuıiɡgɑaոnսuգq'.match(/../gu)?.map((pair): [string, string] => {
    const [strange = '', plain = ''] = [...pair];
    return [strange, plain];
  }),
);

/** Characters that some disks leave out of names, and that nobody sees. */
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/** How Windows may call a long name as well: `.mcp.json` → `mcp~1.jso`. */
function shortOf(name: string): string {
  const bare = name.replace(/^\.+/, '');
  const dot = bare.lastIndexOf('.');
  const stem = (dot === -1 ? bare : bare.slice(0, dot)).replaceAll('.', '').slice(0, 6);
  return dot === -1 ? stem : `${stem}.${bare.slice(dot + 1, dot + 4)}`;
}

const shortNames: ReadonlyMap<string, string> = new Map(
  [...folders.keys(), ...files.keys()].filter((name) => name.startsWith('.')).map((name) => [shortOf(name), name]),
);

const ordinary = /^[\w.+@-]*[\w+@-]$/;

/** A name as every disk and reader may take it: small letters, without what is ignored or only looks different. */
function plainName(name: string): string {
  if (ordinary.test(name)) return name.toLowerCase();
  const composed = name
    .normalize('NFKC')
    .replace(ignorable, '')
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '');
  // Both ways, because some letters have their small form only by way of the large one.
  const small = composed.toUpperCase().toLowerCase();
  const letters = [...small].map((letter) => lookAlikes.get(letter) ?? letter).join('');
  const short = /^([^~]{1,6})~\d{1,6}((?:\.[^.]{1,3})?)$/.exec(letters);
  return short === null ? letters : (shortNames.get(`${short[1] ?? ''}${short[2] ?? ''}`) ?? letters);
}

/**
 * The protected folder or file that a path belongs to, or null. Such files decide what runs later, so a change is
 * always put before a person. `within` is the working folder it lies in: names above it do not count. Names are
 * compared without case and in all their spellings, because a disk may not tell them apart.
 */
export function guardedName(path: string, within: string | null): Guard | null {
  const relative = within !== null && isInside(path, within) ? path.slice(within.length) : path;
  const names = relative.split('/').filter((name) => name !== '');
  const plain = names.map(plainName);
  const guard = (at: number, steers: Steers): Guard => {
    const name = names[at] ?? '';
    return { name, steers, disguised: plain[at] !== name.toLowerCase() };
  };
  for (const [at, name] of plain.entries()) {
    if (name === '.claude') {
      if (plain[at + 1] === 'worktrees') continue;
      return guard(at, belowConfig(plain[at + 1]));
    }
    const steers = folders.get(name);
    if (steers !== undefined) return guard(at, steers);
    if (name === '.config' && plain[at + 1] === 'git') return { ...guard(at, 'git'), name: '.config/git' };
  }
  const last = plain.length - 1;
  const name = plain[last];
  if (name === undefined) return null;
  const steers = files.get(name) ?? (lefthookFile.test(name) ? 'git' : undefined);
  return steers === undefined ? null : guard(last, steers);
}

/** The same for what lies in a folder that plays the part of `.claude`, by its names behind that folder. */
export function guardBelowConfig(names: readonly string[], shown: string): Guard | null {
  const [next] = names.map(plainName);
  return next === 'worktrees' ? null : { name: shown, steers: belowConfig(next), disguised: false };
}
