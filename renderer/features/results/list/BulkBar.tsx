import { Copy, FileDiff, Pin, PinOff, Trash2, X } from 'lucide-react';
import type { ResultFile } from '#shared/api/results';
import { useResultsPage } from '../../../stores/resultsPage';
import { Button } from '../../../ui/Button';
import { IconButton } from '../../../ui/IconButton';
import { counted } from '../../frame/words';
import { copyText, keepFiles } from '../actions';
import { focusResults } from './resultsGrid';
import { weight } from './words';

/** What can be done with the chosen files. */
export function BulkBar({ files }: { readonly files: readonly ResultFile[] }) {
  const show = useResultsPage((page) => page.show);
  const [left, right] = files;
  if (left === undefined) return null;
  const allKept = files.every(({ kept }) => kept);
  return (
    <section
      aria-label="Chosen files"
      className="flex flex-wrap items-center gap-2 border-line border-b bg-accent-tint px-3 py-1.5"
    >
      <span role="status" className="mr-1 font-medium">
        {counted(files.length, 'file')} chosen, {weight(files.reduce((sum, { bytes }) => sum + bytes, 0))}
      </span>
      <Button size="small" icon={allKept ? PinOff : Pin} title="K" onClick={() => void keepFiles(files, !allKept)}>
        {allKept ? 'Keep no longer' : 'Keep'}
      </Button>
      {right !== undefined && files.length === 2 ? (
        <Button
          size="small"
          icon={FileDiff}
          // The older one is what changed into the newer one.
          onClick={() =>
            show({
              compared:
                left.modifiedAt <= right.modifiedAt
                  ? { left: left.id, right: right.id }
                  : { left: right.id, right: left.id },
            })
          }
        >
          Compare
        </Button>
      ) : null}
      <Button
        size="small"
        icon={Copy}
        onClick={() => copyText(files.map(({ file }) => file).join('\n'), files.length === 1 ? 'Path' : 'Paths')}
      >
        {files.length === 1 ? 'Copy path' : 'Copy paths'}
      </Button>
      <Button
        size="small"
        variant="danger"
        icon={Trash2}
        onClick={() => show({ dialog: { kind: 'cleanUp', ids: files.map(({ id }) => id) } })}
      >
        Clean up…
      </Button>
      <IconButton
        label="Choose none"
        icon={X}
        size="small"
        className="ml-auto"
        onClick={() => {
          show({ chosen: [] });
          focusResults();
        }}
      />
    </section>
  );
}
