import { Plus, Search, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { SessionSummary } from '#shared/api/sessions';
import { useApp } from '../../stores/app';
import { useUi } from '../../stores/ui';
import { Button } from '../../ui/Button';
import { IconButton } from '../../ui/IconButton';
import { Kbd } from '../../ui/Kbd';
import { Skeleton } from '../../ui/Skeleton';
import { openFolder } from '../folders/openFolder';
import { DeleteSession, RenameSession } from './SessionDialogs';
import { SessionRow } from './SessionRow';
import { filterSessions, groupSessions } from './sessionGroups';
import { isComposing } from './shortcuts';
import { useNow } from './useNow';
import { counted } from './words';

/** Rows of a group that are drawn at first, and with each request for more; the search looks through all. */
const step = 100;

/** All sessions: who needs the person first. */
export function Sidebar() {
  const sessions = useApp((app) => app.sessions);
  const [search, setSearch] = useState('');
  const [shown, setShown] = useState(step);
  const [renaming, setRenaming] = useState<SessionSummary | null>(null);
  const [deleting, setDeleting] = useState<SessionSummary | null>(null);
  const now = useNow(30_000);
  const groups = useMemo(() => groupSessions(filterSessions(sessions ?? [], search), now), [sessions, search, now]);
  const manyFolders = new Set(sessions?.map((session) => session.folder)).size > 1;

  return (
    <aside aria-label="Sessions" data-pane className="flex h-full min-h-0 flex-col bg-panel">
      <div className="flex h-11.5 shrink-0 items-center gap-1.5 border-b border-line px-2.5">
        <SearchField value={search} onChange={setSearch} />
        <IconButton label="New session" keys="Mod+Shift+O" icon={Plus} onClick={() => void openFolder()} />
      </div>
      <div data-session-list className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
        {sessions === null ? <Skeleton label="Loading the sessions" rows={4} className="px-2 pt-5" /> : null}
        {sessions !== null && groups.length === 0 ? <Nothing searched={search} clear={() => setSearch('')} /> : null}
        {groups.map((group) => (
          <section key={group.label} aria-label={group.label}>
            <h2 className="px-2 pt-3.5 pb-1 text-head font-semibold text-muted">{group.label}</h2>
            <ul>
              {group.sessions.slice(0, shown).map((session) => (
                <SessionRow
                  key={session.sessionId}
                  session={session}
                  now={now}
                  showFolder={manyFolders}
                  onRename={() => setRenaming(session)}
                  onDelete={() => setDeleting(session)}
                />
              ))}
            </ul>
            {group.sessions.length <= shown ? null : (
              <Button variant="ghost" size="small" className="mt-1 ml-1" onClick={() => setShown(shown + step)}>
                {counted(group.sessions.length - shown, 'more session')}
              </Button>
            )}
          </section>
        ))}
      </div>
      {renaming === null ? null : <RenameSession session={renaming} onClose={() => setRenaming(null)} />}
      {deleting === null ? null : <DeleteSession session={deleting} onClose={() => setDeleting(null)} />}
    </aside>
  );
}

function SearchField({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const openSwitcher = useUi((ui) => ui.setDialog);
  return (
    <div className="relative flex h-8 min-w-0 flex-1 items-center rounded-control border border-line-strong bg-raised focus-within:border-accent">
      <Search aria-hidden size={15} strokeWidth={1.75} className="ml-2.5 shrink-0 text-dim" />
      <input
        type="text"
        aria-label="Search sessions by title or folder"
        placeholder="Search sessions"
        value={value}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !isComposing(event.nativeEvent)) onChange('');
        }}
        className="min-w-0 flex-1 bg-transparent px-2 text-ui outline-none"
      />
      {value === '' ? (
        <button
          type="button"
          tabIndex={-1}
          aria-label="Switch session"
          className="mr-1.5 text-dim"
          onClick={() => openSwitcher('switcher')}
        >
          <Kbd keys="Mod+K" />
        </button>
      ) : (
        <IconButton label="Clear the search" icon={X} size="small" className="mr-1" onClick={() => onChange('')} />
      )}
    </div>
  );
}

function Nothing({ searched, clear }: { readonly searched: string; readonly clear: () => void }) {
  if (searched.trim() !== '') {
    return (
      <div className="px-2 pt-5 text-muted">
        <p className="break-words">No session has “{searched.trim()}” in its title or folder.</p>
        <Button size="small" className="mt-3" onClick={clear}>
          Show all
        </Button>
      </div>
    );
  }
  return <p className="px-2 pt-5 text-muted">No sessions yet. A session begins when you open a folder.</p>;
}
