// The gates that stand above allow rules for what a call touches: Gatehouse's own secrets, and files that steer what runs.
import type { CallFacts } from './callFacts';
import { guardText, isOwnLimit } from './guardedNames';

/** Why a protected file stops a call. */
export interface Guarded {
  readonly detail: string;
  /** The agent's own limits would change: no mode opens that. */
  readonly ownLimit: boolean;
  /** The call only names the file: what becomes of it is not known. */
  readonly mentioned: boolean;
}

/** The file or mention that stops a call, the agent's own limits first; null where none does. */
export function guardedBy(facts: CallFacts): Guarded | null {
  const found: Guarded[] = [];
  for (const { access, given, protected: guard } of facts.files)
    if (access === 'write' && guard !== null)
      found.push({ detail: guardText(given, guard), ownLimit: isOwnLimit(guard.steers), mentioned: false });
  for (const { detail, steers, private: isPrivate } of facts.mentions)
    if (!isPrivate) found.push({ detail, ownLimit: isOwnLimit(steers), mentioned: true });
  return found.find(({ ownLimit }) => ownLimit) ?? found[0] ?? null;
}

/** Why Gatehouse's own secrets and data forbid a call, as a sentence; null where it touches none. */
export function privateDetail(all: readonly CallFacts[]): string | null {
  const file = all.flatMap(({ files }) => files).find((one) => one.private);
  if (file !== undefined) return `${file.given} holds Gatehouse’s own secrets or data; no tool may touch it.`;
  const mention = all.flatMap(({ mentions }) => mentions).find((one) => one.private);
  return mention === undefined
    ? null
    : `${mention.detail} It holds Gatehouse’s own secrets or data; no tool may touch it.`;
}
