import { Check, Lock, Pin } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { ResultFile } from '#shared/api/results';
import { classes } from '../../../ui/classes';
import { GridCell } from '../../../ui/GridCell';
import { VisibleText } from '../../../ui/VisibleText';
import { age } from '../../frame/words';
import { ResultPicture } from './ResultPicture';
import { SeenState } from './SeenState';
import { goesSentence, goesWords, resultName, toolLabel, weight } from './words';

/** Columns of heads and rows. Where there is no room, result, size and what the model saw stay. */
export const resultColumns =
  'grid gap-x-3 grid-cols-[minmax(0,1fr)_4rem_minmax(5rem,9.5rem)] @2xl:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)_3.75rem_3.25rem_10.25rem_5.25rem] @4xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_4.5rem_3.5rem_11rem_6rem]';

export interface ResultCellsProps {
  readonly file: ResultFile;
  readonly isChosen: boolean;
  /** Boxes for choosing show in every row while some are chosen, else in the row under the pointer. */
  readonly isChoosing: boolean;
  readonly now: number;
}

/** The cells of one file; drawn anew only when something of it changes, for the keys move through thousands. */
export const ResultCells = memo(function ResultCells({ file, isChosen, isChoosing, now }: ResultCellsProps) {
  const label = toolLabel(file);
  return (
    <div role="presentation" className={classes(resultColumns, 'h-full items-center px-3')}>
      <Cell className="flex items-center gap-2">
        <span className="relative grid size-4 shrink-0 place-items-center">
          <span className={classes('grid', isChoosing ? 'invisible' : 'group-hover/row:invisible')}>
            <ResultPicture file={file} />
          </span>
          {/* The row itself tells assistive technology whether it is chosen, and Space chooses it. */}
          <span
            aria-hidden
            data-choose
            className={classes(
              'absolute inset-0 grid cursor-pointer place-items-center rounded-small border',
              isChosen ? 'border-accent bg-accent-fill text-on-accent' : 'border-control bg-raised',
              isChoosing ? '' : 'invisible group-hover/row:visible',
            )}
          >
            {isChosen ? <Check size={12} strokeWidth={3} /> : null}
          </span>
        </span>
        <span
          title={`${resultName(file)}\n${file.file}`}
          className={classes('min-w-0 truncate', file.call === null ? 'text-muted' : 'font-mono text-mono')}
        >
          {label === '' ? null : <span className="text-muted">{label} </span>}
          <VisibleText text={file.call?.what ?? resultName(file)} />
        </span>
      </Cell>
      <Cell wide className="truncate text-muted">
        {file.session === null ? (
          <span className="italic">session gone</span>
        ) : (
          <span title={`${file.session.title}\n${file.session.folder}`}>
            <VisibleText text={file.session.title} />
          </span>
        )}
      </Cell>
      <Cell right className="text-muted tabular-nums">
        {weight(file.bytes)}
      </Cell>
      <Cell wide className="text-muted">
        <span title={new Date(file.modifiedAt).toLocaleString('en')}>{age(file.modifiedAt, now)}</span>
      </Cell>
      <Cell>
        <SeenState seen={file.seen} />
      </Cell>
      <Cell wide className="text-muted">
        <Goes file={file} now={now} />
      </Cell>
    </div>
  );
});

function Goes({ file, now }: { readonly file: ResultFile; readonly now: number }) {
  const soon = !file.kept && file.goesAt !== null && file.goesAt - now < 3 * 24 * 60 * 60_000;
  return (
    <span
      title={`${goesSentence(file, now)}${file.origin === 'claudeCode' ? " It is Claude Code's own file and is only read." : ''}`}
      className={classes('flex min-w-0 items-center gap-1.5', soon && 'text-ask')}
    >
      {file.kept ? <Pin aria-hidden size={13} strokeWidth={1.75} className="shrink-0" /> : null}
      <span className="min-w-0 truncate">{goesWords(file, now)}</span>
      {file.origin === 'claudeCode' ? (
        <Lock aria-label="Claude Code's own, only read" size={13} strokeWidth={1.75} className="shrink-0 text-muted" />
      ) : null}
    </span>
  );
}

interface CellProps {
  /** Only where the table is wide enough. */
  readonly wide?: boolean;
  readonly right?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

function Cell({ wide = false, right = false, className, children }: CellProps) {
  return (
    <GridCell right={right} className={classes(wide && 'hidden @2xl:block', className)}>
      {children}
    </GridCell>
  );
}
