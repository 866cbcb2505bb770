// Walks a parsed command line in the order in which a shell would run it, and notes every command and redirect it
// meets, at any depth, with the folders it may run in.
import { resolve } from 'node:path';
import {
  type AndOr,
  type Assignment,
  type Command,
  type CommandNode,
  forEachChild,
  type ParsedScript,
  type PipelineNode,
  type Redirection,
  type Statement,
  type SyntaxNode,
} from 'unbash';
import type { ShellAssignment } from './assignments';
import { inputOf, printedBy } from './fed';
import { readAssignmentWord, readWord, type ShellWord } from './words';
import { readsScript, unwrapForAllow } from './wrappers';

/** What a command stands in. */
export type Context =
  | 'substitution'
  | 'subshell'
  | 'group'
  | 'if'
  | 'while'
  | 'until'
  | 'for'
  | 'case'
  | 'function'
  | 'coproc'
  | 'background'
  | 'timed'
  | 'pipe';

export interface ShellPart {
  /** As written, without redirects. */
  readonly text: string;
  readonly assignments: readonly ShellAssignment[];
  /** Program first; empty for bare assignments. `[[ … ]]` and `(( … ))` are one word of their own. */
  readonly words: readonly ShellWord[];
  readonly within: ReadonlySet<Context>;
  /** Folders it may run in; null when that cannot be told. */
  readonly cwds: readonly string[] | null;
  /** A `cd` came before it. */
  readonly afterCd: boolean;
  /** Why no rule with a star may cover it. */
  readonly blocks: readonly string[];
  /** Text that the shell feeds to it: a here-document or here-string. */
  readonly input: string | null;
  /** Found by looking into a wrapper or a script: counts for deny and ask only. */
  readonly nested: boolean;
}

export interface ShellRedirect {
  readonly text: string;
  readonly operator: string;
  readonly target: ShellWord;
  readonly cwds: readonly string[] | null;
  readonly afterCd: boolean;
  readonly nested: boolean;
}

export interface Walked {
  readonly parts: ShellPart[];
  readonly redirects: ShellRedirect[];
  /** Every redirect as written without blanks, those of descriptors too. */
  readonly redirectTexts: string[];
  /** What keeps the whole text from being allowed. */
  readonly problems: string[];
}

interface Flow {
  readonly home: string;
  cwds: readonly string[] | null;
  readonly variables: Map<string, readonly string[]>;
  afterCd: boolean;
}

type Folders = readonly string[] | null;

function union(a: Folders, b: Folders): Folders {
  return a === null || b === null ? null : [...new Set([...a, ...b])];
}

/** Ways a chain of && and || can go on: where the shell stands after success and after failure. */
interface Ends {
  readonly ok: Folders;
  readonly failed: Folders;
}

class Walker {
  readonly found: Walked = { parts: [], redirects: [], redirectTexts: [], problems: [] };

  constructor(
    private readonly source: string,
    private readonly flow: Flow,
    private readonly nested: boolean,
  ) {}

  script(script: ParsedScript, within: ReadonlySet<Context>): void {
    // Scripts in escaped backticks have a source of their own.
    const owner = script.source === undefined ? this : new Walker(script.source, this.flow, this.nested);
    for (const statement of script.commands) owner.statement(statement, within);
    if (owner !== this) {
      this.found.parts.push(...owner.found.parts);
      this.found.redirects.push(...owner.found.redirects);
      this.found.redirectTexts.push(...owner.found.redirectTexts);
      this.found.problems.push(...owner.found.problems);
    }
  }

  private statement(statement: Statement, within: ReadonlySet<Context>): void {
    if (statement.background === true) {
      const inside = new Set<Context>([...within, 'background']);
      this.apart(() => this.chain(statement.command, inside));
      return;
    }
    const ends = this.chain(statement.command, within);
    this.flow.cwds = union(ends.ok, ends.failed);
  }

  private chain(node: PipelineNode | AndOr, within: ReadonlySet<Context>): Ends {
    if (node.type !== 'AndOr') return this.pipeline(node, within);
    let ends: Ends | undefined;
    for (const [index, command] of node.commands.entries()) {
      const operator = node.operators[index - 1];
      if (ends === undefined || operator === undefined) {
        ends = this.pipeline(command, within);
        continue;
      }
      const before: Ends = ends;
      this.flow.cwds = operator === '&&' ? before.ok : before.failed;
      const after = this.pipeline(command, within);
      ends =
        operator === '&&'
          ? { ok: after.ok, failed: union(before.failed, after.failed) }
          : { ok: union(before.ok, after.ok), failed: after.failed };
    }
    return ends ?? { ok: this.flow.cwds, failed: this.flow.cwds };
  }

