import { TriangleAlert } from 'lucide-react';
import { useSearch } from '../../stores/search';
import { Spinner } from '../../ui/Spinner';

/** How far the index is, as long as that changes what is found. */
export function IndexLine() {
  const index = useSearch((search) => search.index);
  if (index === null || index.phase === 'idle') return null;
  if (index.phase === 'failed') {
    return (
      <p role="alert" className="mb-3 flex items-start gap-2 text-ask">
        <TriangleAlert aria-hidden size={16} strokeWidth={1.75} className="mt-0.5 shrink-0" />
        <span className="min-w-0 [overflow-wrap:anywhere]">Not everything is searched. {index.problem}</span>
      </p>
    );
  }
  const { done, conversations } = index;
  return (
    <div className="mb-3 flex items-center gap-2.5 text-muted text-small">
      <Spinner label="Making the index" />
      <span>
        The index is being made: {done.toLocaleString('en')} of {conversations.toLocaleString('en')} conversations. More
        may be found soon.
      </span>
      <span
        role="progressbar"
        aria-label="Index"
        aria-valuemin={0}
        aria-valuenow={done}
        aria-valuemax={conversations}
        className="h-1 w-32 shrink-0 overflow-hidden rounded-full bg-segment"
      >
        <span className="block h-full bg-accent" style={{ width: `${(100 * done) / Math.max(conversations, 1)}%` }} />
      </span>
    </div>
  );
}
