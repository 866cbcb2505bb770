import { useEffect, useMemo, useState } from 'react';
import type { AppContract } from '#shared/api/app';
import type { Answer } from '#shared/rpc/contract';
import { host } from '../../../host/client';
import { messageOf } from '../../../stores/toasts';
import { classes } from '../../../ui/classes';
import { Skeleton } from '../../../ui/Skeleton';
import { VisibleText } from '../../../ui/VisibleText';
import { withoutColours } from '../../chat/cards/ansi';
import { counted } from '../../frame/words';
import { GridCell } from './GridCell';
import { LongRows } from './LongRows';

type Diff = Answer<AppContract, 'results.diff'>;

/** In pixels. */
const rowHeight = 18;
const nowhere = () => undefined;
/** Longer lines are cut: the file itself shows all of them. */
const maxLineChars = 5_000;

export type DiffRow =
  | { readonly kind: 'gap' }
  | {
      readonly kind: 'line';
      readonly sign: ' ' | '+' | '-';
      readonly text: string;
      readonly old: number | null;
      readonly now: number | null;
    };

/** Lines of all hunks with their numbers on both sides. */
export function diffRows(hunks: Diff['hunks']): readonly DiffRow[] {
  return hunks.flatMap(({ oldStart, newStart, lines }, index): DiffRow[] => {
    let old = oldStart;
    let now = newStart;
    const rows = lines.map(({ sign, text }): DiffRow => {
      const row: DiffRow = {
        kind: 'line',
        sign,
        text,
        old: sign === '+' ? null : old,
        now: sign === '-' ? null : now,
      };
      if (sign !== '+') old += 1;
      if (sign !== '-') now += 1;
      return row;
    });
    return index === 0 ? rows : [{ kind: 'gap' }, ...rows];
  });
}

/** What differs between two files, with both numbers of each line and signs; never colour alone. */
export function DiffView({ left, right }: { readonly left: string; readonly right: string }) {
  const [diff, setDiff] = useState<Diff | null>(null);
  const [problem, setProblem] = useState('');
  const [cursor, setCursor] = useState(0);
  useEffect(() => {
    let mine = true;
    setDiff(null);
    setProblem('');
    host()
      .call('results.diff', { left, right })
      .then(
        (answer) => mine && setDiff(answer),
        (error: unknown) => mine && setProblem(messageOf(error)),
      );
    return () => {
      mine = false;
    };
  }, [left, right]);
  const rows = useMemo(() => diffRows(diff?.hunks ?? []), [diff]);
  if (problem !== '')
    return (
      <div role="alert" className="p-6">
        <p className="font-medium">The two cannot be compared.</p>
        <p className="mt-1 text-muted">{problem}</p>
      </div>
    );
  if (diff === null) return <Skeleton label="Comparing" className="p-6" rows={6} />;
  const digits = Math.max(
    3,
    ...diff.hunks.slice(-1).map((hunk) => String(Math.max(hunk.oldStart, hunk.newStart) + hunk.lines.length).length),
  );
  return (
    <>
      <p role="status" className="shrink-0 border-line border-b px-3 py-1.5 text-small">
        <span className="text-added">+{counted(diff.added, 'line')}</span>{' '}
        <span className="text-removed">−{counted(diff.removed, 'line')}</span>
        {diff.truncated ? (
          <span className="text-ask"> There are more differences than are shown.</span>
        ) : diff.added + diff.removed === 0 ? (
          <span className="text-muted"> The two are the same.</span>
        ) : null}
      </p>
      <div className="flex min-h-0 flex-1 flex-col bg-code">
        {rows.length === 0 ? null : (
          <LongRows
            label="Differences"
            role="grid"
            count={rows.length}
            rowHeight={rowHeight}
            place={{ row: 0, offset: 0 }}
            onPlace={nowhere}
            onDrawn={nowhere}
            cursor={Math.min(cursor, rows.length - 1)}
            onCursor={setCursor}
            columns={3}
            rowProps={(index) => ({ className: classes('flex min-w-full w-max', tint(rows[index])) })}
          >
            {(index) => <Line row={rows[index]} digits={digits} />}
          </LongRows>
        )}
      </div>
    </>
  );
}

function tint(row: DiffRow | undefined): string {
  if (row?.kind !== 'line') return 'bg-panel';
  return row.sign === '+' ? 'bg-added-tint' : row.sign === '-' ? 'bg-removed-tint' : '';
}

function Line({ row, digits }: { readonly row: DiffRow | undefined; readonly digits: number }) {
  if (row === undefined || row.kind === 'gap')
    return (
      <GridCell role="gridcell" className="select-none px-3 text-dim leading-[18px]">
        <span aria-hidden>⋯</span>
        <span className="sr-only">lines that are the same are left out</span>
      </GridCell>
    );
  const number = (value: number | null, side: string) => (
    <GridCell
      role="gridcell"
      style={{ width: `calc(${digits}ch + 14px)` }}
      className="shrink-0 select-none pr-2 text-right text-muted"
    >
      {value === null ? null : <span className="sr-only">{side} line </span>}
      {value ?? ''}
    </GridCell>
  );
  return (
    <div role="presentation" className="flex font-mono text-mono">
      {number(row.old, 'older')}
      {number(row.now, 'newer')}
      <GridCell role="gridcell" className="whitespace-pre pr-4 [tab-size:8]">
        <span aria-hidden className="inline-block w-5 select-none text-center">
          {row.sign === '-' ? '−' : row.sign}
        </span>
        <span className="sr-only">{row.sign === '+' ? 'added ' : row.sign === '-' ? 'removed ' : ''}</span>
        <VisibleText text={withoutColours(row.text).slice(0, maxLineChars)} />
      </GridCell>
    </div>
  );
}
