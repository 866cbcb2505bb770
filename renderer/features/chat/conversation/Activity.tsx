import type { SessionState } from '#shared/session/state';
import type { Retrying } from '../../../stores/session';
import { formatElapsed } from '../cards/duration';
import { useNow } from '../cards/useNow';

interface Props {
  readonly turn: SessionState['turn'];
  readonly retrying: Retrying | null;
  /** Nothing else on screen shows that work goes on. */
  readonly silent: boolean;
}

/** The last line of a running turn: that the model is asked, or asked again and why. */
export function Activity({ turn, retrying, silent }: Props) {
  const now = useNow(turn !== null);
  if (turn === null) return null;
  if (retrying !== null) {
    const seconds = Math.max(0, Math.ceil((retrying.until - now) / 1_000));
    return (
      <p role="status" className="pb-3 text-ask">
        {retrying.reason} Trying again {seconds > 0 ? `in ${seconds} s` : 'now'}, attempt {retrying.attempt} of{' '}
        {retrying.ofAttempts}.
      </p>
    );
  }
  if (!silent) return null;
  return (
    <p className="flex items-center gap-2 pb-3 text-muted text-small">
      <span aria-hidden="true" className="breathing size-1.5 rounded-full bg-accent" />
      The model is answering · {formatElapsed(now - turn.startedAt)}
    </p>
  );
}
