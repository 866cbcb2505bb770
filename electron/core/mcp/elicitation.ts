// A server's question to the person, through the questions that the person knows.
import type { ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client';
import type { Question } from '#shared/session/ask';
import { headOf } from '../tools/wording';
import { serverName, serverText } from './cleanText';
import type { Asker } from './serverConnection';
import { isFields } from './toolSchema';

/** Fields of one form; a longer one is declined. */
const maxFields = 24;
/** Questions shown at once. */
const atOnce = 4;
const maxOptions = 20;
/** Longest address of a page, in characters: a person has to be able to look at it. */
const longestAddress = 2_000;

interface Field {
  readonly name: string;
  readonly question: Question;
  /** The value for what was chosen or typed; undefined when it does not fit. */
  value(chosen: readonly string[]): string | number | boolean | string[] | undefined;
  readonly required: boolean;
}

const leaveOut = 'Leave it empty';

/** Asks; declines when the person does or when the form cannot be shown, and cancels when an answer does not fit its field. */
export async function elicit(server: string, params: ElicitRequestParams, asker: Asker): Promise<ElicitResult> {
  if (params.mode === 'url') return await visit(server, params, asker);
  const form = formOf(server, params);
  if (form === null) return { action: 'decline' };
  if (form.length === 0) return await confirm(server, params, asker);
  const content: Record<string, string | number | boolean | string[]> = {};
  for (let at = 0; at < form.length; at += atOnce) {
    const fields = form.slice(at, at + atOnce);
    const reply = await asker.askPerson(fields.map((field) => field.question));
    if (!reply.answered) return { action: 'decline' };
    for (const field of fields) {
      const chosen = reply.answers[field.question.question] ?? [];
      if (chosen.length === 0 || (chosen.length === 1 && chosen[0] === leaveOut)) {
        if (field.required) return { action: 'cancel' };
        continue;
      }
      const value = field.value(chosen);
      if (value === undefined) return { action: 'cancel' };
      content[field.name] = value;
    }
  }
  return { action: 'accept', content };
}

async function confirm(server: string, params: ElicitRequestParams, asker: Asker): Promise<ElicitResult> {
  const question = `The MCP server ${server} says: ${serverText(params.message, 1_000)}`;
  const options = [
    { label: 'Accept', description: 'Go on.' },
    { label: 'Decline', description: 'Say no to the server.' },
  ];
  const reply = await asker.askPerson([{ question, header: headOf(server, 12), multiSelect: false, options }]);
  const accepted = reply.answered && reply.answers[question]?.[0] === 'Accept';
  return accepted ? { action: 'accept', content: {} } : { action: 'decline' };
}

/**
 * Asks the person to open a page themselves: what they enter there is between them and the page. Nothing is fetched, and an
 * address that could mislead is declined.
 */
async function visit(
  server: string,
  { message, url }: { readonly message: string; readonly url: string },
  asker: Asker,
): Promise<ElicitResult> {
  const address = pageAddress(url);
  if (address === null) return { action: 'decline' };
  const question = `The MCP server ${server} wants you to open a page of ${address.host}: ${serverText(message, 600)}`;
  const preview = `${address.host}\n\n${address.href}\n\nGatehouse sees nothing of what you enter there.`;
  const options = [
    { label: 'I open it', description: 'You open its address in your browser, then go on.', preview },
    { label: 'Decline', description: 'Open nothing and say no to the server.' },
  ];
  const reply = await asker.askPerson([{ question, header: headOf(server, 12), multiSelect: false, options }]);
  if (!reply.answered) return { action: 'decline' };
  return { action: reply.answers[question]?.[0] === 'I open it' ? 'accept' : 'decline' };
}

/** Encrypted, or on this computer; without name and password, which hide the host. */
function pageAddress(text: string): URL | null {
  if (text.length > longestAddress || !URL.canParse(text)) return null;
  const url = new URL(text);
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isHere);
  return isSafe && url.username === '' && url.password === '' && !/[<>\s`]/.test(url.href) ? url : null;
}

/** The form's fields; null when it cannot be shown. */
function formOf(server: string, params: ElicitRequestParams): readonly Field[] | null {
  const schema: unknown = 'requestedSchema' in params ? params.requestedSchema : undefined;
  if (!isFields(schema)) return null;
  const properties = isFields(schema.properties) ? Object.entries(schema.properties) : [];
  if (properties.length > maxFields) return null;
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const message = serverText(params.message, 600);
  const fields: Field[] = [];
  for (const [name, raw] of properties) {
    if (!isFields(raw)) return null;
    const field = fieldOf({ server, message, name, schema: raw, required: required.includes(name) });
    // Questions are told apart by their text.
    if (field === null || fields.some((one) => one.question.question === field.question.question)) return null;
    fields.push(field);
  }
  return fields;
}

function fieldOf(about: {
  readonly server: string;
  readonly message: string;
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly required: boolean;
}): Field | null {
  const { server, message, name, schema, required } = about;
  const label = serverName(schema.title ?? name, 100);
  const description = serverText(schema.description, 300);
  const choices = choicesOf(schema);
  const question = [
    `The MCP server ${server} asks: ${message}`,
    description === '' ? label : `${label}: ${description}`,
  ].join('\n');
  const make = (options: Question['options'], value: Field['value'], multiSelect = false): Field => ({
    name,
    required,
    value,
    question: {
      question,
      header: headOf(label, 12),
      multiSelect,
      options: required ? options : [...options, { label: leaveOut, description: 'Say nothing.' }],
    },
  });
  if (choices !== null) {
    if (choices.length > maxOptions) return null;
    const options = choices.map((one) => ({ label: one.label, description: '' }));
    const pickedValue = (chosen: string): string | undefined => choices.find((one) => one.label === chosen)?.value;
    if (schema.type !== 'array') return make(options, ([first = '']) => pickedValue(first));
    return make(
      options,
      (chosen) => {
        const values = chosen.map(pickedValue).filter((one): one is string => one !== undefined);
        return values.length === chosen.length ? values : undefined;
      },
      true,
    );
  }
  const preset = ['string', 'number', 'boolean'].includes(typeof schema.default) ? String(schema.default) : null;
  const typed = preset === null ? [] : [{ label: serverName(preset, 100), description: 'What the server suggests.' }];
  switch (schema.type) {
    case 'boolean':
      return make(
        [
          { label: 'Yes', description: '' },
          { label: 'No', description: '' },
        ],
        ([first]) => (first === 'Yes' ? true : first === 'No' ? false : undefined),
      );
    case 'number':
    case 'integer':
      return make(typed, ([first = '']) => {
        const value = Number(first.trim());
        const fits =
          first.trim() !== '' && Number.isFinite(value) && (schema.type === 'number' || Number.isInteger(value));
        return fits ? value : undefined;
      });
    case 'string':
      return make(typed, ([first = '']) => first);
    default:
      return null;
  }
}

/** The values to choose from, with their labels; null when anything may be typed. */
function choicesOf(schema: Readonly<Record<string, unknown>>): readonly { value: string; label: string }[] | null {
  const from = schema.type === 'array' && isFields(schema.items) ? schema.items : schema;
  const titled = [from.oneOf, from.anyOf].find(Array.isArray);
  if (titled !== undefined)
    return titled.flatMap((one: unknown) =>
      isFields(one) && typeof one.const === 'string'
        ? [{ value: one.const, label: serverName(one.title ?? one.const, 100) }]
        : [],
    );
  if (!Array.isArray(from.enum)) return null;
  const names = Array.isArray(from.enumNames) ? from.enumNames : [];
  return from.enum.flatMap((value: unknown, index) =>
    typeof value === 'string' ? [{ value, label: serverName(names[index] ?? value, 100) }] : [],
  );
}
