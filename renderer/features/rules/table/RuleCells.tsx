import {
  Check as CheckMark,
  CircleAlert,
  Clock,
  Info,
  Lock,
  type LucideIcon,
  StickyNote,
  TriangleAlert,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { ruleSources } from '#shared/permissions/sources';
import { classes } from '../../../ui/classes';
import { GridCell } from '../../../ui/GridCell';
import { Verdict } from '../../../ui/Verdict';
import { VisibleText } from '../../../ui/VisibleText';
import { useNow } from '../../frame/useNow';
import { age, remainingTime } from '../../frame/words';
import { RuleText } from './RuleText';
import { shortRemark } from './remarkWords';
import type { RuleRow } from './rows';

/**
 * Columns of heads and rows. Where there is no room, verdict, rule and check stay; grouped by source, the source's own column
 * gives way to the rule.
 */
export function ruleColumns(bySource: boolean): string {
  return classes(
    'grid grid-cols-[6.75rem_minmax(0,1fr)_minmax(5rem,11rem)] gap-x-3',
    bySource
      ? '@3xl:grid-cols-[6.75rem_minmax(0,1fr)_2.75rem_4.25rem_3.5rem_minmax(7rem,13rem)] @5xl:grid-cols-[6.75rem_minmax(0,1fr)_5.5rem_2.75rem_4.25rem_3.5rem_minmax(8rem,15rem)]'
      : '@3xl:grid-cols-[6.75rem_minmax(0,1fr)_5.5rem_2.75rem_4.25rem_3.5rem_minmax(7rem,12rem)]',
  );
}

/** Where the column of sources shows. */
export function sourceColumn(bySource: boolean): string {
  return bySource ? 'hidden @5xl:block' : 'hidden @3xl:block';
}

const states = { added: 'new', changed: 'changed', moved: 'moved', removed: 'removed' };

export interface RuleCellsProps {
  readonly row: RuleRow;
  readonly isChosen: boolean;
  /** Boxes for choosing show in every row while some are chosen, else in the row under the pointer. */
  readonly isChoosing: boolean;
  /** The keys are about this row. */
  readonly isCursor: boolean;
  readonly bySource: boolean;
}

/** The cells of one rule. */
export function RuleCells({ row, isChosen, isChoosing, isCursor, bySource }: RuleCellsProps) {
  const { rule, state, held, matched, lastUsed, note } = row;
  const now = useNow(60_000);
  const gone = state === 'removed';
  return (
    <div role="presentation" className={classes(ruleColumns(bySource), 'h-full items-center px-3')}>
      <Cell className="flex items-center gap-2">
        {/* The row itself tells assistive technology whether it is chosen, and Space chooses it. */}
        <span
          aria-hidden
          data-choose
          className={classes(
            'grid size-4 shrink-0 cursor-pointer place-items-center rounded-small border transition-opacity duration-100',
            isChosen ? 'border-accent bg-accent-fill text-on-accent' : 'border-control bg-raised',
            isChoosing || isChosen ? '' : 'opacity-0 group-hover/row:opacity-100',
          )}
        >
          {isChosen ? <CheckMark size={12} strokeWidth={3} /> : null}
        </span>
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
          <RuleText text={rule.text} isCursor={isCursor} isStruck={gone || held !== ''} />
          {note === '' ? null : (
            <StickyNote aria-label={`Note: ${note}`} size={14} strokeWidth={1.75} className="shrink-0 text-muted" />
          )}
        </span>
      </Cell>
      <Cell className={classes('text-muted', sourceColumn(bySource))}>{ruleSources[rule.source].label}</Cell>
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
  if (held !== '' && worst?.severity !== 'error') {
    const known = findings.find(({ kind }) => kind === 'needsTrust' || kind === 'managedOnly');
    return (
      <Line icon={TriangleAlert} colour="text-ask" title={held}>
        {known === undefined ? held : shortRemark(known)}
      </Line>
    );
  }
  if (worst !== undefined) {
    const { icon, colour } = severities[worst.severity];
    return (
      <Line
        icon={icon}
        colour={colour}
        title={findings.map(({ message }) => message).join('\n')}
        more={findings.length - 1}
      >
        {shortRemark(worst)}
      </Line>
    );
  }
  if (until !== undefined)
    return (
      <Line icon={Clock} colour="text-muted" title="Keep it for longer: move it to a file.">
        {until === null ? 'ends with this task' : `ends in ${remainingTime(until - now)}`}
      </Line>
    );
  if (locked !== '')
    return (
      <Line icon={Lock} colour="text-muted" title={locked}>
        read only
      </Line>
    );
  return null;
}

interface LineProps {
  readonly icon: LucideIcon;
  readonly colour: string;
  /** Everything that is to be said. */
  readonly title: string;
  /** Remarks that there is no room for. */
  readonly more?: number;
  readonly children: string;
}

function Line({ icon: Icon, colour, title, more = 0, children }: LineProps) {
  return (
    <span title={title} className={classes('flex min-w-0 items-center gap-1.5', colour)}>
      <Icon aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
      <span className="min-w-0 truncate">
        <VisibleText text={children} />
      </span>
      {more === 0 ? null : <span className="shrink-0 text-muted">+{more}</span>}
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
    <GridCell right={right} className={classes(wide && 'hidden @3xl:block', className)}>
      {children}
    </GridCell>
  );
}
