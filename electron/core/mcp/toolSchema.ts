// Input schemas as servers send them: bounded, with only what JSON Schema and the Messages API know, an object at the root.
import { fail, ok, type Result } from '#shared/util/result';
import type { ApiInputSchema } from '../tools/tool';
import { serverText } from './cleanText';

/** Most characters of a schema as JSON; whole catalogues of tools are smaller. */
const maxChars = 100_000;
const maxDepth = 30;

/** Part of a schema, cleaned. `true` and `false` are schemas, too. */
export type Schema = boolean | { readonly [keyword: string]: unknown };

export interface ToolSchema {
  /** What the model sees: no alternatives at the root. */
  readonly api: ApiInputSchema;
  /** What inputs are checked against. */
  readonly check: Schema;
}

type Fields = Readonly<Record<string, unknown>>;
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const typeNames = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
const isFlag = (value: unknown): boolean => typeof value === 'boolean';

/** Keywords with plain values, and what their values must be. All others but those of `cleaned` are left out. */
const plainKeywords: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['type', (value) => (Array.isArray(value) ? value.length > 0 && value.every(isType) : isType(value))],
  ['enum', (value) => Array.isArray(value) && value.length > 0],
  ['const', () => true],
  ['default', () => true],
  ['format', isText],
  ['pattern', isPattern],
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['exclusiveMinimum', isNumber],
  ['exclusiveMaximum', isNumber],
  ['multipleOf', (value) => isNumber(value) && Number(value) > 0],
  ['minLength', isCount],
  ['maxLength', isCount],
  ['minItems', isCount],
  ['maxItems', isCount],
  ['minProperties', isCount],
  ['maxProperties', isCount],
  ['uniqueItems', isFlag],
]);

function isType(value: unknown): boolean {
  return isText(value) && typeNames.has(value);
}

function isPattern(value: unknown): boolean {
  if (!isText(value) || value.length > 1_000) return false;
  try {
    return new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

class TooDeep extends Error {}

function cleaned(raw: unknown, depth: number): Schema {
  if (depth > maxDepth) throw new TooDeep();
  if (typeof raw === 'boolean') return raw;
  if (!isFields(raw)) return true;
  const schema: Record<string, unknown> = {};
  const part = (value: unknown): Schema => cleaned(value, depth + 1);
  for (const [keyword, value] of Object.entries(raw)) {
    if (plainKeywords.get(keyword)?.(value) === true) schema[keyword] = value;
    else if ((keyword === 'description' || keyword === 'title') && isText(value)) schema[keyword] = serverText(value);
    else if (keyword === 'required' && Array.isArray(value)) schema[keyword] = [...new Set(value.filter(isText))];
    else if (['properties', '$defs', 'definitions'].includes(keyword) && isFields(value))
      schema[keyword] = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, part(one)]));
    else if (['anyOf', 'oneOf', 'allOf', 'prefixItems'].includes(keyword) && Array.isArray(value) && value.length > 0)
      schema[keyword] = value.map(part);
    else if (keyword === 'items' && Array.isArray(value)) schema.prefixItems = value.map(part);
    else if (['items', 'additionalProperties', 'not'].includes(keyword) && (isFields(value) || isFlag(value)))
      schema[keyword] = part(value);
    else if (keyword === '$ref' && isText(value) && /^#(\/|$)/.test(value)) schema.$ref = value;
  }
  return schema;
}

