// Checks a call's input against a server's schema before the server sees it. Interpreted, with a budget: a schema is
// hostile text, so nothing of it is compiled and its patterns are left to the server.
import { isFields, referred, type Schema } from './toolSchema';

export interface InputProblem {
  readonly path: readonly (string | number)[];
  /** `expected …`; for unknown fields, their names instead. */
  readonly expected: string;
  readonly unknownFields?: readonly string[];
}

export interface CheckedInput {
  /** The input with numbers and booleans in place of texts that stand for them. */
  readonly value: unknown;
  readonly problems: readonly InputProblem[];
}

/** Parts of the schema looked at for one input. */
const maxSteps = 20_000;
/** Schemas within schemas, references followed. */
const maxDepth = 100;
const maxProblems = 10;

class Run {
  steps = 0;
  depth = 0;
  constructor(readonly root: Schema) {}
}

type Path = readonly (string | number)[];
type Checked = { readonly value: unknown; readonly problems: InputProblem[] };

/** Checks and gently converts. Never throws; what is too much to check passes, the server checks again. */
export function checkInput(schema: Schema, input: unknown): CheckedInput {
  const { value, problems } = check(schema, input, [], new Run(schema));
  return { value, problems: problems.slice(0, maxProblems) };
}

const article = (word: string) => (/^[aeiou]/.test(word) ? 'an' : 'a');

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

function fits(value: unknown, type: string): boolean {
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  return typeOf(value) === type;
}

/** A text that stands for a number or boolean, where only such a value is wanted. */
function coerced(value: unknown, types: readonly string[]): unknown {
  if (typeof value !== 'string' || types.includes('string')) return value;
  const text = value.trim();
  if ((types.includes('number') || types.includes('integer')) && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text))
    return Number(text);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return value;
}

function check(schema: Schema, given: unknown, path: Path, run: Run): Checked {
  run.steps += 1;
  if (schema === true || run.steps > maxSteps || run.depth > maxDepth) return { value: given, problems: [] };
  run.depth += 1;
  try {
    return checkAt(schema, given, path, run);
  } finally {
    run.depth -= 1;
  }
}

function checkAt(schema: Exclude<Schema, true>, given: unknown, path: Path, run: Run): Checked {
  if (schema === false) return { value: given, problems: [{ path, expected: 'expected nothing here' }] };
  const problems: InputProblem[] = [];
  const wrong = (expected: string): void => void problems.push({ path, expected: `expected ${expected}` });
  const types = [schema.type].flat().filter((one): one is string => typeof one === 'string');
  let value = coerced(given, types);
  if (types.length > 0 && !types.some((type) => fits(value, type))) {
    wrong(types.map((type) => `${article(type)} ${type}`).join(' or '));
    return { value, problems };
  }
  if (typeof schema.$ref === 'string') {
    const target = referred(run.root, schema.$ref);
    if (target !== undefined) value = into(problems, check(target, value, path, run));
  }
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => same(one, value)))
    wrong(
      `one of ${schema.enum
        .slice(0, 20)
        .map((one) => JSON.stringify(one))
        .join(', ')}`,
    );
  if ('const' in schema && !same(schema.const, value)) wrong(JSON.stringify(schema.const));
  if (typeof value === 'number') numbers(schema, value, wrong);
  if (typeof value === 'string') lengths(schema, { count: [...value].length, of: 'Length', unit: 'characters' }, wrong);
  if (Array.isArray(value)) {
    lengths(schema, { count: value.length, of: 'Items', unit: 'items' }, wrong);
    value = items(schema, value, path, problems, run);
  } else if (isFields(value)) value = fields(schema, value, path, problems, run);
  return { value: alternatives(schema, value, path, problems, run), problems };
}

function into(problems: InputProblem[], checked: Checked): unknown {
  problems.push(...checked.problems);
  return checked.value;
}

function same(one: unknown, other: unknown): boolean {
  return one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));
}

type Wrong = (expected: string) => void;
type Keywords = Readonly<Record<string, unknown>>;

function numbers(schema: Keywords, value: number, wrong: Wrong): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (typeof minimum === 'number' && value < minimum) wrong(`at least ${minimum}`);
  if (typeof maximum === 'number' && value > maximum) wrong(`at most ${maximum}`);
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) wrong(`more than ${exclusiveMinimum}`);
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) wrong(`less than ${exclusiveMaximum}`);
}

function lengths(
  schema: Keywords,
  { count, of, unit }: { readonly count: number; readonly of: string; readonly unit: string },
  wrong: Wrong,
): void {
  const [min, max] = [schema[`min${of}`], schema[`max${of}`]];
  if (typeof min === 'number' && count < min) wrong(`at least ${min} ${unit}`);
  if (typeof max === 'number' && count > max) wrong(`at most ${max} ${unit}`);
}

const asSchema = (value: unknown): Schema => (typeof value === 'boolean' || isFields(value) ? value : true);

function items(schema: Keywords, value: readonly unknown[], path: Path, problems: InputProblem[], run: Run): unknown {
  const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  return value.map((one, index) =>
    into(problems, check(asSchema(index < first.length ? first[index] : schema.items), one, [...path, index], run)),
  );
}

function fields(schema: Keywords, value: Keywords, path: Path, problems: InputProblem[], run: Run): unknown {
  const known = isFields(schema.properties) ? schema.properties : {};
  for (const name of Array.isArray(schema.required) ? schema.required : [])
    if (typeof name === 'string' && !Object.hasOwn(value, name)) {
      const type = isFields(known[name]) ? known[name].type : undefined;
      problems.push({
        path: [...path, name],
        expected: `expected ${typeof type === 'string' ? `${article(type)} ${type}` : 'a value'}`,
      });
    }
  const strangers = Object.keys(value).filter((name) => !Object.hasOwn(known, name));
  if (schema.additionalProperties === false && strangers.length > 0)
    problems.push({ path, expected: '', unknownFields: strangers.slice(0, maxProblems) });
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const part = Object.hasOwn(known, name) ? known[name] : schema.additionalProperties;
      if (part === false) return [name, one];
      return [name, into(problems, check(asSchema(part), one, [...path, name], run))];
    }),
  );
}

function alternatives(schema: Keywords, given: unknown, path: Path, problems: InputProblem[], run: Run): unknown {
  let value = given;
  for (const part of Array.isArray(schema.allOf) ? schema.allOf : [])
    value = into(problems, check(asSchema(part), value, path, run));
  for (const parts of [schema.anyOf, schema.oneOf]) {
    if (!Array.isArray(parts)) continue;
    const tried = parts.map((part) => check(asSchema(part), value, path, run));
    const fit = tried.find((one) => one.problems.length === 0);
    if (fit !== undefined) value = fit.value;
    else {
      // The alternative that is nearest explains best.
      const nearest = tried.reduce((best, one) => (depthOf(one) > depthOf(best) ? one : best));
      problems.push(...nearest.problems);
    }
  }
  return value;
}

const depthOf = ({ problems }: Checked): number =>
  Math.max(...problems.map((one) => one.path.length)) - problems.length / 1_000;
