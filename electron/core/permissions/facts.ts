// Gathers what a call will touch: takes shell lines apart and follows paths on the disk. All I/O of a decision is here.
import { posix } from 'node:path';
import type { CallFacts, CommandFact, FileFact } from './callFacts';
import { criticalRemoval } from './critical';
import { type FileView, rememberingView } from './fileView';
import { Gathering, type Place, type PlaceOnDisk, rootOf } from './gathering';
import { guardedName } from './guardedNames';
import { normaliseBlanks } from './matchCommand';
import { normaliseHost } from './matchHost';
import { type Look, type Mention, mentionInCode, mentionInInput, mentionOf } from './mentions';
import { expandPattern, fold, isInside, isPattern, resolvePath, toEnginePath } from './paths';
import type { PermissionRequest } from './permissionRequest';
import { judgeReadOnly } from './readOnly';
import { analyseShell, denyForms, maxCommandLength, type ShellAnalysis, type ShellLine } from './shell/analyse';
import { isSafeAssignment } from './shell/assignments';
import { type CommandFile, commandFiles, editCommands } from './shell/commandFiles';
import { secondParser } from './shell/treeSitter';
import type { ShellPart, ShellRedirect } from './shell/walk';
import type { ShellWord } from './shell/words';
import { baseName, exactOnlyReason, unwrapForAllow } from './shell/wrappers';

export { type Place, spellingsOf } from './gathering';

/** More files than this behind one pattern are not looked at one by one. */
const maxExpanded = 300;

type FileStart = Pick<FileFact, 'access' | 'from' | 'command' | 'given' | 'nested'> & { readonly personOnly?: boolean };

function knownFile(path: string, start: FileStart, gathering: Gathering): FileFact {
  const { real, spellings } = resolvePath(path, gathering.view);
  const roots = spellings.map((spelling) => rootOf(spelling, gathering));
  const names = spellings.map((spelling, index) => guardedName(spelling, roots[index] ?? null));
  const looksAtIt = gathering.toolName === 'Read' && start.from === 'tool' && start.access === 'read';
  const ownResult = looksAtIt && gathering.isOwnResult(path, real);
  const inData = spellings.some((one) => gathering.dataFolders.some((folder) => isInside(fold(one, true), folder)));
  return {
    ...start,
    personOnly: start.personOnly ?? false,
    real,
    spellings,
    unknown: null,
    inside: rootOf(path, gathering) !== null && rootOf(real, gathering) !== null,
    // What lies behind links is looked up for changes alone: each look costs a walk on the disk.
    protected:
      names.find((name) => name !== null) ?? (start.access === 'write' ? gathering.steering.guard(spellings) : null),
    private: (inData && !ownResult) || spellings.some((spelling) => gathering.privates.has(fold(spelling, true))),
    ownResult,
  };
}

function unknownFile(why: string, start: FileStart): FileFact {
  return {
    ...start,
    personOnly: start.personOnly ?? false,
    real: '',
    spellings: [],
    unknown: why,
    inside: false,
    protected: null,
    private: false,
    ownResult: false,
  };
}

function isFolder(path: string, gathering: Gathering): boolean {
  return gathering.view.kind(resolvePath(path, gathering.view).real) === 'folder';
}

/** More names than this below a folder are not looked through for links. */
const maxLookedThrough = 2_000;

/** Links below a folder; null when there is too much to look through. */
function linksBelow(folder: string, view: FileView): readonly string[] | null {
  const links: string[] = [];
  const folders = [folder];
  let looked = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop())
    for (const name of view.kind(at) === 'folder' ? view.names(at) : []) {
      if (++looked > maxLookedThrough) return null;
      const path = posix.join(at, name);
      const kind = view.kind(path);
      if (kind === 'link') links.push(path);
      else if (kind === 'folder') folders.push(path);
    }
  return links;
}

