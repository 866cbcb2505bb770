// Finds the rules of one list that cover a given one. What it names covers for certain; it may miss some.
import { isLocalHost } from '#shared/web/address';
import type { CompiledRule } from '../../permissions/compiledRule';
import { normaliseHost } from '../../permissions/matchHost';
import { foldersAbove, type PathReach, pathReach, wholeFolder } from './pathReach';
import { beginningOf, endsWholeWord, isPlainCommand, mayBeginWithWrapper, patternKey, prefixOf } from './patternKey';

/**
 * How the two lists stand to each other. allow: both allow · stops: both stop, or the covering one denies and the other
 * asks · above: the covering one stops what the other allows.
 */
export type Relation = 'allow' | 'stops' | 'above';

export interface Covering {
  readonly by: CompiledRule;
  /** Both reach the same. */
  readonly equal: boolean;
  /** The covered rule names a command exactly and the other does not, which counts for more here and there. */
  readonly looser: boolean;
}

type Kind<K extends CompiledRule['kind']> = CompiledRule & { readonly kind: K };

function add(to: Map<string, CompiledRule[]>, key: string, rule: CompiledRule): void {
  const known = to.get(key);
  if (known === undefined) to.set(key, [rule]);
  else known.push(rule);
}

const serverName = /^mcp__(?:(?!__).)+$/;

/** Names of tools that a rule is about; null when they are too many to name. */
function namesOf(rule: CompiledRule): readonly string[] | null {
  switch (rule.kind) {
    case 'tool':
      if (rule.tool === 'Bash') return ['Bash', 'Monitor'];
      if (rule.tool === 'Agent' || rule.tool === 'Task') return ['Agent', 'Task'];
      return rule.tool.includes('*') || serverName.test(rule.tool) ? null : [rule.tool];
    case 'name':
    case 'parameter':
      return rule.tool === 'Agent' ? ['Agent', 'Task'] : [rule.tool];
    case 'text':
      return [rule.tool];
    case 'host':
      return ['WebFetch'];
    case 'command':
      return ['Bash', 'Monitor'];
    case 'path':
      return null;
  }
}

function hostKey(host: string): string {
  return host.includes('*') ? host.toLowerCase().replace(/\.$/, '') : normaliseHost(host);
}

export class CoverIndex {
  private readonly equal = new Map<string, CompiledRule[]>();
  private readonly prefixes = new Map<string, CompiledRule[]>();
  private readonly beginnings = new Map<string, CompiledRule[]>();
  private readonly tools = new Map<string, CompiledRule[]>();
  private readonly starTools: Kind<'tool'>[] = [];
  private readonly hostEnds = new Map<string, CompiledRule[]>();
  private readonly skills = new Map<string, CompiledRule[]>();
  private readonly folders = new Map<string, CompiledRule[]>();
  /** With exceptions in the list no path rule can be judged by itself. */
  private readonly hasExceptions: boolean;

  /** `folder`: the session's folder. */
  constructor(
    rules: readonly CompiledRule[],
    private readonly folder: string,
  ) {
    this.hasExceptions = rules.some((rule) => rule.kind === 'path' && rule.pattern.negated);
    for (const rule of rules) this.add(rule);
  }

  private add(rule: CompiledRule): void {
    for (const key of this.keysOf(rule)) add(this.equal, key, rule);
    switch (rule.kind) {
      case 'command': {
        const prefix = prefixOf(rule.pattern);
        if (prefix !== null) add(this.prefixes, prefix, rule);
        const beginning = beginningOf(rule.pattern);
        if (beginning !== null) add(this.beginnings, beginning, rule);
        return;
      }
      case 'tool':
        if (rule.tool.includes('*')) this.starTools.push(rule);
        else for (const name of namesOf(rule) ?? [rule.tool]) add(this.tools, name, rule);
        return;
      case 'host': {
        const host = hostKey(rule.host);
        if (host === '*') add(this.hostEnds, '', rule);
        else if (host.startsWith('*.') && !host.slice(2).includes('*')) add(this.hostEnds, host.slice(1), rule);
        return;
      }
      case 'name':
        if (rule.prefix) add(this.skills, rule.name, rule);
        return;
      case 'path': {
        const reach = pathReach(rule, this.folder);
        const folder = rule.pattern.negated ? null : wholeFolder(reach);
        if (folder !== null) add(this.folders, `${rule.tool} ${reach.base} ${folder}`, rule);
        return;
      }
      case 'text':
      case 'parameter':
        return;
    }
  }

