// Values that fit a schema, more or less: what a page or a core of another kind might send.
import fc from 'fast-check';
import { z } from 'zod';
import { damagedJson, hostileJson, hostileNumber, hostileText } from './hostile';

type Fields = Readonly<Record<string, unknown>>;

/** Texts for a field of this name; undefined: any. */
export type TextsFor = (name: string) => fc.Arbitrary<string> | undefined;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const deepest = 4;

/** Values that fit, as far as the schema can be told as JSON Schema. */
export function fitting(schema: z.ZodType, texts: TextsFor): fc.Arbitrary<unknown> {
  const root: unknown = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    cycles: 'ref',
    reused: 'inline',
  });
  const definitions = isFields(root) && isFields(root.$defs) ? root.$defs : {};
  const number = (from: Fields, whole: boolean): fc.Arbitrary<number> => {
    const low = Number(
      from.minimum ?? (typeof from.exclusiveMinimum === 'number' ? from.exclusiveMinimum + 1 : -1_000),
    );
    const high = Math.max(low, Number(from.maximum ?? low + 100_000));
    const near = fc.integer({
      min: Math.max(-(2 ** 31), Math.ceil(low)),
      max: Math.min(2 ** 31 - 1, Math.max(Math.ceil(low), Math.floor(high))),
    });
    return whole ? near : fc.oneof(near, hostileNumber);
  };
  const text = (from: Fields, name: string): fc.Arbitrary<string> => {
    const wanted = texts(name);
    const least = typeof from.minLength === 'number' ? from.minLength : 0;
    const most = typeof from.maxLength === 'number' ? from.maxLength : 20_000;
    const any = hostileText.map((one) => one.padEnd(least, 'x').slice(0, most));
    if (wanted !== undefined) return fc.oneof({ weight: 4, arbitrary: wanted }, { weight: 1, arbitrary: any });
    return typeof from.pattern === 'string' ? fc.oneof(matching(from.pattern), any) : any;
  };
  const arbitraryOf = (from: unknown, name: string, depth: number): fc.Arbitrary<unknown> => {
    if (!isFields(from) || depth > deepest * 3) return depth > deepest ? fc.constant(null) : hostileJson;
    if (typeof from.$ref === 'string')
      return depth > deepest
        ? fc.constant(null)
        : arbitraryOf(definitions[from.$ref.replace('#/$defs/', '')], name, depth + 1);
    if ('const' in from) return fc.constant(from.const);
    if (Array.isArray(from.enum)) return fc.constantFrom(...from.enum);
    const some = [from.anyOf, from.oneOf].find(Array.isArray);
    if (some !== undefined) return fc.oneof(...some.map((one: unknown) => arbitraryOf(one, name, depth + 1)));
    if (Array.isArray(from.allOf))
      return fc
        .tuple(...from.allOf.map((one: unknown) => arbitraryOf(one, name, depth + 1)))
        .map((parts) => Object.assign({}, ...parts.map((one) => (isFields(one) ? one : {}))));
    switch (from.type) {
      case 'string':
        return text(from, name);
      case 'integer':
        return number(from, true);
      case 'number':
        return number(from, false);
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'array': {
        const least = typeof from.minItems === 'number' ? from.minItems : 0;
        const most = Math.max(least, Math.min(typeof from.maxItems === 'number' ? from.maxItems : 4, 4));
        return fc.array(arbitraryOf(from.items, name, depth + 1), { minLength: least, maxLength: most });
      }
      case 'object':
        return fields(from, name, depth);
      default:
        return hostileJson;
    }
  };
  const fields = (from: Fields, name: string, depth: number): fc.Arbitrary<unknown> => {
    const own = isFields(from.properties) ? from.properties : {};
    const required = Array.isArray(from.required) ? from.required : [];
    const known = fc.record(
      Object.fromEntries(Object.entries(own).map(([key, one]) => [key, arbitraryOf(one, key, depth + 1)])),
      { requiredKeys: required.filter((key) => Object.hasOwn(own, key)) },
    );
    if (!isFields(from.additionalProperties)) return known;
    const more = fc.dictionary(hostileText, arbitraryOf(from.additionalProperties, name, depth + 1), { maxKeys: 3 });
    return fc.tuple(known, more).map(([a, b]) => ({ ...b, ...a }));
  };
  return arbitraryOf(root, '', 0);
}

function matching(pattern: string): fc.Arbitrary<string> {
  try {
    const texts = fc.stringMatching(new RegExp(pattern));
    fc.sample(texts, 1);
    return texts;
  } catch {
    return hostileText;
  }
}

/** Mostly what fits, sometimes with damage. */
export function nearly(schema: z.ZodType, texts: TextsFor): fc.Arbitrary<unknown> {
  const fits = fitting(schema, texts);
  return fc.oneof({ weight: 3, arbitrary: fits }, { weight: 1, arbitrary: fits.chain(damagedJson) });
}
