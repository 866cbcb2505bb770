// What a person has typed into a form, and the input that it stands for.
import type { Field, Json } from './fieldOf';

/** As typed. An absent entry is not given. Texts stand for numbers and JSON until they are read. */
export type Draft = string | boolean | readonly Draft[] | { readonly [name: string]: Draft };

/** Whether a value is given, and which; `problem` names what cannot be read. */
export type Reading =
  | { readonly state: 'given'; readonly value: Json }
  | { readonly state: 'absent' }
  | { readonly state: 'wrong'; readonly problem: string };

const absent: Reading = { state: 'absent' };

/** What a new entry of a field begins with. */
export function emptyDraft(field: Field): Draft {
  switch (field.kind) {
    case 'list':
      return [];
    case 'object':
      return {};
    default:
      return '';
  }
}

/** Reads a draft. Only what is no JSON at all is wrong here; whether it fits is for the core to say. */
export function readDraft(field: Field, draft: Draft | undefined, required: 'required' | 'optional'): Reading {
  if (draft === undefined) return required === 'required' ? whenMissing(field) : absent;
  switch (field.kind) {
    case 'string':
      return draft === '' && required === 'optional' ? absent : { state: 'given', value: String(draft) };
    case 'number': {
      const text = String(draft).trim();
      if (text === '') return absent;
      const value = Number(text);
      return { state: 'given', value: Number.isFinite(value) ? value : text };
    }
    case 'boolean':
      return draft === '' ? absent : { state: 'given', value: draft === true || draft === 'true' };
    case 'choice': {
      if (draft === '') return absent;
      return { state: 'given', value: field.options.find((option) => String(option) === draft) ?? String(draft) };
    }
    case 'json':
      return readJson(String(draft));
    case 'list':
      return Array.isArray(draft) ? readList(field.item, draft as readonly Draft[], required) : absent;
    case 'object':
      return typeof draft === 'object' && !Array.isArray(draft)
        ? readObject(field, draft as { readonly [name: string]: Draft }, required)
        : absent;
  }
}

function whenMissing(field: Field): Reading {
  if (field.kind === 'list') return { state: 'given', value: [] };
  if (field.kind === 'object') return readDraft(field, {}, 'required');
  return absent;
}

function readJson(text: string): Reading {
  if (text.trim() === '') return absent;
  try {
    return { state: 'given', value: JSON.parse(text) as Json };
  } catch {
    return { state: 'wrong', problem: 'This is not JSON. Write texts in double quotes, for example "text".' };
  }
}

function readList(item: Field, drafts: readonly Draft[], required: 'required' | 'optional'): Reading {
  if (drafts.length === 0 && required === 'optional') return absent;
  const values: Json[] = [];
  for (const draft of drafts) {
    const reading = readDraft(item, draft, 'required');
    if (reading.state === 'wrong') return reading;
    values.push(reading.state === 'given' ? reading.value : null);
  }
  return { state: 'given', value: values };
}

function readObject(
  field: Extract<Field, { kind: 'object' }>,
  drafts: { readonly [name: string]: Draft },
  required: 'required' | 'optional',
): Reading {
  const entries: [string, Json][] = [];
  for (const { name, required: needed, field: inner } of field.fields) {
    const own = Object.hasOwn(drafts, name) ? drafts[name] : undefined;
    // A required text may be empty, but one that nobody has touched is missing.
    const reading = readDraft(inner, own, needed && own !== undefined ? 'required' : 'optional');
    if (reading.state === 'wrong') return { ...reading, problem: `${name}: ${reading.problem}` };
    if (reading.state === 'given') entries.push([name, reading.value]);
  }
  if (entries.length === 0 && required === 'optional') return absent;
  return { state: 'given', value: Object.fromEntries(entries) };
}
