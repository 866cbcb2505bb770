// What a form shows for a JSON Schema. What a form cannot show well is a field for JSON; the core judges every input.

interface Base {
  readonly title: string;
  readonly description: string;
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type Field =
  | (Base & { readonly kind: 'string' })
  | (Base & { readonly kind: 'number'; readonly whole: boolean })
  | (Base & { readonly kind: 'boolean' })
  | (Base & { readonly kind: 'choice'; readonly options: readonly (string | number)[] })
  | (Base & { readonly kind: 'list'; readonly item: Field })
  | (Base & { readonly kind: 'object'; readonly fields: readonly ObjectField[] })
  | (Base & { readonly kind: 'json' });

export interface ObjectField {
  readonly name: string;
  readonly required: boolean;
  readonly field: Field;
}

/** Schemas of servers may refer to themselves. */
const deepest = 6;
/** More entries than a person would fill in one by one. */
const mostFields = 200;

type Schema = Readonly<Record<string, unknown>>;

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The field for a schema. `root` is where its references lead; left out: the schema itself. */
export function fieldOf(schema: unknown, root: unknown = schema, depth = 0): Field {
  const json: Field = { kind: 'json', title: '', description: '' };
  if (!isSchema(schema) || depth > deepest) return json;
  const target = resolve(schema, root);
  if (target === null) return { ...json, description: textOf(schema.description) };
  const base: Base = {
    title: textOf(target.title),
    description: textOf(schema.description) || textOf(target.description),
  };
  if (Array.isArray(target.enum)) {
    const options = target.enum.filter((one) => typeof one === 'string' || typeof one === 'number');
    const all = options.length === target.enum.filter((one) => one !== null).length;
    return all && options.length > 0 ? { ...base, kind: 'choice', options } : { ...base, kind: 'json' };
  }
  if (typeof target.const === 'string' || typeof target.const === 'number')
    return { ...base, kind: 'choice', options: [target.const] };
  switch (typeOf(target)) {
    case 'string':
      return { ...base, kind: 'string' };
    case 'number':
      return { ...base, kind: 'number', whole: false };
    case 'integer':
      return { ...base, kind: 'number', whole: true };
    case 'boolean':
      return { ...base, kind: 'boolean' };
    case 'array':
      return isSchema(target.items)
        ? { ...base, kind: 'list', item: fieldOf(target.items, root, depth + 1) }
        : { ...base, kind: 'json' };
    case 'object':
      return objectField({ target, root, depth, base });
    default:
      return { ...base, kind: 'json' };
  }
}

function objectField(about: {
  readonly target: Schema;
  readonly root: unknown;
  readonly depth: number;
  readonly base: Base;
}): Field {
  const { target, root, depth, base } = about;
  const properties = isSchema(target.properties) ? Object.entries(target.properties) : [];
  const open = target.additionalProperties === true || isSchema(target.additionalProperties);
  const odd = ['anyOf', 'oneOf', 'allOf', 'patternProperties'].some((word) => target[word] !== undefined);
  // Names that are not listed could not be typed; at the top the whole input can be written as JSON anyway.
  if (properties.length > mostFields || (depth > 0 && (odd || open || properties.length === 0)))
    return { ...base, kind: 'json' };
  const required = Array.isArray(target.required) ? target.required : [];
  return {
    ...base,
    kind: 'object',
    fields: properties.map(([name, inner]) => ({
      name,
      required: required.includes(name),
      field: fieldOf(inner, root, depth + 1),
    })),
  };
}

/** Its one type, null aside; an object where only properties say so. */
function typeOf(schema: Schema): string {
  if (typeof schema.type === 'string') return schema.type;
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null');
    return types.length === 1 ? textOf(types[0]) : '';
  }
  return isSchema(schema.properties) ? 'object' : '';
}

/** Follows references within the document and choices that have one branch besides null; null: it cannot. */
function resolve(schema: Schema, root: unknown, hops = 0): Schema | null {
  if (hops > deepest) return null;
  if (typeof schema.$ref === 'string') {
    const target = atPointer(root, schema.$ref);
    return isSchema(target) ? resolve(target, root, hops + 1) : null;
  }
  const branches = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(branches) || schema.type !== undefined) return schema;
  const real = branches.filter((branch) => !(isSchema(branch) && branch.type === 'null'));
  const [only] = real;
  return real.length === 1 && isSchema(only) ? resolve(only, root, hops + 1) : schema;
}

function atPointer(root: unknown, pointer: string): unknown {
  if (pointer === '#') return root;
  if (!pointer.startsWith('#/')) return undefined;
  return pointer
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, part) => (isSchema(at) && Object.hasOwn(at, part) ? at[part] : undefined), root);
}
