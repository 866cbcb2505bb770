import { ArrowUpRight, Check, Copy } from 'lucide-react';
import type { PersistedResult } from '#shared/session/toolCall';
import { showResultFile } from '../../../stores/resultsPage';
import { Button } from '../../../ui/Button';
import { MiddleEllipsis } from '../../../ui/MiddleEllipsis';
import { useCopy } from '../views/useCopy';

/** Says that the model got only a part of the result, and where all of it lies. */
export function KeptResult({ kept }: { readonly kept: PersistedResult }) {
  const { copied, copy } = useCopy();
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 border-line border-t py-1 pr-2 pl-3.5 text-small">
      <span className="text-muted">{keptWords(kept)}</span>
      <span className="flex min-w-0 grow basis-64 items-center justify-end gap-1.5">
        <MiddleEllipsis text={kept.file} className="font-mono text-dim text-mono" />
        <Button size="small" variant="ghost" icon={copied ? Check : Copy} onClick={() => copy(kept.file)}>
          {copied ? 'Copied' : 'Copy path'}
        </Button>
        <Button size="small" variant="ghost" icon={ArrowUpRight} onClick={() => showResultFile(kept.file)}>
          Open
        </Button>
      </span>
    </div>
  );
}

/** Characters against bytes, because that is what is known of each. */
export function keptWords({ bytes, previewChars }: PersistedResult): string {
  return `The model got ${previewChars.toLocaleString('en')} characters of ${bytes.toLocaleString('en')} bytes`;
}
