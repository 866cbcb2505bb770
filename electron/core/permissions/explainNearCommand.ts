// Near misses of rules on shell commands.
import { formatRule } from '#shared/permissions/rule';
import type { CommandFact } from './callFacts';
import { type Miss, type NearContext, short } from './explainParts';
import { type CommandPattern, compileCommand, normaliseBlanks } from './matchCommand';

/** One text of a command, ready to be compared with many rules. */
interface Form {
  readonly text: string;
  readonly small: string;
  readonly words: readonly string[];
  /** First word in small letters. */
  readonly first: string;
}

const formsOfCommands = new WeakMap<CommandFact, readonly Form[]>();

/** The texts by which a command may be known, each once. */
export function formsOf(command: CommandFact): readonly Form[] {
  const known = formsOfCommands.get(command);
  if (known !== undefined) return known;
  const starForms = command.starForms.map((form) => form.text);
  const texts = new Set([...command.exactForms, ...starForms, ...command.denyForms]);
  const forms = [...texts].map((text): Form => {
    const small = text.toLowerCase();
    return { text, small, words: text.split(' '), first: small.split(' ', 1)[0] ?? '' };
  });
  formsOfCommands.set(command, forms);
  return forms;
}

/** Small letters with which every command begins that nearly fits a rule with this text. */
export function startOf(text: string): string {
  return (/^[^ *]*/.exec(text)?.[0] ?? '').toLowerCase();
}

/** The content as the matcher sees it: `npm:*` reads `npm *`. */
function patternText(content: string): string {
  const colon = content.endsWith(':*') && !content.slice(0, -2).includes('*');
  return normaliseBlanks(colon ? `${content.slice(0, -2)} *` : content);
}

/** An allow rule whose text fits and that may not be used all the same. */
function whyBlocked(command: CommandFact, pattern: CommandPattern, context: NearContext): Omit<Miss, 'part'> {
  const [problem] = context.facts.shellProblems;
  if (problem !== undefined)
    return { kind: 'blocked', because: `Its text fits, but no rule can allow this line: ${problem}.` };
  if (command.never !== null)
    return { kind: 'blocked', because: `Its text fits, but no rule can allow this: ${short(command.never)}.` };
  if (command.nested)
    return {
      kind: 'wrapper',
      because: 'Its text fits a command that another command runs. An allow rule must cover the outer one.',
    };
  if (!pattern.exact && command.exactOnly !== null)
    return {
      kind: 'blocked',
      because: `Its text fits, but no rule with a star covers this: ${short(command.exactOnly)}.`,
    };
  if (command.starForms.some((form) => pattern.matches(form.text)))
    return { kind: 'wrapper', because: 'It ends within the wrapper and says nothing about what the wrapper runs.' };
  return {
    kind: 'blocked',
    because:
      'It fits only when quotes, paths or variables are taken away. An allow rule must fit the command as written.',
  };
}

/** Words of the rule without stars, in their order among the command's words; what stands between, or null. */
function between(wanted: readonly string[], words: readonly string[]): string | null {
  const extra: string[] = [];
  let at = 0;
  for (const word of words) {
    if (at < wanted.length && word === wanted[at]) at++;
    else if (at > 0 && at < wanted.length) extra.push(word);
  }
  return at === wanted.length && extra.length > 0 ? extra.join(' ') : null;
}

/** A rule's text taken apart once for all the commands that it is compared with. */
interface Shape {
  readonly text: string;
  readonly exact: boolean;
  /** Ends with the only star, behind a blank: covers whole words. */
  readonly boundary: boolean;
  readonly prefix: string;
  /** Small letters with which every near command begins. */
  readonly start: string;
  readonly anyCase: CommandPattern;
  readonly bare: CommandPattern | null;
  readonly starless: CommandPattern | null;
  readonly words: readonly string[];
}

const shapes = new WeakMap<CommandPattern, Shape>();

