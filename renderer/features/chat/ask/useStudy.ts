import { useEffect, useState } from 'react';
import type { Reach } from '#shared/api/history';
import type { SavableSource } from '#shared/permissions/sources';
import type { AskStudy, Locks } from './askStudy';

/** Milliseconds after the last key before an edited rule is looked at. */
const settleMs = 200;

/** `unknown`: it cannot be told, for example while no past calls have been read. */
export type Known<Value> = Value | 'asking' | 'unknown';

/** Past calls that each of some proposals would meet, by place; they come one after the other. */
export function useReaches(
  study: AskStudy | undefined,
  proposals: readonly (readonly string[])[],
  source: SavableSource,
): readonly Known<Reach>[] {
  const key = JSON.stringify([proposals, source]);
  const [known, setKnown] = useState<{ readonly key: string; readonly reaches: readonly Known<Reach>[] }>({
    key: '',
    reaches: [],
  });
  useEffect(() => {
    if (study === undefined) return;
    let current = true;
    const [asked, place] = JSON.parse(key) as [string[][], SavableSource];
    const reaches: Known<Reach>[] = asked.map(() => 'asking');
    asked.forEach((rules, index) => {
      const take = (reach: Known<Reach>) => {
        reaches[index] = reach;
        if (current) setKnown({ key, reaches: [...reaches] });
      };
      study.reach(rules, place).then(take, () => take('unknown'));
    });
    return () => {
      current = false;
    };
  }, [study, key]);
  return proposals.map((_, index) => (known.key === key ? (known.reaches[index] ?? 'asking') : 'asking'));
}

export interface Studied {
  readonly reach: Known<Reach>;
  readonly remarks: readonly string[];
}

const nothing: Studied = { reach: 'asking', remarks: [] };

/** The rules as they stand in the fields. */
export function useStudied(study: AskStudy | undefined, rules: readonly string[], source: SavableSource): Studied {
  const key = JSON.stringify([rules.map((rule) => rule.trim()), source]);
  const [known, setKnown] = useState<{ readonly key: string; readonly studied: Studied }>({
    key: '',
    studied: nothing,
  });
  useEffect(() => {
    if (study === undefined) return;
    let current = true;
    const [texts, place] = JSON.parse(key) as [string[], SavableSource];
    const timer = setTimeout(() => {
      if (texts.includes('')) return;
      Promise.all([
        study.reach(texts, place).catch(() => 'unknown' as const),
        study.remarks(texts, place).catch(() => []),
      ]).then(
        ([reach, remarks]) => {
          if (current) setKnown({ key, studied: { reach, remarks } });
        },
        () => undefined,
      );
    }, settleMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [study, key]);
  return known.key === key ? known.studied : nothing;
}

/** Places that cannot be written, with the reasons. */
export function useLocks(study: AskStudy | undefined): Locks {
  const [locks, setLocks] = useState<Locks>({});
  useEffect(() => {
    let current = true;
    study?.locks().then(
      (found) => {
        if (current) setLocks(found);
      },
      // The preview says what stands against a place, and the core refuses what must not be written.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [study]);
  return locks;
}
