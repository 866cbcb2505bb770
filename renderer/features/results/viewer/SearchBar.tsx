import { ArrowDown, ArrowUp, CaseSensitive, CornerDownRight, Funnel, Regex, WrapText } from 'lucide-react';
import type { KeyboardEvent, Ref } from 'react';
import { useResultsPage, viewOf } from '../../../stores/resultsPage';
import { Chip } from '../../../ui/Chip';
import { classes } from '../../../ui/classes';
import { IconButton } from '../../../ui/IconButton';
import { VisibleText } from '../../../ui/VisibleText';
import { isComposing } from '../../frame/shortcuts';
import type { FileSearch } from './useSearch';

export interface SearchBarProps {
  readonly id: string;
  readonly search: FileSearch;
  /** Of the file. */
  readonly bytes: number;
  readonly onStep: (by: 1 | -1) => void;
  readonly onToggleMatches: () => void;
  readonly onGoToLine: () => void;
  /** The search is left for the text. */
  readonly onLeave: () => void;
  readonly ref?: Ref<HTMLInputElement>;
}

/** Search in a file, the way through its matches, and how its text is shown. */
export function SearchBar({ id, search, bytes, onStep, onToggleMatches, onGoToLine, onLeave, ref }: SearchBarProps) {
  const { query, state, starting, problem, change } = search;
  const wrap = useResultsPage((page) => page.wrap);
  const onlyMatches = useResultsPage((page) => viewOf(page.views, id).onlyMatches);
  const match = useResultsPage((page) => viewOf(page.views, id).match);
  const show = useResultsPage((page) => page.show);
  const some = state !== null && state.matches > 0;
  const running = starting || (state !== null && !state.done);
  const part = state === null || bytes === 0 ? 0 : Math.min(1, state.bytesDone / bytes);

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      onStep(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (query.text === '') onLeave();
      else change({ text: '' });
    } else if (event.key === 'ArrowDown' && !event.altKey) {
      event.preventDefault();
      onLeave();
    }
  };

  return (
    <div className="shrink-0 border-line border-b">
      <div className="flex min-h-11 flex-wrap items-center gap-1.5 px-3 py-1.5">
        <div
          className={classes(
            'flex h-8 min-w-48 flex-1 items-center gap-1 rounded-control border bg-raised pr-1 pl-2 focus-within:outline-2 focus-within:outline-accent',
            problem === '' ? 'border-control' : 'border-deny',
          )}
        >
          <input
            ref={ref}
            type="text"
            aria-label="Search in the file"
            aria-invalid={problem !== ''}
            aria-describedby={`${id}-search-note`}
            placeholder={query.regex ? 'Search by regular expression' : 'Search in the file'}
            spellCheck={false}
            autoComplete="off"
            value={query.text}
            onChange={(event) => change({ text: event.target.value })}
            onKeyDown={onKeyDown}
            className="h-full min-w-0 flex-1 bg-transparent font-mono text-mono text-text outline-none"
          />
          <span className="shrink-0 px-1 text-muted text-small tabular-nums">
            {query.text === '' || problem !== '' ? '' : countWords(search, match)}
          </span>
          <IconButton
            label="Upper and lower case count"
            icon={CaseSensitive}
            size="small"
            aria-pressed={query.caseSensitive}
            onClick={() => change({ caseSensitive: !query.caseSensitive })}
          />
          <IconButton
            label="Regular expression"
            icon={Regex}
            size="small"
            aria-pressed={query.regex}
            onClick={() => change({ regex: !query.regex })}
          />
        </div>
        <IconButton
          label="Previous match"
          keys="Shift+F3"
          icon={ArrowUp}
          size="small"
          disabled={!some}
          onClick={() => onStep(-1)}
        />
        <IconButton
          label="Next match"
          keys="F3"
          icon={ArrowDown}
          size="small"
          disabled={!some}
          onClick={() => onStep(1)}
        />
        <Chip
          icon={Funnel}
          aria-pressed={onlyMatches}
          disabled={query.text === '' && !onlyMatches}
          onClick={onToggleMatches}
        >
          Only matches
        </Chip>
        <IconButton label="Go to line" keys="Mod+G" icon={CornerDownRight} size="small" onClick={onGoToLine} />
        <IconButton
          label="Wrap long lines"
          icon={WrapText}
          size="small"
          aria-pressed={wrap}
          onClick={() => show({ wrap: !wrap })}
        />
      </div>
      <p
        id={`${id}-search-note`}
        role={problem === '' ? undefined : 'alert'}
        className={problem === '' ? 'sr-only' : 'px-3 pb-1.5 text-deny text-small'}
      >
        <VisibleText text={problem} />
      </p>
      <p role="status" className="sr-only">
        {query.text !== '' && !running && problem === '' ? countWords(search, match) : ''}
      </p>
      <div className="h-0.5">
        {running ? (
          <div
            role="progressbar"
            aria-label="Searching"
            aria-valuenow={Math.round(part * 100)}
            className="h-full bg-accent"
            style={{ width: `${Math.max(2, part * 100)}%` }}
          />
        ) : null}
      </div>
    </div>
  );
}

/** "18 of 342", "no match", "searching". */
export function countWords({ state, starting }: Pick<FileSearch, 'state' | 'starting'>, match: number | null): string {
  if (state === null) return starting ? 'searching' : '';
  if (state.matches === 0) return state.done ? 'no match' : 'searching';
  const all = `${state.matches.toLocaleString('en')}${state.truncated || !state.done ? '+' : ''}`;
  return match === null || match >= state.matches ? all : `${(match + 1).toLocaleString('en')} of ${all}`;
}
