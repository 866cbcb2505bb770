// Everything that can be done, by a few letters. The focus stays in the field; the list is moved through from there.
import { Search } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type KeyboardEvent, useDeferredValue, useId, useMemo, useState } from 'react';
import { useApp } from '../../stores/app';
import { useRules } from '../../stores/rules';
import { useSession } from '../../stores/session';
import { useUi } from '../../stores/ui';
import { classes } from '../../ui/classes';
import { Kbd } from '../../ui/Kbd';
import { keyNames } from '../../ui/keyNames';
import { isComposing } from '../frame/shortcuts';
import { counted, homePath } from '../frame/words';
import { type Entry, entriesOf, type Match, matching } from './entries';
import { markedPieces } from './fuzzy';
import { useOwnKeys } from './keysInForce';

/** Rows that Page Up and Page Down go past. */
const pageRows = 8;

/** The command palette. */
export function Palette() {
  const setDialog = useUi((ui) => ui.setDialog);
  const scope = useUi((ui) => ui.paletteScope);
  const name = scope === 'sessions' ? 'Go to session' : 'Command palette';
  const [query, setQuery] = useState('');
  return (
    <Radix.Root open onOpenChange={() => setDialog(null)}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-overlay" />
        <Radix.Content
          aria-describedby={undefined}
          onEscapeKeyDown={(event) => {
            // First what was typed goes, then the palette.
            if (query === '' && !isComposing(event)) return;
            event.preventDefault();
            if (!isComposing(event)) setQuery('');
          }}
          className="appear fixed inset-x-4 top-[12vh] z-50 mx-auto flex max-h-[70vh] max-w-xl flex-col overflow-hidden rounded-card border border-line-strong bg-raised text-text shadow-float"
        >
          <Radix.Title className="sr-only">{name}</Radix.Title>
          <Body key={scope} name={name} query={query} setQuery={setQuery} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Body(props: { readonly name: string; readonly query: string; readonly setQuery: (query: string) => void }) {
  const { name, query, setQuery } = props;
  const setDialog = useUi((ui) => ui.setDialog);
  const scope = useUi((ui) => ui.paletteScope);
  const use = useUi((ui) => ui.use);
  // What is used while the palette is open must not move under the pointer.
  const [recent] = useState(() => useUi.getState().recent);
  const [chosen, setChosen] = useState(0);
  const wanted = useDeferredValue(query);
  const entries = useEntries();
  const sections = useMemo(() => matching(entries, wanted, recent, scope), [entries, wanted, recent, scope]);
  const matches = sections.flatMap((section) => section.matches);
  const at = Math.max(0, Math.min(chosen, matches.length - 1));
  const listId = useId();
  const hintId = useId();

  const run = (entry: Entry | undefined) => {
    if (entry === undefined || entry.whyNot !== '') return;
    use(entry.key);
    setDialog(null);
    // The dialog gives the focus back when it closes; what runs may want it elsewhere.
    setTimeout(entry.run, 0);
  };
  const move = (to: number) => setChosen(matches.length === 0 ? 0 : (to + matches.length) % matches.length);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event.nativeEvent)) return;
    const { key } = event;
    if (key === 'ArrowDown') move(at + 1);
    else if (key === 'ArrowUp') move(at - 1);
    else if (key === 'PageDown') setChosen(Math.min(matches.length - 1, at + pageRows));
    else if (key === 'PageUp') setChosen(Math.max(0, at - pageRows));
    else if (key === 'Home' && (event.ctrlKey || query === '')) setChosen(0);
    else if (key === 'End' && (event.ctrlKey || query === '')) setChosen(matches.length - 1);
    else if (key === 'Enter') run(matches[at]?.entry);
    else return;
    event.preventDefault();
  };
  const placeholder = scope === 'sessions' ? 'Title or folder of a session' : 'Session, page, action, mode or model';
  let index = -1;
  return (
    <>
      <div className="flex h-12 shrink-0 items-center gap-2.5 border-line border-b px-4">
        <Search aria-hidden size={17} strokeWidth={1.75} className="shrink-0 text-dim" />
        <input
          type="text"
          role="combobox"
          aria-label={name}
          aria-expanded={matches.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-describedby={hintId}
          aria-activedescendant={matches.length === 0 ? undefined : `${listId}-${at}`}
          placeholder={placeholder}
          value={query}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            setQuery(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
          className="h-full min-w-0 flex-1 bg-transparent text-conversation outline-none placeholder:text-dim"
        />
      </div>
      <div
        id={listId}
        role="listbox"
        aria-label={name}
        // Scrolls with the choice that the field makes; a tab stop of its own would lead nowhere.
        tabIndex={-1}
        className="min-h-0 flex-1 overflow-y-auto p-1.5"
      >
        {sections.map((section) => (
          // biome-ignore lint/a11y/useSemanticElements: a list of options is grouped by this role.
          <div key={section.title} role="group" aria-labelledby={`${listId}-${section.title}`}>
            <div
              id={`${listId}-${section.title}`}
              role="presentation"
              className="px-2.5 pt-2 pb-1 font-semibold text-dim text-head"
            >
              {section.title}
            </div>
            {section.matches.map((match) => {
              index += 1;
              const own = index;
              return (
                <Option
                  key={match.entry.key}
                  id={`${listId}-${own}`}
                  match={match}
                  active={own === at}
                  onPoint={() => setChosen(own)}
                  onRun={() => run(match.entry)}
                />
              );
            })}
          </div>
        ))}
        {matches.length === 0 && <p className="px-2.5 py-4 text-muted">Nothing fits. Use fewer or other letters.</p>}
      </div>
      <p
        id={hintId}
        className="flex shrink-0 items-center gap-4 border-line border-t bg-panel px-4 py-1.5 text-muted text-small"
      >
        <span className="flex items-center gap-1.5">
          <Kbd keys="↑+↓" /> choose
        </span>
        <span className="flex items-center gap-1.5">
          <Kbd keys="Enter" /> do it
        </span>
        <span className="flex items-center gap-1.5">
          <Kbd keys="Escape" /> {query === '' ? 'close' : 'clear'}
        </span>
        <span role="status" className="ml-auto">
          {wanted === '' ? '' : counted(matches.length, 'match', 'matches')}
        </span>
      </p>
    </>
  );
}

function useEntries(): readonly Entry[] {
  const scope = useUi((ui) => ui.paletteScope);
  const own = useOwnKeys();
  const sessions = useApp((app) => app.sessions);
  const activeSessionId = useApp((app) => app.activeSessionId);
  const models = useApp((app) => app.models);
  const home = useApp((app) => app.hello?.home ?? '');
  const openSession = useApp((app) => app.openSession);
  const ready = useSession((session) => session.status === 'ready');
  const turn = useSession((session) => session.state.turn);
  const mode = useSession((session) => session.state.mode);
  const model = useSession((session) => session.state.model);
  const modes = useRules((rules) => rules.view?.modes ?? null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reasons depend on turn, mode and model of the session.
  return useMemo(
    () =>
      entriesOf(
        {
          own,
          sessions: sessions ?? [],
          activeSessionId,
          home,
          modes,
          models,
          ready,
          openSession,
          shortPath: (path) => homePath(path, home),
        },
        scope,
      ),
    [scope, own, sessions, activeSessionId, models, home, openSession, ready, turn, mode, model, modes],
  );
}

function Option(props: {
  readonly id: string;
  readonly match: Match;
  readonly active: boolean;
  readonly onPoint: () => void;
  readonly onRun: () => void;
}) {
  const { id, match, active, onPoint, onRun } = props;
  const { entry, at } = match;
  const { icon: Icon, whyNot } = entry;
  const disabled = whyNot !== '';
  const tone = entry.tone === 'ask' ? 'text-ask' : entry.tone === 'accent' ? 'text-accent' : 'text-dim';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field holds the focus and has the keys.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      aria-disabled={disabled}
      ref={(row) => {
        if (active) row?.scrollIntoView?.({ block: 'nearest' });
      }}
      onPointerMove={onPoint}
      onClick={onRun}
      className={classes(
        'flex min-h-8.5 min-w-0 items-center gap-2.5 rounded-control px-2.5 text-ui',
        active && 'bg-selected',
        disabled && 'text-dim',
      )}
    >
      <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-muted" />
      <span className="min-w-0 shrink truncate" title={entry.title}>
        {markedPieces(entry.title, at).map((piece) =>
          piece.marked ? (
            <mark key={piece.from} className="bg-transparent font-semibold text-accent">
              {piece.text}
            </mark>
          ) : (
            <span key={piece.from}>{piece.text}</span>
          ),
        )}
      </span>
      <span className="min-w-0 flex-1 truncate text-right text-small">
        {disabled ? (
          <span className="text-dim">{whyNot}</span>
        ) : (
          entry.detail !== undefined && <span className={tone}>{entry.detail}</span>
        )}
      </span>
      {entry.keys !== undefined && (
        <span className="shrink-0 text-muted">
          <Kbd keys={entry.keys} />
          <span className="sr-only">{keyNames(entry.keys).join(' ')}</span>
        </span>
      )}
    </div>
  );
}
