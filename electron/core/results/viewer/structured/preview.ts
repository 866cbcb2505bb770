import type { JsonNode } from '#shared/api/results';
import { beforePair } from '#shared/util/pairs';

const maxPreviewChars = 200;

type Type = JsonNode['type'];

export function typeOf(value: unknown): Type {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** How many children a value has. */
export function childCount(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return isRecord(value) ? Object.keys(value).length : 0;
}

/** The value as one line of JSON, cut after 200 characters without looking at the rest. */
export function previewOf(value: unknown): string {
  const parts: string[] = [];
  let room = maxPreviewChars;
  const put = (text: string): void => {
    parts.push(text);
    room -= text.length;
  };
  const write = (part: unknown): void => {
    if (room <= 0) return;
    if (typeof part === 'string') put(JSON.stringify(part.length > room ? part.slice(0, room) : part));
    else if (Array.isArray(part)) {
      put('[');
      for (let at = 0; at < part.length && room > 0; at += 1) {
        if (at > 0) put(', ');
        write(part[at]);
      }
      put(']');
    } else if (isRecord(part)) {
      put('{');
      let isFirst = true;
      for (const key in part) {
        if (room <= 0) break;
        if (!isFirst) put(', ');
        isFirst = false;
        put(`${JSON.stringify(key.slice(0, maxPreviewChars))}: `);
        write(part[key]);
      }
      put('}');
    } else put(JSON.stringify(part) ?? 'null');
  };
  write(value);
  return cut(parts.join(''), maxPreviewChars);
}

/** At most so many characters, with a mark where something is left out. */
export const cut = (text: string, maxChars: number): string =>
  text.length <= maxChars ? text : `${text.slice(0, beforePair(text, maxChars - 1))}…`;
