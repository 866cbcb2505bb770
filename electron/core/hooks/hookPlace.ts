// One handler of a settings file, found by its position and known again by its content.
import { createHash } from 'node:crypto';
import type { HookPosition } from '#shared/api/hooks';
import { canonicalJson } from '#shared/util/canonicalJson';
import { fieldsOf } from './hookSettings';

/** A handler as it stands in a file, whatever it is. */
export interface WrittenHook {
  readonly event: string;
  readonly group: number;
  readonly index: number;
  /** As written; not always a text. */
  readonly matcher: unknown;
  readonly handler: unknown;
}

/** Every handler of a file's `hooks`, in the order of the file; what has another shape is left out. */
export function writtenHooks(hooks: unknown): readonly WrittenHook[] {
  const found: WrittenHook[] = [];
  for (const [event, groups] of Object.entries(fieldsOf(hooks) ?? {})) {
    if (!Array.isArray(groups)) continue;
    for (const [group, entry] of groups.entries()) {
      const fields = fieldsOf(entry);
      if (!Array.isArray(fields?.hooks)) continue;
      for (const [index, handler] of fields.hooks.entries())
        found.push({ event, group, index, matcher: fields.matcher, handler });
    }
  }
  return found;
}

/** Stands for a hook's content: event, matcher and handler. */
export function contentId({ event, matcher, handler }: Pick<WrittenHook, 'event' | 'matcher' | 'handler'>): string {
  return createHash('sha256')
    .update(canonicalJson([event, matcher ?? '', handler]))
    .digest('hex')
    .slice(0, 16);
}

/** Stands for position and content together. */
export function entryId(at: HookPosition, hook: WrittenHook): string {
  return [at.source, at.file ?? '', at.event, at.group, at.index, contentId(hook)].join('|');
}