  /** Texts under which equal rules are found. */
  private keysOf(rule: CompiledRule): readonly string[] {
    switch (rule.kind) {
      case 'command':
        return [`command ${patternKey(rule.pattern)}`];
      case 'tool':
        return [`tool ${rule.tool === 'Task' ? 'Agent' : rule.tool}`];
      case 'name':
        return [`name ${rule.tool} ${rule.prefix} ${rule.name}`];
      case 'text':
        return [`text ${rule.ref.text}`];
      case 'parameter':
        return [`parameter ${rule.tool} ${rule.param} ${rule.value.text}`];
      case 'host':
        return [`host ${hostKey(rule.host)}`];
      case 'path': {
        if (rule.pattern.negated) return [];
        const { base, text } = pathReach(rule, this.folder);
        return [`path ${rule.tool} ${base} ${text}`];
      }
    }
  }

  /** All rules of the list that are known to cover `rule`, itself included when it is in the list. */
  *covering(rule: CompiledRule, relation: Relation): Generator<Covering> {
    if (rule.kind === 'path') {
      yield* this.pathCovering(rule, relation);
      return;
    }
    for (const key of this.keysOf(rule))
      for (const by of this.equal.get(key) ?? []) yield { by, equal: true, looser: false };
    if (rule.kind === 'command') yield* this.commandCovering(rule, relation);
    else if (rule.kind === 'host') yield* this.hostCovering(rule, relation);
    else if (rule.kind === 'name') yield* this.nameCovering(rule);
    // Commands of other tools are stopped by rules for commands, and not by those for the shell's name.
    if (rule.kind === 'command' && relation === 'stops') return;
    if (rule.kind === 'host' && relation === 'allow' && opensLocal(rule.host)) return;
    for (const by of this.toolsCovering(rule))
      yield { by, equal: false, looser: relation === 'allow' && rule.kind === 'command' && rule.pattern.exact };
  }

  private *commandCovering({ pattern }: Kind<'command'>, relation: Relation): Generator<Covering> {
    const { head, exact } = pattern;
    // As a whole line it may be more than one command.
    if (exact && !isPlainCommand(head)) return;
    const looser = relation === 'allow' && exact;
    const reaches = (by: CompiledRule): boolean =>
      relation !== 'allow' ||
      !mayBeginWithWrapper(pattern) ||
      (by.kind === 'command' && by.pattern.head.length >= head.length);
    for (let at = head.indexOf(' '); at !== -1; at = head.indexOf(' ', at + 1))
      for (const by of this.prefixes.get(head.slice(0, at)) ?? []) if (reaches(by)) yield { by, equal: false, looser };
    if (endsWholeWord(pattern))
      for (const by of this.prefixes.get(head) ?? [])
        if (patternKeyOf(by) !== patternKey(pattern) && reaches(by)) yield { by, equal: false, looser };
    // Words that are file patterns are filled in only up to where a rule's beginning ends.
    if (relation === 'stops') return;
    for (let length = 1; length <= head.length; length++)
      for (const by of this.beginnings.get(head.slice(0, length)) ?? [])
        if (patternKeyOf(by) !== patternKey(pattern) && reaches(by)) yield { by, equal: false, looser };
  }

