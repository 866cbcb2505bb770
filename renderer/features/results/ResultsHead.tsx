import { ArchiveRestore, Trash2 } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import type { ResultFile } from '#shared/api/results';
import { useResultsPage } from '../../stores/resultsPage';
import { Button } from '../../ui/Button';
import { IconButton } from '../../ui/IconButton';
import { TextField } from '../../ui/TextField';
import { counted } from '../frame/words';
import { focusResults } from './list/resultsGrid';
import { weight } from './list/words';

/** How much there is, the search over the list, and the clean-up. */
export function ResultsHead({ files }: { readonly files: readonly ResultFile[] | null }) {
  const search = useResultsPage((page) => page.search);
  const show = useResultsPage((page) => page.show);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') focusResults();
    else if (event.key === 'Escape' && search !== '') show({ search: '' });
    else return;
    event.preventDefault();
  };
  return (
    <header className="flex min-h-11.5 shrink-0 flex-wrap items-center gap-2 border-line border-b px-3 py-1.5">
      <h1 className="mr-1 font-semibold text-title">Results</h1>
      {files === null || files.length === 0 ? (
        <span className="flex-1" />
      ) : (
        <>
          <span className="rounded-small border border-line-strong px-2 text-muted text-small tabular-nums">
            {counted(files.length, 'file')} · {weight(files.reduce((sum, { bytes }) => sum + bytes, 0))}
          </span>
          <TextField
            label="Find in the list"
            hideLabel
            type="search"
            placeholder="Command, session, path"
            className="min-w-36 flex-1"
            value={search}
            onChange={(text) => show({ search: text })}
            onKeyDown={onKeyDown}
          />
        </>
      )}
      <IconButton label="Trash" icon={ArchiveRestore} onClick={() => show({ dialog: { kind: 'trash' } })} />
      <Button
        icon={Trash2}
        disabled={files === null || files.length === 0}
        onClick={() => show({ dialog: { kind: 'cleanUp', ids: null } })}
      >
        Clean up…
      </Button>
    </header>
  );
}
