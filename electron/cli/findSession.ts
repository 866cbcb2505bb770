import { fail, ok, type Result } from '#shared/util/result';
import type { StoredSession } from '../core/sessions/store';

/** The session of a name: the whole of it, its start, or "last" for the one changed last. `sessions`: last changed first. */
export function findSession(sessions: readonly StoredSession[], name: string): Result<StoredSession> {
  const [first, second] = sessions.filter((one) => name === 'last' || one.sessionId.startsWith(name));
  if (first === undefined) return fail(`There is no session ${name}. gatehouse trace lists them.`);
  if (name !== 'last' && second !== undefined && first.sessionId !== name)
    return fail(`More than one session begins with ${name}. Give more of its name.`);
  return ok(first);
}