/** Guarded names that come along with folders' contents: `cp -r a/. b`, `mv a/.* b`. */
function guardedNamesIn(sources: readonly string[], folder: string, view: FileView): readonly string[] {
  const names = sources.flatMap((source) => {
    const path = posix.resolve(folder, source);
    if (isPattern(source)) return (expandPattern(path, view, maxExpanded) ?? []).map((one) => posix.basename(one));
    return /(^|\/)\.{0,2}$/.test(source) ? view.names(resolvePath(path, view).real) : [];
  });
  return [...new Set(names)].filter((name) => guardedName(`/${name}`, null) !== null);
}

/** Files that a word of the shell may mean. Patterns are looked up on the disk, so that a refusal cannot be globbed round. */
function shellFiles(options: {
  readonly values: readonly string[];
  readonly glob: boolean;
  /** Names that land in it, if it is a folder. */
  readonly into?: readonly string[];
  /** What they come from, as written. */
  readonly sources?: readonly string[];
  /** Links below it are followed. */
  readonly followsLinks?: boolean;
  readonly cwds: readonly string[] | null;
  readonly unknown: string | null;
  readonly start: FileStart;
  readonly gathering: Gathering;
}): readonly FileFact[] {
  const { values, glob, cwds, start, gathering } = options;
  const found: FileFact[] = [];
  let { unknown } = options;
  // A folder that is not known may still be the first one: refusals hold for it.
  const folders = cwds ?? [gathering.place.cwd];
  for (const value of values) {
    if (/[$`]/.test(value) && unknown !== null) continue;
    const absolute = value.startsWith('/');
    if (!absolute && cwds === null) {
      unknown ??= 'the folder it starts from is not known';
    }
    for (const base of absolute ? ['/'] : folders) {
      const path = posix.resolve(base, value);
      if (!glob || !isPattern(value)) {
        found.push(knownFile(path, start, gathering));
        if (options.into !== undefined && (value.endsWith('/') || isFolder(path, gathering)))
          for (const name of [...options.into, ...guardedNamesIn(options.sources ?? [], base, gathering.view)])
            found.push(knownFile(posix.join(path, name), start, gathering));
        if (options.followsLinks === true) {
          const links = linksBelow(path, gathering.view);
          if (links === null) unknown ??= 'it follows the links below, and there is too much to look through';
          for (const link of links ?? []) found.push(knownFile(link, start, gathering));
        }
        continue;
      }
      if (start.access === 'write') unknown ??= 'it is a pattern';
      const files = expandPattern(path, gathering.view, maxExpanded);
      if (files === null) unknown ??= 'it is a pattern for very many files';
      const fixed = posix.resolve(base, value.slice(0, value.search(/[*?[]/)).replace(/[^/]*$/, '') || '.');
      found.push(knownFile(fixed, start, gathering));
      for (const file of files ?? []) found.push(knownFile(file, start, gathering));
    }
  }
  return unknown === null ? found : [...found, unknownFile(unknown, start)];
}

function redirectFiles(redirect: ShellRedirect, gathering: Gathering): readonly FileFact[] {
  const { target, operator, cwds, afterCd, nested } = redirect;
  if (target.literal && target.value === '/dev/null') return [];
  const reads = operator === '<' || operator === '<>';
  const writes = operator !== '<';
  const relative = target.values.some((value) => !value.startsWith('/'));
  const doubtful = target.glob || target.values.length > 1 || target.text.startsWith('~') || (afterCd && relative);
  return (['read', 'write'] as const)
    .filter((access) => (access === 'read' ? reads : writes))
    .flatMap((access) =>
      shellFiles({
        values: target.values,
        glob: target.glob,
        cwds,
        unknown: target.known ? null : 'what the shell makes of it is not known before it runs',
        start: {
          access,
          from: 'redirect',
          command: null,
          given: target.text,
          nested,
          personOnly:
            doubtful && (access === 'write' || target.glob || target.values.length > 1 || (afterCd && relative)),
        },
        gathering,
      }),
    );
}

interface Peeled {
  /** From the written command to its innermost part. */
  readonly steps: readonly (readonly ShellWord[])[];
  readonly fromInput: boolean;
}

function peelForAllow(words: readonly ShellWord[]): Peeled {
  const steps: (readonly ShellWord[])[] = [words];
  let fromInput = false;
  for (let inner = unwrapForAllow(words); inner !== null && steps.length < 12; inner = unwrapForAllow(inner)) {
    fromInput ||= steps.at(-1)?.[0]?.value === 'xargs';
    steps.push(inner);
  }
  return { steps, fromInput };
}

function spelled(words: readonly ShellWord[]): string {
  return words.map((word) => word.text).join(' ');
}

const allowedContexts: ReadonlySet<string> = new Set(['if', 'while', 'pipe', 'timed']);

function starReason(part: ShellPart, steps: Peeled['steps'], folder: string): string | null {
  const strange = [...part.within].find((context) => !allowedContexts.has(context));
  if (strange !== undefined) return `it stands in a ${strange}`;
  const [block] = part.blocks;
  if (block !== undefined) return block;
  const unsafe = part.assignments.find((assignment) => !isSafeAssignment(assignment));
  if (unsafe !== undefined) return `the variable ${unsafe.name} may change what runs`;
  const words = steps.at(-1) ?? [];
  for (const step of steps) {
    const reason = exactOnlyReason(step);
    if (reason !== null) return reason;
  }
  const dynamic = part.words.find((word) => !word.plain);
  if (dynamic !== undefined) return `${dynamic.text} is filled in or unquoted by the shell`;
  if (words[0]?.value === 'git' && part.afterCd && part.cwds?.every((cwd) => cwd === folder) !== true)
    return 'git in another folder may run what that folder’s settings say';
  return null;
}

function neverReason(part: ShellPart): string | null {
  const [name] = part.words;
  if (name === undefined || name.text.startsWith('[[') || name.text.startsWith('((')) return null;
  // Of variables only the home folder is sure: others may be set in ways that are not seen.
  const certain = name.literal || (part.nested && name.known && /^"?(\$HOME|~)"?\//.test(name.text));
  if (name.glob || !certain || name.value.includes('{}'))
    return `the command’s name ${name.text} is not known before it runs`;
  return null;
}

/** The scripts of a sed command; `?` for one that lies in a file. */
function sedScripts(args: readonly string[]): readonly string[] {
  const scripts: string[] = [];
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '-e' || arg === '--expression') scripts.push(args[++at] ?? '?');
    else if (/^(-[a-zA-Z]*[ef]|--(expression|file))/.test(arg)) scripts.push('?');
    else if (!arg.startsWith('-')) operands.push(arg);
  }
  return scripts.length > 0 ? scripts : operands.slice(0, 1);
}

function isHarmlessSubstitution(script: string): boolean {
  return /^(\d+|\$)?(,(\d+|\$))?(s([/|#,@])(?:(?!\5)[^\\\n]|\\.)*\5(?:(?!\5)[^\\\n]|\\.)*\5[gi\d]*|[pd])$/.test(script);
}

function isHarmlessEdit(part: ShellPart, steps: Peeled['steps']): boolean {
  const words = steps.at(-1) ?? [];
  const name = words[0]?.text ?? '';
  if (!editCommands.has(name)) return false;
  const safe =
    part.assignments.every(isSafeAssignment) && part.blocks.length === 0 && words.every((word) => word.plain);
  if (!safe || [...part.within].some((context) => !allowedContexts.has(context))) return false;
  if (steps.slice(0, -1).some((step) => step[0]?.value === 'xargs')) return false;
  // Scripts of sed may write other files and run commands.
  if (name !== 'sed') return true;
  return sedScripts(words.slice(1).map((word) => word.value)).every(isHarmlessSubstitution);
}

/** What is known of a command before the disk is asked. */
interface ReadCommand {
  readonly part: ShellPart;
  /** Its words without what it is wrapped in. */
  readonly inner: readonly ShellWord[];
  readonly fact: Omit<CommandFact, 'critical'>;
  readonly files: readonly CommandFile[];
  readonly changesFolder: boolean;
}

function readCommand(part: ShellPart, cwd: string): ReadCommand {
  const { steps, fromInput } = peelForAllow(part.words);
  const safe = part.assignments.every(isSafeAssignment);
  const bare = spelled(part.words);
  const starForms = steps.map((words, index) => {
    const wrapper = index === steps.length - 1 ? 0 : (steps[0]?.length ?? 0);
    // A rule that ends within the wrapper says nothing about what it runs.
    const outer = wrapper === 0 ? 0 : spelled(words.slice(0, words.length - (steps.at(-1)?.length ?? 0))).length;
    return { text: normaliseBlanks(spelled(words)), beyond: outer };
  });
  const exactForms = [part.text, ...(safe ? steps.map(spelled) : []), ...(part.assignments.length === 0 ? [bare] : [])];
  return {
    part,
    fact: {
      text: part.text,
      nested: part.nested,
      // A space of another kind at an end takes no call out of a refusal, though it puts none into an allowance.
      denyForms: [...new Set(denyForms(part).flatMap((form) => [normaliseBlanks(form), normaliseBlanks(form.trim())]))],
      nameGlob: part.words[0]?.glob === true ? baseName(part.words[0].value) : null,
      patterned: part.words.some((word, index) => index > 0 && word.glob)
        ? part.words.map(({ value, glob }, index) => ({ value: index === 0 ? baseName(value) : value, glob }))
        : null,
      exactForms: [...new Set(exactForms)].map(normaliseBlanks),
      starForms,
      exactOnly: starReason(part, steps, cwd),
      never: neverReason(part),
      readOnly: part.nested ? { yes: false, why: 'it is run by another command' } : judgeReadOnly(part, cwd),
      edits: isHarmlessEdit(part, steps),
    },
    inner: steps.at(-1) ?? part.words,
    files: commandFiles(steps.at(-1) ?? part.words, fromInput),
    changesFolder: baseName(part.words[0]?.value ?? '') === 'cd',
  };
}

interface ReadLine {
  readonly analysis: ShellAnalysis;
  readonly commands: readonly ReadCommand[];
}

const readLines = new Map<string, ReadLine>();
const maxReadLines = 500;

/** Reads a line; the same line in the same folder is read once. */
function readLine(line: ShellLine): ReadLine {
  const key = `${line.cwd}\0${line.home}\0${line.command}`;
  const known = readLines.get(key);
  if (known !== undefined) return known;
  const analysis = analyseShell(line);
  const read = { analysis, commands: analysis.parts.map((part) => readCommand(part, line.cwd)) };
  // What was read before the second parser was there must not stay.
  if (secondParser() === null || line.command.length > maxCommandLength) return read;
  const oldest = readLines.size >= maxReadLines ? readLines.keys().next().value : undefined;
  if (oldest !== undefined) readLines.delete(oldest);
  readLines.set(key, read);
  return read;
}

/** What a path named in passing is. */
function lookFrom(folder: string, gathering: Gathering): Look {
  const { home, platform } = gathering.place;
  const start = { access: 'read', from: 'argument', command: null, given: '', nested: false } as const;
  const seen = new Map<string, ReturnType<Look>>();
  return (text) => {
    const known = seen.get(text);
    if (known !== undefined) return known;
    const path = toEnginePath(/^~(?=\/|$)/.test(text) ? home + text.slice(1) : text, platform);
    const absolute = posix.resolve(folder, path);
    const found = knownFile(absolute, start, gathering);
    const guard = found.protected ?? gathering.steering.guard(found.spellings);
    const looked = { guard, private: found.private && !gathering.isOwnResult(absolute, found.real) };
    seen.set(text, looked);
    return looked;
  };
}

interface ShellFacts {
  readonly commands: readonly CommandFact[];
  readonly files: readonly FileFact[];
  readonly mentions: readonly Mention[];
  readonly problems: readonly string[];
  readonly loose: readonly string[];
}

function shellFacts(command: string, cwd: string, gathering: Gathering): ShellFacts {
  const { place } = gathering;
  const { analysis, commands: read } = readLine({ command, cwd, home: place.home });
  const commands = read.map(({ part, fact }): CommandFact => ({ ...fact, critical: criticalRemoval(part, gathering) }));
  const files: FileFact[] = [];
  const mentions: Mention[] = [];
  // One line may name one place in each of thousands of parts.
  const looks = new Map<string, Look>();
  const lookIn = (folder: string): Look => {
    const look = looks.get(folder) ?? lookFrom(folder, gathering);
    looks.set(folder, look);
    return look;
  };
  for (const [index, { part, inner, fact, files: found, changesFolder }] of read.entries()) {
    const start = { from: 'argument', command: index, nested: part.nested } as const;
    const readOnly = fact.readOnly.yes;
    for (const folder of part.cwds ?? [place.cwd]) {
      const mention = mentionOf({ words: inner, input: part.input, readOnly }, lookIn(folder));
      if (mention !== null) mentions.push(mention);
    }
    for (const one of found)
      files.push(
        ...shellFiles({
          values: one.values,
          glob: one.glob,
          ...(one.into === undefined ? {} : { into: one.into, sources: one.sources ?? [] }),
          ...(one.followsLinks === true ? { followsLinks: true } : {}),
          cwds: part.cwds,
          unknown: changesFolder && one.given.endsWith('..') && one.unknown !== null ? null : one.unknown,
          start: { ...start, access: one.access, given: one.given },
          gathering,
        }),
      );
    if (changesFolder && part.words.length === 1)
      files.push(knownFile(place.home, { ...start, access: 'read', given: 'cd' }, gathering));
  }
  for (const redirect of analysis.redirects) files.push(...redirectFiles(redirect, gathering));
  const hidden = commands.filter((one) => one.nested).flatMap((one) => one.never ?? []);
  return { commands, files, mentions, problems: [...analysis.problems, ...new Set(hidden)], loose: analysis.loose };
}

/** Gathers the facts of a call. Waits for nothing: the disk is asked for names and links only. Never throws for odd input. */
export function gatherFacts(request: PermissionRequest, place: Place, view: FileView): CallFacts {
  return factsIn(request, new Gathering(place, rememberingView(view), request.toolName, {}));
}

/** The same for many calls in one place, on a disk that is taken to stand still: what it says of the place is asked once. */
export function gathererAt(place: Place, view: FileView): (request: PermissionRequest) => CallFacts {
  const known: PlaceOnDisk = {};
  return (request) => factsIn(request, new Gathering(place, view, request.toolName, known));
}

function factsIn(request: PermissionRequest, gathering: Gathering): CallFacts {
  const { place } = gathering;
  const commands: CommandFact[] = [];
  const files: FileFact[] = [];
  const hosts: string[] = [];
  const mentions: Mention[] = [];
  const problems: string[] = [];
  let loose: readonly string[] = [];
  let shellText: string | null = null;
  for (const fact of request.facts) {
    switch (fact.kind) {
      case 'command': {
        const found = shellFacts(fact.command, toEnginePath(fact.cwd, place.platform), gathering);
        const offset = commands.length;
        commands.push(...found.commands);
        files.push(
          ...found.files.map((file) => (file.command === null ? file : { ...file, command: file.command + offset })),
        );
        problems.push(...found.problems);
        mentions.push(...found.mentions);
        loose = [...loose, ...found.loose];
        shellText = normaliseBlanks(fact.command);
        break;
      }
      case 'path':
        files.push(
          knownFile(
            toEnginePath(fact.path, place.platform),
            { access: fact.access, from: 'tool', command: null, given: fact.path, nested: false },
            gathering,
          ),
        );
        break;
      case 'host':
        hosts.push(normaliseHost(fact.host));
        break;
      case 'code': {
        // Nothing else is known of it, so the call stands for itself.
        const mention = mentionInCode(fact.code);
        if (mention !== null) mentions.push(mention);
        break;
      }
    }
  }
  const { toolName, isMcp, isReadOnly, input } = request;
  const handed = isMcp && !isReadOnly ? mentionInInput(input, lookFrom(place.cwd, gathering)) : null;
  if (handed !== null) mentions.push(handed);
  const shell = { commands, shellProblems: problems, shellText, loose };
  return { toolName, isMcp, isReadOnly, input, ...shell, files, mentions, hosts };
}
