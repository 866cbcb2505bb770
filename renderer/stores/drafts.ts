// Unsent text, kept in the tab over a reload.
import { z } from 'zod';

const key = 'gatehouse.drafts';

const Drafts = z.record(z.string(), z.string());

/** Drafts by session id, as this tab left them. */
export function loadDrafts(): Readonly<Record<string, string>> {
  const text = storage()?.getItem(key) ?? '{}';
  try {
    const drafts = Drafts.safeParse(JSON.parse(text));
    return drafts.success ? drafts.data : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** Keeps the drafts that are not empty. A tab that has no room left keeps them in memory alone. */
export function saveDrafts(drafts: Readonly<Record<string, string>>): void {
  const kept = Object.fromEntries(Object.entries(drafts).filter(([, text]) => text !== ''));
  try {
    storage()?.setItem(key, JSON.stringify(kept));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

function storage(): Storage | undefined {
  return typeof sessionStorage === 'undefined' ? undefined : sessionStorage;
}
