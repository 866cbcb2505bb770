import { ArrowUpRight, Check, ClipboardType, Copy } from 'lucide-react';
import { useState } from 'react';
import type { PersistedResult, ToolCall } from '#shared/session/toolCall';
import { showResultFile } from '../../../stores/resultsPage';
import { Button } from '../../../ui/Button';
import { IconButton } from '../../../ui/IconButton';
import { VisibleText } from '../../../ui/VisibleText';
import { keptWords } from '../cards/KeptResult';
import { hasEnded } from '../cards/track';
import { ImageView } from '../views/ImageView';
import { capLines } from '../views/lineCap';
import { MoreLines } from '../views/MoreLines';
import { plainText } from '../views/plainText';
import { useCopy } from '../views/useCopy';
import { Hint } from './Hint';

/** The text that the model received for the call. */
export function ResultTab({ call }: { readonly call: ToolCall }) {
  const [all, setAll] = useState(false);
  const { copied, copy } = useCopy();
  const plain = useCopy();
  if (!hasEnded(call)) {
    return (
      <Hint title="No result yet">
        When the call has ended, the exact text that the model received stands here. It has no colours and no redraws,
        unlike what the card shows.
      </Hint>
    );
  }
  const text = call.modelText;
  const picture = call.view?.kind === 'image' ? call.view : null;
  const shown = plainText(text);
  // The text has only a word in the picture's place.
  const pictureAlone = picture !== null && text === `[image ${picture.mediaType}]`;
  const { head, hidden, tail } = capLines(text.split('\n'), all ? Number.POSITIVE_INFINITY : undefined);
  return (
    <div className="px-4 py-3">
      <div className="flex min-h-6 items-center justify-between pb-1">
        <h3 className="font-semibold text-head text-muted">
          What the model received, {pictureAlone ? 'a picture' : `${text.length.toLocaleString('en')} characters`}
        </h3>
        {!pictureAlone && (
          <span className="flex shrink-0">
            <IconButton
              size="small"
              icon={copied ? Check : Copy}
              label={copied ? 'Copied' : 'Copy result'}
              onClick={() => copy(text)}
            />
            {shown !== text && (
              <IconButton
                size="small"
                icon={plain.copied ? Check : ClipboardType}
                label={plain.copied ? 'Copied' : 'Copy without invisible signs'}
                onClick={() => plain.copy(shown)}
              />
            )}
          </span>
        )}
      </div>
      {call.persisted !== undefined && <KeptLine kept={call.persisted} />}
      {!pictureAlone && text === '' && <p className="text-muted text-small">Nothing: the result is empty.</p>}
      {!pictureAlone && text !== '' && (
        <pre className="chat-verbatim rounded-control border border-line bg-code px-3 py-2 font-mono text-mono">
          <VisibleText text={head.join('\n')} />
          {hidden > 0 && <MoreLines count={hidden} onShow={() => setAll(true)} />}
          {tail.length > 0 && <VisibleText text={tail.join('\n')} />}
        </pre>
      )}
      {picture !== null && (
        <div className={`rounded-control border border-line bg-code ${pictureAlone ? '' : 'mt-3'}`}>
          <ImageView view={picture} detailed />
        </div>
      )}
    </div>
  );
}

/** The whole result lies in a file; the page Results shows all of it. */
function KeptLine({ kept }: { readonly kept: PersistedResult }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-1.5">
      <p className="min-w-0 flex-1 text-muted text-small">{keptWords(kept)}; the tab Call names the file.</p>
      <Button size="small" icon={ArrowUpRight} onClick={() => showResultFile(kept.file)}>
        Open in Results
      </Button>
    </div>
  );
}
