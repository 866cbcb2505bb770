import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../ui/Button';
import { classes } from '../../ui/classes';
import { useMedia } from '../frame/useMedia';

/** From this width on the details stand beside the list. */
const besideFits = '(min-width: 1000px)';

export interface MasterDetailProps {
  readonly list: ReactNode;
  /** null while nothing is chosen. */
  readonly detail: ReactNode | null;
  readonly detailLabel: string;
  /** What stands in the place of the details while nothing is chosen. */
  readonly hint: ReactNode;
  /** Words of the way back to the list on narrow windows. */
  readonly back: string;
  readonly onBack: () => void;
}

/** A list with details of the chosen entry beside it; on narrow windows one of the two. */
export function MasterDetail({ list, detail, detailLabel, hint, back, onBack }: MasterDetailProps) {
  const beside = useMedia(besideFits);
  const backButton = useRef<HTMLButtonElement>(null);
  const alone = !beside && detail !== null;
  const wasChosen = useRef(detail !== null);
  useEffect(() => {
    // The list, and the focus in it, has just gone.
    if (alone && !wasChosen.current) backButton.current?.focus();
    wasChosen.current = detail !== null;
  }, [alone, detail]);
  // The details stay the same element when the window's width changes: what was typed into them must not go.
  return (
    <>
      <div hidden={alone} className="flex min-h-0 min-w-0 flex-1 flex-col">
        {list}
      </div>
      <div
        hidden={!beside && detail === null}
        className={classes(
          'flex min-h-0 flex-col bg-panel',
          alone ? 'min-w-0 flex-1' : 'w-[38%] min-w-95 max-w-130 shrink-0 border-line border-l',
        )}
      >
        {alone ? (
          <div className="border-line border-b px-3 py-1.5">
            <Button ref={backButton} size="small" variant="ghost" icon={ArrowLeft} onClick={onBack}>
              {back}
            </Button>
          </div>
        ) : null}
        <section aria-label={detailLabel} data-pane tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
          {detail ?? hint}
        </section>
      </div>
    </>
  );
}