  private pipeline(node: PipelineNode, within: ReadonlySet<Context>): Ends {
    if (node.type !== 'Pipeline') return this.node(node, within);
    const timed = node.prefixes.some((prefix) => prefix.type === 'Time' && prefix.posix !== undefined);
    if (timed) this.found.problems.push('time with options');
    const inside = new Set<Context>(within);
    if (node.prefixes.some((prefix) => prefix.type === 'Time')) inside.add('timed');
    const only = node.commands.length === 1 ? node.commands[0] : undefined;
    if (only !== undefined) return this.node(only, inside);
    inside.add('pipe');
    let before: ShellPart | undefined;
    for (const command of node.commands) {
      this.fed(before === undefined ? null : printedBy(before), () => this.apart(() => this.node(command, inside)));
      before = this.found.parts.at(-1);
    }
    return { ok: this.flow.cwds, failed: this.flow.cwds };
  }

  /** What is run reads this text, where nothing nearer feeds it. */
  private fed(input: string | null, run: () => void): void {
    const { parts } = this.found;
    const start = parts.length;
    run();
    if (input === null) return;
    for (let at = start; at < parts.length; at++) {
      const part = parts[at];
      if (part?.input === null) parts[at] = { ...part, input };
    }
  }

  /** Runs in a process of its own: a change of folder ends with it. */
  private apart(run: () => void): void {
    const { cwds, afterCd } = this.flow;
    run();
    this.flow.cwds = cwds;
    this.flow.afterCd = afterCd;
  }

  /** May run or not: afterwards both folders are possible. */
  private perhaps(run: () => void): void {
    const before = this.flow.cwds;
    run();
    this.flow.cwds = union(before, this.flow.cwds);
  }

  private list(
    node: { readonly commands: readonly Statement[] },
    within: ReadonlySet<Context>,
    context: Context,
  ): void {
    const inside = new Set<Context>([...within, context]);
    for (const statement of node.commands) this.statement(statement, inside);
  }

