import { randomUUID } from 'node:crypto';

/** A new identifier such as `s_3f0c…`; the prefix tells people reading a log what it names. */
export function newId(prefix: 's' | 'm' | 't' | 'a' | 'h' | 'k' | 'f' | 'r'): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`;
}
