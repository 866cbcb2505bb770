import { Archive } from 'lucide-react';
import { useApp } from '../../../stores/app';
import { useResultsPage } from '../../../stores/resultsPage';
import { Button } from '../../../ui/Button';
import { counted, homePath } from '../../frame/words';

/** There are no files yet: says when there will be some, and where. */
export function NoResults() {
  const limit = useResultsPage((page) => page.limitChars);
  const days = useResultsPage((page) => page.retentionDays);
  const folder = useResultsPage((page) => page.folder);
  const home = useApp((app) => app.hello?.home ?? '');
  const go = useApp((app) => app.go);
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center overflow-y-auto px-6">
      <div className="my-auto flex w-full max-w-110 flex-col py-8">
        <Archive aria-hidden size={28} strokeWidth={1.5} className="text-muted" />
        <h2 className="mt-3 font-semibold text-title">No large results yet</h2>
        <p className="mt-1 text-muted">
          When a result is longer than {counted(limit, 'character')}, all of it is kept as a file and shows up here. The
          model gets its beginning and can read on in the file.
        </p>
        <dl className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-small">
          <dt className="text-muted">Where</dt>
          <dd className="chat-verbatim font-mono text-mono">{homePath(folder, home)}</dd>
          <dt className="text-muted">Until</dt>
          <dd>{counted(days, 'day')} without a change, or for good once you keep it</dd>
        </dl>
        <div className="mt-5">
          <Button onClick={() => go('chat')}>Go to the chat</Button>
        </div>
      </div>
    </div>
  );
}