  private node(node: CommandNode, within: ReadonlySet<Context>): Ends {
    const before = this.flow.cwds;
    switch (node.type) {
      case 'Command':
        return this.command(node, within);
      case 'Redirected':
        this.redirects(node.redirects, within);
        this.fed(inputOf(node.redirects), () => this.node(node.command, within));
        break;
      case 'Subshell':
        this.apart(() => this.list(node.body, within, 'subshell'));
        break;
      case 'BraceGroup':
        this.list(node.body, within, 'group');
        break;
      case 'If':
        this.list(node.clause, within, 'if');
        this.perhaps(() => this.list(node.then, within, 'if'));
        for (const elif of node.elif)
          this.perhaps(() => {
            this.list(elif.clause, within, 'if');
            this.list(elif.then, within, 'if');
          });
        if (node.else !== undefined) {
          const otherwise = node.else;
          this.perhaps(() => this.list(otherwise, within, 'if'));
        }
        break;
      case 'While':
        this.loop(() => {
          this.list(node.clause, within, node.kind);
          this.list(node.body, within, node.kind);
        });
        break;
      case 'For':
      case 'Select': {
        const words = (node.wordlist ?? []).map((word) => {
          this.inside(word, within);
          return readWord(word, this.flow);
        });
        this.assign(
          node.name.value,
          words.flatMap((word) => word.values),
        );
        this.loop(() => this.list(node.body, within, 'for'));
        break;
      }
      case 'ArithmeticFor':
        this.insideAll(node, within, new Set(['CompoundList']));
        this.loop(() => this.list(node.body, within, 'for'));
        break;
      case 'Case':
        this.inside(node.word, within);
        for (const item of node.items) {
          for (const pattern of item.pattern) this.inside(pattern, within);
          this.perhaps(() => this.list(item.body, within, 'case'));
        }
        break;
      case 'Function':
        this.definition(() => {
          const inside = new Set<Context>([...within, 'function']);
          if (node.body.type === 'CompoundList') this.list(node.body, within, 'function');
          else this.node(node.body, inside);
        });
        break;
      case 'Coproc':
        this.apart(() => {
          const inside = new Set<Context>([...within, 'coproc']);
          if (node.body.type === 'CompoundList') this.list(node.body, within, 'coproc');
          else this.node(node.body, inside);
        });
        break;
      case 'TestCommand':
      case 'ArithmeticCommand': {
        this.insideAll(node, within, new Set());
        const text = this.source.slice(node.pos, node.end);
        const dynamic = /[$`]/.test(text);
        this.part({
          text,
          assignments: [],
          words: [
            { text, value: text, literal: !dynamic, plain: !dynamic, glob: false, values: [text], known: !dynamic },
          ],
          within,
          blocks: [],
          input: null,
        });
        break;
      }
    }
    return { ok: this.flow.cwds, failed: union(before, this.flow.cwds) };
  }

  /** A function's body runs wherever it is called, and what it does to the folder happens there. */
  private definition(run: () => void): void {
    const { cwds, afterCd } = this.flow;
    this.flow.cwds = null;
    this.flow.afterCd = false;
    run();
    const changes = this.flow.afterCd;
    this.flow.cwds = changes ? null : cwds;
    this.flow.afterCd = changes || afterCd;
  }

  /** A body that may run never or many times: what it does to the folder may have happened already. */
  private loop(run: () => void): void {
    const { parts, redirects } = this.found;
    const [firstPart, firstRedirect] = [parts.length, redirects.length];
    const before = this.flow.cwds;
    run();
    const after = union(before, this.flow.cwds);
    this.flow.cwds = after;
    if (after === before || (after !== null && before !== null && after.length === before.length)) return;
    for (let at = firstPart; at < parts.length; at++) {
      const part = parts[at];
      if (part !== undefined) parts[at] = { ...part, cwds: null, afterCd: true };
    }
    for (let at = firstRedirect; at < redirects.length; at++) {
      const redirect = redirects[at];
      if (redirect !== undefined) redirects[at] = { ...redirect, cwds: null, afterCd: true };
    }
  }

  private command(node: Command, within: ReadonlySet<Context>): Ends {
    const before = this.flow.cwds;
    const assignments: ShellAssignment[] = [];
    for (const item of node.prefix) if (item.type === 'Assignment') assignments.push(this.assignment(item, within));
    const words: ShellWord[] = [];
    if (node.name !== undefined) {
      this.inside(node.name, within);
      words.push(readWord(node.name, this.flow));
    }
    for (const arg of node.args) {
      this.inside(arg, within);
      if (arg.type === 'Word') words.push(readWord(arg, this.flow));
      else {
        words.push(readAssignmentWord(arg, this.flow));
        if (arg.value.type === 'Word') this.assign(arg.name, readWord(arg.value, this.flow).values);
      }
    }
    const blocks = this.redirects(node.redirects, within);
    const input = inputOf(node.redirects);
    if (node.redirects.some((one) => one.operator === '<&') && readsScript(words))
      this.found.problems.push('what a shell reads from a descriptor is not known');
    const text = [...assignments.map((one) => one.text), ...words.map((word) => word.text)].join(' ');
    if (text !== '') this.part({ text, assignments, words, within, blocks, input });
    for (const one of assignments) this.assign(one.name, one.word?.values ?? []);
    return this.changeFolder(words, before);
  }

  private assignment(node: Assignment, within: ReadonlySet<Context>): ShellAssignment {
    this.inside(node, within);
    const word = node.value.type === 'Word' && node.index === undefined ? readWord(node.value, this.flow) : null;
    return { name: node.name, text: node.text, append: node.append === true, word };
  }

  private assign(name: string, values: readonly string[]): void {
    const all = new Set([...(this.flow.variables.get(name) ?? []), ...values]);
    this.flow.variables.set(name, [...all].slice(0, 32));
  }

  private changeFolder(words: readonly ShellWord[], before: Folders): Ends {
    let inner = words;
    for (let peeled = unwrapForAllow(inner); peeled !== null; peeled = unwrapForAllow(inner)) inner = peeled;
    const name = inner[0]?.value;
    if (name === 'cd' || name === 'pushd' || name === 'chdir') {
      const target = inner.slice(1).find((word) => !/^-[LPe@]+$/.test(word.value) && word.value !== '--');
      this.flow.cwds = this.folderAfter(target, before);
      this.flow.afterCd = true;
      return { ok: this.flow.cwds, failed: before };
    }
    if (name === 'popd' || name === 'eval' || name === 'source' || name === '.' || name === undefined) {
      if (name !== undefined) {
        this.flow.cwds = null;
        this.flow.afterCd = true;
      }
    }
    return { ok: this.flow.cwds, failed: this.flow.cwds };
  }

  private folderAfter(target: ShellWord | undefined, before: Folders): Folders {
    if (target === undefined) return [this.flow.home];
    if (target.value === '-' || !target.known || target.glob || target.values.length > 8) return null;
    if (before === null) return target.values.every((value) => value.startsWith('/')) ? target.values : null;
    return [...new Set(before.flatMap((from) => target.values.map((value) => resolve(from, value))))].slice(0, 16);
  }

  private part(part: Omit<ShellPart, 'cwds' | 'afterCd' | 'nested'>): void {
    const { cwds, afterCd } = this.flow;
    this.found.parts.push({ ...part, cwds, afterCd, nested: this.nested });
  }

  private redirects(list: readonly Redirection[], within: ReadonlySet<Context>): readonly string[] {
    const blocks: string[] = [];
    for (const node of list) {
      if (node.type === 'HereDoc') {
        for (const part of node.body.parts ?? []) this.inside(part, within);
        if (node.delimiter?.quoted !== true) blocks.push('a here-document without quotes is filled in by the shell');
        if (node.closing === undefined) this.found.problems.push('a here-document without its end');
        continue;
      }
      this.found.redirectTexts.push(this.source.slice(node.pos, node.end).replace(/\s+/g, ''));
      if (node.target === undefined) {
        this.found.problems.push('a redirect without a target');
        continue;
      }
      this.inside(node.target, within);
      const target = readWord(node.target, this.flow);
      if (node.type === 'HereString') {
        if (!target.plain) blocks.push('a here-string that the shell fills in');
        continue;
      }
      if (node.descriptor?.type === 'FileDescriptorVariable') this.found.problems.push('a redirect to a variable');
      const { operator } = node;
      if (operator === '<&' || (operator === '>&' && /^[\d-]/.test(target.value))) {
        if (!/^(\d+-?|-)$/.test(target.text)) this.found.problems.push(`${operator}${target.text} is read in two ways`);
        continue;
      }
      if (operator === '<>') blocks.push('<> opens for reading and writing');
      const text = this.source.slice(node.pos, node.end);
      const { cwds, afterCd } = this.flow;
      this.found.redirects.push({ text, operator, target, cwds, afterCd, nested: this.nested });
    }
    return blocks;
  }

  /** Looks for scripts inside a word or another piece of syntax. */
  private inside(node: SyntaxNode, within: ReadonlySet<Context>): void {
    if (
      node.type === 'CommandExpansion' ||
      node.type === 'ProcessSubstitution' ||
      node.type === 'ArithmeticCommandExpansion'
    ) {
      const script = node.script;
      if (script === undefined) this.found.problems.push('a substitution that cannot be read');
      else this.apart(() => this.script(script, new Set<Context>([...within, 'substitution'])));
      return;
    }
    if (node.type === 'Word') {
      for (const part of node.parts ?? []) this.inside(part, within);
      return;
    }
    this.insideAll(node, within, new Set());
  }

  private insideAll(node: SyntaxNode, within: ReadonlySet<Context>, except: ReadonlySet<string>): void {
    forEachChild(node, (child) => {
      if (!except.has(child.type)) this.inside(child, within);
    });
  }
}

/** Walks a script. `nested` marks what is found in a text that another program hands to a shell. */
export function walkScript(options: {
  readonly source: string;
  readonly script: ParsedScript;
  readonly home: string;
  readonly cwds: readonly string[] | null;
  readonly afterCd: boolean;
  readonly variables: ReadonlyMap<string, readonly string[]>;
  readonly nested: boolean;
}): Walked & { readonly variables: ReadonlyMap<string, readonly string[]> } {
  const { source, script, home, cwds, afterCd, nested } = options;
  const flow: Flow = { home, cwds, afterCd, variables: new Map(options.variables) };
  const walker = new Walker(source, flow, nested);
  walker.script(script, new Set());
  return { ...walker.found, variables: flow.variables };
}
