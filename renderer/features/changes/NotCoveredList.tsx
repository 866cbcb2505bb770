import { CircleSlash } from 'lucide-react';
import type { NotCovered } from '#shared/api/changes';
import { VisibleText } from '../../ui/VisibleText';
import { counted } from '../frame/words';

/** Most calls that are named; the rest is counted. */
const mostNamed = 100;

/** Says plainly what cannot be taken back here. */
export function NotCoveredList({ calls }: { readonly calls: readonly NotCovered[] }) {
  if (calls.length === 0) {
    return (
      <p className="px-4 py-2.5 text-muted text-small">
        What commands and servers’ tools change is not recorded. None ran in this session that could have changed a
        file.
      </p>
    );
  }
  return (
    <details className="group px-4 py-2.5 text-small">
      <summary className="cursor-pointer rounded-small text-muted marker:text-dim hover:text-text">
        <span className="font-semibold text-text">{counted(calls.length, 'call')} not covered.</span> What{' '}
        {calls.length === 1 ? 'it' : 'they'} changed is not recorded and stays as it is.
      </summary>
      <ul className="mt-2 flex max-h-44 flex-col gap-1 overflow-y-auto" aria-label="Calls that are not covered">
        {calls.slice(-mostNamed).map(({ callId, title, what }) => (
          <li key={callId} className="flex min-w-0 items-baseline gap-2">
            <CircleSlash aria-hidden="true" size={12} strokeWidth={1.75} className="shrink-0 self-center text-dim" />
            <span className="min-w-0 flex-1 truncate font-mono text-mono" title={title}>
              <VisibleText text={title} />
            </span>
            <span className="shrink-0 text-muted">{what}</span>
          </li>
        ))}
        {calls.length > mostNamed && <li className="text-muted">and {calls.length - mostNamed} before them</li>}
      </ul>
    </details>
  );
}
