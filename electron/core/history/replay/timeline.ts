// The calls of a scope counted by what has one verdict, kept as long as the index does not change.
import type { PastCall } from '#shared/api/history';
import type { CallIndex, CallScope, Pace } from '../pastCalls';
import type { DistinctCalls, PastCase } from './distinctCalls';

/** Calls that are equal in all that counts for a verdict. */
export interface Group {
  readonly one: PastCase;
  readonly count: number;
  /** When the youngest was made, in epoch milliseconds. */
  readonly last: number;
  /** Id of the youngest. */
  readonly id: string;
  /** Id of the youngest that was refused at the time; null when none was. */
  readonly refused: string | null;
  readonly refusals: number;
  /** How many were carried out, as far as the record says. */
  readonly ran: number;
}

export interface Counted {
  readonly groups: readonly Group[];
  readonly calls: number;
  readonly sessions: number;
}

interface Seen {
  readonly one: PastCase;
  readonly at: number;
  readonly id: string;
  readonly session: string;
  readonly outcome: PastCall['outcome'];
}

interface Kept {
  readonly version: number;
  readonly since: number;
  /** The newest first. */
  readonly seen: readonly Seen[];
  counted: { readonly length: number; readonly value: Counted } | null;
}

/** Scopes that are kept. */
const maxScopes = 3;
/** Between two looks at the clock, calls that are passed over. */
const callsPerBreath = 32;

function count(seen: readonly Seen[], length: number): Counted {
  const groups = new Map<PastCase, { -readonly [K in keyof Group]: Group[K] }>();
  const sessions = new Set<string>();
  for (let at = 0; at < length; at += 1) {
    const call = seen[at];
    if (call === undefined) break;
    sessions.add(call.session);
    let group = groups.get(call.one);
    if (group === undefined) {
      group = { one: call.one, count: 0, last: call.at, id: call.id, refused: null, refusals: 0, ran: 0 };
      groups.set(call.one, group);
    }
    group.count += 1;
    if (call.outcome === 'refused') {
      group.refused ??= call.id;
      group.refusals += 1;
    }
    if (call.outcome === 'ran' || call.outcome === 'failed') group.ran += 1;
  }
  return { groups: alikeTogether([...groups.values()]), calls: length, sessions: sessions.size };
}

/** Equal commands in different folders one after the other: what was read of a line is then at hand. */
function alikeTogether(groups: readonly Group[]): readonly Group[] {
  return [...groups].sort((a, b) => {
    const [one, other] = [a.one.distinct.title, b.one.distinct.title];
    return one < other ? -1 : one > other ? 1 : 0;
  });
}

/** How many of the calls, the newest first, are not older than `since`. */
function lengthSince(seen: readonly Seen[], since: number): number {
  let low = 0;
  let high = seen.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((seen[middle]?.at ?? 0) >= since) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class Timeline {
  private readonly kept = new Map<string, Kept>();

  constructor(
    private readonly index: CallIndex,
    private readonly calls: DistinctCalls,
  ) {}

  async counted({ folder, since }: CallScope, pace: Pace): Promise<Counted> {
    const key = folder ?? '';
    const known = this.kept.get(key);
    const isGood = known !== undefined && known.version === this.index.version && known.since <= since;
    const kept = isGood ? known : await this.read({ folder, since }, pace);
    this.kept.delete(key);
    this.kept.set(key, kept);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= maxScopes) break;
      this.kept.delete(oldest);
    }
    const length = lengthSince(kept.seen, since);
    if (kept.counted?.length !== length) kept.counted = { length, value: count(kept.seen, length) };
    return kept.counted.value;
  }

  private async read(scope: CallScope, pace: Pace): Promise<Kept> {
    const { version } = this.index;
    const seen: Seen[] = [];
    for (const call of this.index.calls(scope)) {
      const one = this.calls.caseOf(this.calls.of(call), call);
      const { at, id, session, outcome } = call;
      seen.push({ one, at, id, session, outcome });
      if (seen.length % callsPerBreath === 0) await pace.breathe();
    }
    return { version, since: scope.since, seen, counted: null };
  }
}
