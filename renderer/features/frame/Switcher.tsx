import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { useApp } from '../../stores/app';
import { useUi } from '../../stores/ui';
import { Dialog } from '../../ui/Dialog';
import { Row } from '../../ui/Row';
import { filterSessions, groupSessions } from './sessionGroups';
import { isComposing } from './shortcuts';
import { age, homePath } from './words';

/** More matches than this ask for another letter. */
const mostShown = 100;

/** Type a few letters, go to a session. */
export function Switcher() {
  const close = useUi((ui) => ui.setDialog);
  const sessions = useApp((app) => app.sessions);
  const home = useApp((app) => app.hello?.home ?? '');
  const open = useApp((app) => app.openSession);
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState(0);
  const [now] = useState(() => Date.now());
  const listId = useId();
  const found = useMemo(
    () =>
      groupSessions(filterSessions(sessions ?? [], search), now)
        .flatMap((group) => group.sessions)
        .slice(0, mostShown),
    [sessions, search, now],
  );
  const at = Math.min(chosen, found.length - 1);

  function go(index: number): void {
    const session = found[index];
    if (session === undefined) return;
    close(null);
    open(session.sessionId);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setChosen((at + step + found.length) % Math.max(found.length, 1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      go(at);
    }
  }

  return (
    <Dialog open onOpenChange={() => close(null)} title="Switch session">
      <input
        type="text"
        role="combobox"
        aria-label="Title or folder"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={found[at] === undefined ? undefined : `${listId}-${at}`}
        placeholder="Title or folder"
        value={search}
        spellCheck={false}
        onChange={(event) => {
          setSearch(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
        className="h-9 w-full rounded-control border border-control bg-code px-3"
      />
      <div id={listId} role="listbox" aria-label="Sessions" className="-mx-2 mt-2 h-72 overflow-y-auto">
        {found.length === 0 ? (
          <p className="px-2 py-3 text-muted">
            {search === '' ? 'There are no sessions yet.' : 'No session matches. Use fewer or other words.'}
          </p>
        ) : null}
        {found.map((session, index) => (
          <Row
            key={session.sessionId}
            selected={index === at}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            ref={(row) => {
              if (index === at) row?.scrollIntoView?.({ block: 'nearest' });
            }}
            onClick={() => go(index)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') go(index);
            }}
          >
            <span className="min-w-0 flex-1 truncate font-medium">{session.title}</span>
            {session.activity === 'waiting' ? (
              <span className="shrink-0 text-small font-semibold text-ask">needs you</span>
            ) : null}
            {session.activity === 'running' ? <span className="shrink-0 text-small text-accent">running</span> : null}
            <span className="max-w-48 min-w-0 truncate font-mono text-mono text-dim" title={session.folder}>
              {homePath(session.folder, home)}
            </span>
            <span className="w-12 shrink-0 whitespace-nowrap text-right text-small text-dim">
              {age(session.updatedAt, now)}
            </span>
          </Row>
        ))}
      </div>
    </Dialog>
  );
}
