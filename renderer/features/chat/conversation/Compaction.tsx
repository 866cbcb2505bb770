import { Check, ChevronRight, Copy, FoldVertical } from 'lucide-react';
import { useId, useState } from 'react';
import { IconButton } from '../../../ui/IconButton';
import { ScrollBox } from '../views/ScrollBox';
import { useCopy } from '../views/useCopy';
import { Markdown } from './Markdown';

interface Props {
  /** What the model knows of everything above. */
  readonly summary: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Where the model's memory of the conversation gives way to a summary of it. */
export function Compaction({ summary, at }: Props) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { copied, copy } = useCopy();
  return (
    <section aria-label="Summary for the model" className="rounded-card border border-line-strong border-dashed">
      <div className="flex items-start gap-2.5 py-2 pr-2 pl-3.5">
        <FoldVertical aria-hidden="true" size={16} strokeWidth={1.75} className="mt-0.5 shrink-0 text-muted" />
        <div className="min-w-0 flex-1">
          <p className="flex items-baseline gap-2">
            <span className="font-semibold">Summed up for the model</span>
            <span title={new Date(at).toISOString()} className="text-dim text-small">
              {new Date(at).toLocaleTimeString('en-GB')}
            </span>
          </p>
          <p className="text-muted text-small">
            Of what stands above, the model now knows this summary alone. Everything stays here to read and search.
          </p>
        </div>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="flex h-6 shrink-0 items-center gap-1 rounded-small px-2 text-muted text-small hover:bg-hover hover:text-text"
        >
          <ChevronRight aria-hidden="true" size={14} strokeWidth={1.75} className={open ? 'rotate-90' : ''} />
          {open ? 'Hide summary' : 'Show summary'}
        </button>
      </div>
      {open && (
        <div id={id} className="border-line border-t border-dashed">
          <div className="flex items-center justify-between pt-1 pr-2 pl-3.5">
            <h3 className="font-semibold text-head text-muted">
              The summary, {summary.length.toLocaleString('en')} characters
            </h3>
            <IconButton
              size="small"
              icon={copied ? Check : Copy}
              label={copied ? 'Copied' : 'Copy summary'}
              onClick={() => copy(summary)}
            />
          </div>
          <ScrollBox label="Summary" className="max-h-88 overflow-auto px-3.5 pt-1 pb-3">
            <Markdown text={summary} />
          </ScrollBox>
        </div>
      )}
    </section>
  );
}
