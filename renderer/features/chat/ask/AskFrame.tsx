import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type Ref, useId, useState } from 'react';
import { IconButton } from '../../../ui/IconButton';
import { VerdictIcon } from '../../../ui/Verdict';
import { VisibleText } from '../../../ui/VisibleText';

/** Place of the shown ask in the queue; `position` counts from 1. */
export interface QueuePlace {
  readonly position: number;
  readonly total: number;
  readonly onStep: (by: 1 | -1) => void;
}

interface Props {
  /** What a screen reader says first: "Permission required: Bash". */
  readonly name: string;
  readonly description: string;
  readonly title: string;
  /** Right of the title: where and how it would run. */
  readonly circumstances: ReactNode;
  readonly queue: QueuePlace;
  readonly panel: Ref<HTMLElement>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly children: ReactNode;
}

/** The docked box of an ask. It becomes an alert dialog when it has the focus and never takes it by itself. */
export function AskFrame({ name, description, title, circumstances, queue, panel, onKeyDown, children }: Props) {
  const [focused, setFocused] = useState(false);
  const descriptionId = useId();
  return (
    <section
      ref={panel}
      tabIndex={-1}
      data-ask
      role={focused ? 'alertdialog' : 'group'}
      aria-label={name}
      aria-describedby={descriptionId}
      onFocus={() => setFocused(true)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setFocused(false);
      }}
      onKeyDown={onKeyDown}
      className="appear flex min-h-0 flex-col rounded-card border border-ask bg-raised shadow-float outline-offset-2"
    >
      <p id={descriptionId} className="sr-only">
        {description}
      </p>
      <header className="flex items-start gap-2.5 px-3.5 pt-2.5 pb-2">
        <span className="mt-0.5">
          <VerdictIcon verdict="ask" size={16} />
        </span>
        <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
          <h2 className="flex-auto font-semibold [overflow-wrap:anywhere]">
            <VisibleText text={title} />
          </h2>
          <div className="min-w-0 text-muted text-small [overflow-wrap:anywhere]">{circumstances}</div>
        </div>
        {queue.total > 1 && (
          <nav aria-label="Waiting asks" className="-my-0.5 flex shrink-0 items-center text-muted text-small">
            <IconButton
              size="small"
              icon={ChevronLeft}
              label="Previous ask"
              disabled={queue.position === 1}
              onClick={() => queue.onStep(-1)}
            />
            <span>
              {queue.position} of {queue.total}
            </span>
            <IconButton
              size="small"
              icon={ChevronRight}
              label="Next ask"
              disabled={queue.position === queue.total}
              onClick={() => queue.onStep(1)}
            />
          </nav>
        )}
      </header>
      {children}
    </section>
  );
}