  private *hostCovering({ host }: Kind<'host'>, relation: Relation): Generator<Covering> {
    if (relation === 'allow' && opensLocal(host)) return;
    const name = hostKey(host);
    const ends = [''];
    // Of a star at the front nothing is known but that something stands there.
    for (let dot = name.indexOf('.', 1); dot !== -1; dot = name.indexOf('.', dot + 1))
      if (!name.slice(dot).includes('*') && !/^\*+$/.test(name.slice(0, dot))) ends.push(name.slice(dot));
    for (const end of ends)
      for (const by of this.hostEnds.get(end) ?? [])
        if (by.kind === 'host' && hostKey(by.host) !== name) yield { by, equal: false, looser: false };
  }

  private *nameCovering({ tool, name, prefix }: Kind<'name'>): Generator<Covering> {
    if (tool !== 'Skill') return;
    const words = name.split(' ');
    for (let count = 1; count <= words.length; count++)
      for (const by of this.skills.get(words.slice(0, count).join(' ')) ?? [])
        if (count < words.length || !prefix) yield { by, equal: false, looser: false };
  }

  private *toolsCovering(rule: CompiledRule): Generator<CompiledRule> {
    const names = namesOf(rule);
    if (names !== null) {
      const [first = ''] = names;
      const server = /^(mcp__(?:(?!__).)+)__/.exec(first)?.[1];
      const found = [...(this.tools.get(first) ?? []), ...(server === undefined ? [] : (this.tools.get(server) ?? []))];
      for (const by of [...found, ...this.starTools]) {
        if (by.kind !== 'tool' || this.isSameTool(by, rule)) continue;
        if (names.every((name) => by.names.test(name))) yield by;
      }
      return;
    }
    if (rule.kind !== 'tool') return;
    const fixed = rule.tool.split('*', 1)[0] ?? '';
    for (const by of this.starTools) {
      const end = by.tool.indexOf('*');
      if (end === by.tool.length - 1 && !this.isSameTool(by, rule) && fixed.startsWith(by.tool.slice(0, end))) yield by;
    }
    const server = /^(mcp__(?:(?!__).)+)__/.exec(fixed)?.[1];
    if (server !== undefined) yield* this.tools.get(server) ?? [];
  }

  private isSameTool(by: Kind<'tool'>, rule: CompiledRule): boolean {
    return rule.kind === 'tool' && (this.keysOf(by)[0] ?? '') === (this.keysOf(rule)[0] ?? '');
  }

  private *pathCovering(rule: Kind<'path'>, relation: Relation): Generator<Covering> {
    if (rule.pattern.negated || this.hasExceptions) return;
    const reach = pathReach(rule, this.folder);
    const bases = [reach.base, ...(reach.base === 'folder' && relation !== 'allow' ? ['current'] : [])];
    for (const tool of coveringTools(rule, reach, relation))
      for (const base of bases) {
        for (const by of this.equal.get(`path ${tool} ${base} ${reach.text}`) ?? [])
          yield { by, equal: tool === rule.tool && base === reach.base, looser: false };
        for (const folder of foldersAbove(reach))
          for (const by of this.folders.get(`${tool} ${base} ${folder}`) ?? [])
            if (!(tool === rule.tool && by.kind === 'path' && pathReach(by, this.folder).text === reach.text))
              yield { by, equal: false, looser: false };
      }
  }
}

function patternKeyOf(rule: CompiledRule): string | null {
  return rule.kind === 'command' ? patternKey(rule.pattern) : null;
}

/** Named in full, a host on this machine or a private network is opened; a star opens none. */
function opensLocal(host: string): boolean {
  return !host.includes('*') && isLocalHost(normaliseHost(host));
}

/** Tools whose path rules cover one of this tool. */
function coveringTools(rule: Kind<'path'>, reach: PathReach, relation: Relation): readonly ('Read' | 'Edit')[] {
  if (rule.tool === 'Read') return relation === 'allow' ? ['Read', 'Edit'] : ['Read'];
  // An allowed edit may be read as well; below the session's folder everything may be read anyway.
  return relation === 'above' && reach.base !== 'folder' ? [] : ['Edit'];
}
