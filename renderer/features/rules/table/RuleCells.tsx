import { CircleAlert, Clock, Info, Lock, StickyNote, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { ruleSources } from '#shared/permissions/sources';
import { classes } from '../../../ui/classes';
import { Verdict } from '../../../ui/Verdict';
import { VisibleText } from '../../../ui/VisibleText';
import { useNow } from '../../frame/useNow';
import { age, remainingTime } from '../../frame/words';
import type { RuleRow } from './rows';

/** Columns of heads and rows; where there is no room, verdict, rule and check stay. */
export const ruleColumns =
  'grid grid-cols-[5.25rem_minmax(0,1fr)_minmax(5rem,9rem)] @3xl:grid-cols-[5.25rem_minmax(0,1fr)_5.5rem_2.75rem_4.25rem_3.5rem_minmax(8rem,14rem)] gap-x-3';

const states = { added: 'new', changed: 'changed', moved: 'moved', removed: 'removed' };

/** The cells of one rule. */
export function RuleCells({ row }: { readonly row: RuleRow }) {
  const { rule, state, held, matched, lastUsed, note } = row;
  const now = useNow(60_000);
  const gone = state === 'removed';
  return (
    <div role="presentation" className={classes(ruleColumns, 'h-full items-center px-3')}>
      <Cell className="flex items-center">
        <Verdict verdict={rule.behavior} />
      </Cell>
      <Cell>
        <span className="flex min-w-0 items-center gap-2">
          {state === 'same' ? null : (
            <span
              className={classes(
                'shrink-0 rounded-small border px-1 font-semibold text-head',
                gone ? 'border-removed text-removed' : 'border-accent text-accent',
              )}
            >
              {states[state]}
            </span>
          )}
          <span
            title={rule.text}
            className={classes(
              'min-w-0 truncate font-mono text-mono',
              (gone || held !== '') && 'text-muted line-through',
            )}
          >
            <VisibleText text={rule.text} />
          </span>
          {note === '' ? null : (
            <StickyNote aria-label={`Note: ${note}`} size={14} strokeWidth={1.75} className="shrink-0 text-muted" />
          )}
        </span>
      </Cell>
      <Cell wide className="text-muted">
        {ruleSources[rule.source].label}
      </Cell>
      <Cell wide right className="text-muted tabular-nums">
        {rule.line ?? ''}
      </Cell>
      <Cell wide right className="text-muted tabular-nums">
        {matched === null ? '–' : matched.toLocaleString('en')}
      </Cell>
      <Cell wide className="text-muted">
        {lastUsed === null ? (matched === null ? '' : 'never') : age(lastUsed, now)}
      </Cell>
      <Cell>
        <Check row={row} now={now} />
      </Cell>
    </div>
  );
}

const severities = {
  error: { icon: CircleAlert, colour: 'text-deny' },
  warning: { icon: TriangleAlert, colour: 'text-ask' },
  hint: { icon: Info, colour: 'text-muted' },
};

/** One line on what is to be known of the rule: it does not count, it ends, a remark, or that it is locked. */
function Check({ row, now }: { readonly row: RuleRow; readonly now: number }) {
  const { held, until, findings, locked } = row;
  const [worst] = findings;
  if (worst !== undefined && (held === '' || worst.severity === 'error')) {
    const { icon: Icon, colour } = severities[worst.severity];
    return (
      <Line icon={<Icon aria-hidden size={14} strokeWidth={1.75} className={classes('shrink-0', colour)} />}>
        <span className={colour}>{worst.message}</span>
      </Line>
    );
  }
  if (held !== '')
    return (
      <Line icon={<TriangleAlert aria-hidden size={14} strokeWidth={1.75} className="shrink-0 text-ask" />}>
        <span className="text-ask">{held}</span>
      </Line>
    );
  if (until !== undefined)
    return (
      <Line icon={<Clock aria-hidden size={14} strokeWidth={1.75} className="shrink-0 text-muted" />}>
        <span className="text-muted">
          {until === null ? 'ends with this task' : `ends in ${remainingTime(until - now)}`}
        </span>
      </Line>
    );
  if (locked !== '')
    return (
      <Line icon={<Lock aria-hidden size={14} strokeWidth={1.75} className="shrink-0 text-muted" />}>
        <span className="text-muted" title={locked}>
          read only
        </span>
      </Line>
    );
  return null;
}

function Line({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      {icon}
      <span className="min-w-0 truncate">{children}</span>
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
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus.
    <div
      role="gridcell"
      className={classes('min-w-0 text-small', wide && 'hidden @3xl:block', right && 'text-right', className)}
    >
      {children}
    </div>
  );
}
