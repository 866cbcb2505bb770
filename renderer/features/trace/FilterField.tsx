import { Filter, X } from 'lucide-react';
import { type KeyboardEvent, type Ref, useId, useMemo, useRef, useState } from 'react';
import type { FilterProblem } from '#shared/trace/filter';
import { suggestFilter } from '#shared/trace/suggestFilter';
import { useTracePage } from '../../stores/tracePage';
import { classes } from '../../ui/classes';
import { IconButton } from '../../ui/IconButton';
import { isComposing } from '../frame/shortcuts';

export interface FilterFieldProps {
  readonly problem: FilterProblem | null;
  /** Calls that fit, and all. */
  readonly fits: number;
  readonly all: number;
  /** Names for the suggestions. */
  readonly tools: readonly string[];
  readonly agents: readonly string[];
  readonly ref: Ref<HTMLInputElement>;
  /** Leads to the calls. */
  readonly onDone: () => void;
}

const longest = 1_000;

/** The filter with suggestions: its frame, a word and the count say whether it can be read and what it lets through. */
export function FilterField({ problem, fits, all, tools, agents, ref, onDone }: FilterFieldProps) {
  const text = useTracePage((page) => page.filter);
  const show = useTracePage((page) => page.show);
  const id = useId();
  const input = useRef<HTMLInputElement | null>(null);
  const [caret, setCaret] = useState(0);
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const suggestions = useMemo(
    () => suggestFilter(text, Math.min(caret, text.length), { tools, agents }),
    [text, caret, tools, agents],
  );
  const { options } = suggestions;
  const isOpen = open && options.length > 0;
  const isEmpty = text.trim() === '';
  const tone = isEmpty ? 'plain' : problem === null ? 'fits' : 'wrong';

  const change = (next: string, at: number): void => {
    show({ filter: next.slice(0, longest) });
    setCaret(at);
    setChosen(-1);
  };
  const take = (index: number): void => {
    const option = options[index];
    if (option === undefined) return;
    const unfinished = option.insert.endsWith(':');
    const inserted = unfinished ? option.insert : `${option.insert} `;
    const rest = text.slice(suggestions.to).replace(/^ /, '');
    const at = suggestions.from + inserted.length;
    change(`${text.slice(0, suggestions.from)}${inserted}${rest}`, at);
    setOpen(unfinished);
    requestAnimationFrame(() => input.current?.setSelectionRange(at, at));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (isComposing(event.nativeEvent) || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = (): boolean => {
      switch (event.key) {
        case 'ArrowDown':
          if (!isOpen) setOpen(true);
          setChosen(options.length === 0 ? -1 : (chosen + 1) % options.length);
          return true;
        case 'ArrowUp':
          if (!isOpen) return false;
          setChosen(chosen <= 0 ? options.length - 1 : chosen - 1);
          return true;
        case 'Enter':
          if (isOpen && chosen >= 0) take(chosen);
          else {
            setOpen(false);
            if (problem === null) onDone();
          }
          return true;
        case 'Tab':
          if (!isOpen || chosen < 0 || event.shiftKey) return false;
          take(chosen);
          return true;
        case 'Escape':
          if (isOpen) setOpen(false);
          else if (text !== '') change('', 0);
          else return false;
          return true;
        default:
          return false;
      }
    };
    if (!act()) return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className="relative min-w-44 max-w-120 flex-1">
      <div
        data-tone={tone}
        className={classes(
          'flex h-8 items-center rounded-control border bg-raised focus-within:outline-2 focus-within:outline-accent focus-within:-outline-offset-1',
          tone === 'wrong' ? 'border-deny' : tone === 'fits' ? 'border-allow' : 'border-control',
        )}
      >
        <Filter
          aria-hidden
          size={15}
          strokeWidth={1.75}
          className={classes(
            'ml-2.5 shrink-0',
            tone === 'wrong' ? 'text-deny' : tone === 'fits' ? 'text-allow' : 'text-dim',
          )}
        />
        <input
          ref={(element) => {
            input.current = element;
            if (typeof ref === 'function') ref(element);
            else if (ref !== null && ref !== undefined) ref.current = element;
          }}
          type="text"
          role="combobox"
          aria-label="Filter calls"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && chosen >= 0 ? `${id}-${chosen}` : undefined}
          aria-invalid={tone === 'wrong'}
          aria-describedby={`${id}-note`}
          placeholder="tool:Bash verdict:ask >2s"
          value={text}
          maxLength={longest}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            change(event.target.value, event.target.selectionStart ?? event.target.value.length);
            setOpen(true);
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
          onClick={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
          className="min-w-0 flex-1 bg-transparent px-2 font-mono text-mono outline-none placeholder:text-dim"
        />
        <span className={classes('shrink-0 pr-2.5 text-small', tone === 'wrong' ? 'text-deny' : 'text-muted')}>
          {tone === 'wrong' ? 'not readable' : isEmpty ? '' : `${fits} of ${all}`}
        </span>
        {isEmpty ? null : (
          <IconButton
            size="small"
            icon={X}
            label="Clear the filter"
            className="mr-1"
            onClick={() => {
              change('', 0);
              input.current?.focus();
            }}
          />
        )}
      </div>
      <span id={`${id}-note`} role="status" className="sr-only">
        {tone === 'fits' ? `${fits} of ${all} calls fit` : ''}
        {tone === 'wrong' && problem !== null ? `Character ${problem.from + 1}: ${problem.message}` : ''}
      </span>
      {tone === 'wrong' && problem !== null && !isOpen ? <Problem text={text} problem={problem} /> : null}
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Suggestions"
        hidden={!isOpen}
        className="appear absolute top-full right-0 left-0 z-40 mt-1.5 max-h-80 min-w-72 overflow-y-auto rounded-card border border-line-strong bg-raised p-1 shadow-float"
      >
        {isOpen
          ? options.map((option, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field.
              // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus and names this option.
              <div
                key={option.insert}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === chosen}
                // The field must keep the focus.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => take(index)}
                className={classes(
                  'flex min-h-7 cursor-pointer items-center justify-between gap-4 rounded-small px-2',
                  index === chosen ? 'bg-selected' : 'hover:bg-hover',
                )}
              >
                <code className="shrink-0 font-mono text-mono">{option.insert}</code>
                <span className="truncate text-muted text-small">{option.hint}</span>
              </div>
            ))
          : null}
      </div>
    </div>
  );
}

/** What is wrong, with the place marked in the text. */
function Problem({ text, problem }: { readonly text: string; readonly problem: FilterProblem }) {
  const { from, to, message } = problem;
  return (
    <div className="absolute top-full left-0 z-30 mt-1.5 max-w-120 rounded-card border border-deny bg-raised px-3 py-2 text-small shadow-float">
      <p aria-hidden className="truncate font-mono text-mono text-muted">
        {text.slice(Math.max(0, from - 24), from)}
        <mark className="bg-deny-tint text-deny underline decoration-wavy underline-offset-2">
          {text.slice(from, to)}
        </mark>
        {text.slice(to, to + 24)}
      </p>
      <p className="text-deny">{message}</p>
    </div>
  );
}