/** The part of a schema that a local reference names. */
export function referred(root: Schema, reference: string): Schema | undefined {
  let at: unknown = root;
  for (const step of reference.slice(1).split('/').slice(1)) {
    let name: string;
    try {
      name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    } catch {
      return undefined;
    }
    if (Array.isArray(at)) at = at[Number(name)];
    else at = isFields(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return typeof at === 'boolean' || isFields(at) ? at : undefined;
}

/** References to nothing would make the API refuse the whole request. */
function withoutDeadReferences(root: Schema, at: unknown): unknown {
  if (Array.isArray(at)) return at.map((one) => withoutDeadReferences(root, one));
  if (!isFields(at)) return at;
  return Object.fromEntries(
    Object.entries(at).flatMap(([keyword, value]) => {
      if (keyword === '$ref' && isText(value) && referred(root, value) === undefined) return [];
      return [[keyword, keyword === 'enum' || keyword === 'const' ? value : withoutDeadReferences(root, value)]];
    }),
  );
}

/** Parts of alternatives looked at for one schema; more than that nobody writes by hand. */
const maxParts = 200;

/** Alternatives at the root become one object: all their fields; required is what all (allOf: any) of them require. */
function flattened(schema: Fields, root: Schema, budget = { parts: maxParts }): Fields {
  const { anyOf, oneOf, allOf, $ref, ...rest } = schema;
  budget.parts -= 1;
  if (budget.parts < 0) return rest;
  const target = isText($ref) ? referred(root, $ref) : undefined;
  let all: Fields = isFields(target) ? merged([rest, flattened(target, root, budget)], 'all') : rest;
  for (const [parts, how] of [
    [anyOf, 'some'],
    [oneOf, 'some'],
    [allOf, 'all'],
  ] as const) {
    if (!Array.isArray(parts)) continue;
    const objects = parts.slice(0, maxParts).filter(isFields);
    if (objects.length === 0) continue;
    const each = objects.map((one) => flattened(one, root, budget));
    all = merged([all, merged(each, how)], 'all');
  }
  return all;
}

function merged(parts: readonly Fields[], how: 'some' | 'all'): Fields {
  const properties: Record<string, unknown> = {};
  const requireds: (readonly string[])[] = [];
  let rest: Fields = {};
  for (const one of parts) {
    const { properties: own, required, ...other } = one;
    for (const [name, schema] of Object.entries(isFields(own) ? own : {})) {
      const present = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const same = present === undefined || JSON.stringify(present) === JSON.stringify(schema);
      properties[name] = same ? schema : { anyOf: [present, schema] };
    }
    requireds.push(Array.isArray(required) ? required.filter(isText) : []);
    rest = { ...other, ...rest };
  }
  // Closed parts need not know each other's fields.
  if (parts.length > 1)
    rest = Object.fromEntries(Object.entries(rest).filter(([key]) => key !== 'additionalProperties'));
  const required =
    how === 'all'
      ? [...new Set(requireds.flat())]
      : (requireds[0] ?? []).filter((name) => requireds.every((one) => one.includes(name)));
  return { ...rest, properties, ...(required.length === 0 ? {} : { required }) };
}

/**
 * Makes a server's input schema fit for use. The error says in words why the tool has to be left out. Texts inside are
 * cleaned; keywords that are unknown or of the wrong shape are dropped, which can only accept more.
 */
export function toolSchema(raw: unknown): Result<ToolSchema> {
  if (!isFields(raw)) return fail('its input schema is missing');
  let check: Schema;
  try {
    if (JSON.stringify(raw).length > maxChars) return fail('its input schema is too big');
    const first = cleaned(raw, 0);
    check = withoutDeadReferences(first, first) as Schema;
  } catch (error) {
    if (error instanceof TooDeep || error instanceof RangeError) return fail('its input schema is nested too deep');
    throw error;
  }
  if (!isFields(check)) return fail('its input schema is no object');
  const types = check.type;
  if (types !== undefined && types !== 'object' && !(Array.isArray(types) && types.includes('object')))
    return fail('its input is not an object');
  const { type: _, properties, required, ...rest } = flattened(check, check);
  const fields = isFields(properties) ? properties : {};
  const bad = Object.keys(fields).find((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name));
  if (bad !== undefined) return fail('one of its fields has a name that models cannot use');
  const known = Array.isArray(required) ? required.filter(isText).filter((name) => Object.hasOwn(fields, name)) : [];
  const api: ApiInputSchema = {
    type: 'object',
    properties: { ...fields },
    ...(known.length === 0 ? {} : { required: known }),
    ...rest,
  };
  return ok({ api, check });
}