function shapeOf(pattern: CommandPattern, content: string): Shape {
  const known = shapes.get(pattern);
  if (known !== undefined) return known;
  const text = patternText(content);
  const boundary = text.endsWith(' *') && text.indexOf('*') === text.length - 1;
  const prefix = boundary ? text.slice(0, -2) : text;
  const shape: Shape = {
    text,
    exact: !text.includes('*'),
    boundary,
    prefix,
    start: startOf(text),
    anyCase: compileCommand(text.toLowerCase()),
    bare: !boundary && text.endsWith(' *') ? compileCommand(text.slice(0, -2)) : null,
    starless: text.includes(' * ') ? compileCommand(text.replaceAll(' * ', ' ')) : null,
    words: prefix.split(' '),
  };
  shapes.set(pattern, shape);
  return shape;
}

function otherWords(words: readonly string[], shape: Shape): Omit<Miss, 'part'> | null {
  const wanted = shape.words.filter((word) => !word.includes('*'));
  const extra = wanted.length > 1 && wanted[0] === words[0] ? between(wanted, words) : null;
  if (extra !== null)
    return { kind: 'between', because: `“${short(extra)}” stands between the words that the rule names.` };
  const [first = ''] = shape.words;
  if (first === '' || first.includes('*') || first !== words[0]) return null;
  const differs = shape.words.findIndex((word, index) => word !== words[index]);
  const met = words[differs];
  const named = shape.words[differs];
  if (differs <= 0 || named === undefined) return null;
  const because =
    met === undefined
      ? `The rule goes on with “${short(named)}”; the call ends before that.`
      : `The rule says “${short(named)}” where the call says “${short(met)}”.`;
  return { kind: 'otherWords', because };
}

function nearForm(given: Form, shape: Shape, context: NearContext): Omit<Miss, 'part'> | null {
  const { text, exact, boundary, prefix } = shape;
  const { text: form, small } = given;
  if (!small.startsWith(shape.start)) return null;
  const { behavior } = context.rule.ref;
  const as = (content: string) => formatRule({ tool: context.parsed.tool, content });

  if (shape.anyCase.matches(small)) return { kind: 'case', because: 'Upper and lower case count.' };
  if (boundary && form.startsWith(prefix) && form !== prefix) {
    const wider = behavior === 'allow' ? {} : { instead: as(`${prefix}*`) };
    const because = `It covers “${prefix}” as whole words; here the last word goes on.`;
    return { kind: 'wordBoundary', because, ...wider };
  }
  if (exact && form.startsWith(`${text} `)) {
    // A rule that is one word long would cover everything the program can do.
    const wider = behavior === 'allow' && !text.includes(' ') ? {} : { instead: as(`${text}:*`) };
    return { kind: 'moreWords', because: 'It names exactly this command; the call has more words.', ...wider };
  }
  if (exact && text.startsWith(`${form} `))
    return { kind: 'otherWords', because: 'It names more words than the call has.' };
  if (shape.bare?.matches(form) === true)
    return {
      kind: 'bareForm',
      because: 'With more than one star the last “ *” needs something behind it; the call ends before that.',
      instead: as(text.slice(0, -2)),
    };
  if (shape.starless?.matches(form) === true)
    return {
      kind: 'wildcard',
      because: 'The star between blanks needs a word of its own; the call has none there.',
      instead: as(text.replaceAll(' * ', ' ')),
    };
  return otherWords(given.words, shape);
}

/** Why a rule on commands misses, for the command that it misses most narrowly. */
export function nearCommand(context: NearContext, pattern: CommandPattern): Miss | null {
  const { rule, facts, parsed } = context;
  const shape = shapeOf(pattern, parsed.content ?? '');
  let far: Miss | null = null;
  for (const command of facts.commands) {
    const part = short(command.text);
    const forms = formsOf(command);
    if (rule.ref.behavior === 'allow' && forms.some((form) => pattern.matches(form.text)))
      return { part, ...whyBlocked(command, pattern, context) };
    for (const form of forms) {
      const miss = nearForm(form, shape, context);
      if (miss === null) continue;
      if (miss.kind !== 'otherWords' && miss.kind !== 'between') return { part, ...miss };
      if (far === null || (far.kind === 'otherWords' && miss.kind === 'between')) far = { part, ...miss };
    }
  }
  return far;
}
