import { useEffect, useState } from 'react';
import { RpcError } from '#shared/rpc/errors';
import { messageOf } from '../../../stores/toasts';

export interface Answered<Value> {
  /** The last answer, also while a newer one is awaited; null: none yet. */
  readonly value: Value | null;
  readonly problem: string;
  /** A newer question is under way. */
  readonly isAsking: boolean;
}

/**
 * Asks anew whenever `key` changes, after a pause of `settleMs`; only the newest answer counts. `key` null: nothing to ask,
 * and what was known goes.
 */
export function useAnswer<Value>(question: {
  readonly key: string | null;
  readonly settleMs: number;
  readonly ask: () => Promise<Value>;
}): Answered<Value> {
  const { key, settleMs, ask } = question;
  const [known, setKnown] = useState<Answered<Value> & { readonly key: string | null }>({
    key: null,
    value: null,
    problem: '',
    isAsking: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key holds all that the question depends on.
  useEffect(() => {
    if (key === null) {
      setKnown({ key, value: null, problem: '', isAsking: false });
      return;
    }
    let current = true;
    const timer = setTimeout(() => {
      ask().then(
        (value) => {
          if (current) setKnown({ key, value, problem: '', isAsking: false });
        },
        (error: unknown) => {
          // Another part of the page asked the like; what is known stays.
          if (!current || (error instanceof RpcError && error.code === 'cancelled')) return;
          setKnown((before) => ({ ...before, key, problem: messageOf(error), isAsking: false }));
        },
      );
    }, settleMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key]);
  const isAsking = key !== known.key;
  return { value: key === null ? null : known.value, problem: isAsking ? '' : known.problem, isAsking };
}
