import { FileClock, Plus, Search, TextSearch, X } from 'lucide-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
import type { SessionSummary } from '#shared/api/sessions';
import { useApp } from '../../stores/app';
import { useSearch } from '../../stores/search';
import { useSidebar } from '../../stores/sidebar';
import { useTranscripts } from '../../stores/transcripts';
import { useUi } from '../../stores/ui';
import { Button } from '../../ui/Button';
import { IconButton } from '../../ui/IconButton';
import { Kbd } from '../../ui/Kbd';
import { Skeleton } from '../../ui/Skeleton';
import { openFolder } from '../folders/openFolder';
import { useKeys } from '../palette/keysInForce';
import { type Entry, entriesOf, filterEntries, groupEntries, sweepWarning } from './entries';
import type { RowAction } from './rowActions';
import { RenameSession } from './SessionDialogs';
import { FilterChips, SidebarFilter } from './SidebarFilter';
import { SidebarList } from './SidebarList';
import { isComposing } from './shortcuts';
import { useNow } from './useNow';

/** Nothing of a list that has not come yet; always the same one. */
const none: readonly never[] = [];

/** All conversations: who needs the person first, Claude Code's own among them. */
export function Sidebar() {
  const sessions = useApp((app) => app.sessions);
  const transcripts = useTranscripts((store) => store.list);
  const filter = useSidebar((sidebar) => sidebar.filter);
  const [renaming, setRenaming] = useState<SessionSummary | null>(null);
  const now = useNow(30_000);
  const entries = useMemo(() => entriesOf(sessions ?? none, transcripts ?? none), [sessions, transcripts]);
  const groups = useMemo(() => groupEntries(filterEntries(entries, filter, now), now), [entries, filter, now]);
  const manyFolders = useMemo(() => new Set(entries.map((entry) => entry.folder)).size > 1, [entries]);
  const searched = filter.text.trim();

  const newKeys = useKeys('newSession');

  return (
    <aside aria-label="Sessions" data-pane className="flex h-full min-h-0 flex-col bg-panel">
      <div className="flex h-11.5 shrink-0 items-center gap-1 border-b border-line pr-1.5 pl-2.5">
        <SearchField onOpenFirst={() => openFirst(groups[0]?.entries[0])} />
        <SidebarFilter />
        <IconButton label="New session" keys={newKeys} icon={Plus} onClick={() => void openFolder()} />
      </div>
      <FilterChips />
      <SweepWarning now={now} />
      <SidebarList
        groups={groups}
        now={now}
        showFolder={manyFolders}
        unfolded={searched !== ''}
        onAction={(entry, action) => {
          if (action === 'rename') setRenaming(entry.kind === 'session' ? entry.session : null);
          else act(entry, action);
        }}
      >
        {searched === '' ? null : <SearchEverything text={searched} />}
        {sessions === null ? <Skeleton label="Loading the sessions" rows={4} className="px-2 pt-5" /> : null}
        {sessions !== null && groups.length === 0 ? <Nothing all={entries.length} /> : null}
      </SidebarList>
      <TranscriptsProblem />
      {renaming === null ? null : <RenameSession session={renaming} onClose={() => setRenaming(null)} />}
    </aside>
  );
}

function openFirst(entry: Entry | undefined): void {
  if (entry !== undefined) act(entry, 'open');
}

function act(entry: Entry, action: Exclude<RowAction, 'menu' | 'closeMenu' | 'rename'>): void {
  const app = useApp.getState();
  if (action === 'open') {
    if (entry.kind === 'session') app.openSession(entry.session.sessionId);
    else void useTranscripts.getState().show(entry.transcript.id);
    useUi.getState().setSidebarSheet(false);
    return;
  }
  if (entry.kind === 'transcript') return;
  const { sessionId, pinned, archived } = entry.session;
  if (action === 'delete') void app.deleteSession(sessionId);
  else void app.markSession(sessionId, action === 'pin' ? { pinned: !pinned } : { archived: !archived });
}

function SearchField({ onOpenFirst }: { readonly onOpenFirst: () => void }) {
  const openPalette = useUi((ui) => ui.openPalette);
  const keys = useKeys('palette');
  const value = useSidebar((sidebar) => sidebar.filter.text);
  const setFilter = useSidebar((sidebar) => sidebar.setFilter);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Escape') setFilter({ text: '' });
    if (event.key === 'Enter') onOpenFirst();
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      event.currentTarget
        .closest('aside')
        ?.querySelector<HTMLElement>('[data-session-list] [data-session-row]')
        ?.focus();
    }
  };
  return (
    <div className="relative flex h-8 min-w-0 flex-1 items-center rounded-control border border-line-strong bg-raised focus-within:border-accent">
      <Search aria-hidden size={15} strokeWidth={1.75} className="ml-2.5 shrink-0 text-dim" />
      <input
        type="text"
        aria-label="Search sessions by title or folder"
        placeholder="Search"
        value={value}
        spellCheck={false}
        onChange={(event) => setFilter({ text: event.target.value })}
        onKeyDown={onKeyDown}
        className="min-w-0 flex-1 bg-transparent px-2 text-ui outline-none"
      />
      {value === '' ? (
        <button
          type="button"
          tabIndex={-1}
          aria-label="Command palette"
          className="mr-1.5 text-dim"
          onClick={() => openPalette('all')}
        >
          {keys === undefined ? null : <Kbd keys={keys} />}
        </button>
      ) : (
        <IconButton
          label="Clear the search"
          icon={X}
          size="small"
          className="mr-1"
          onClick={() => setFilter({ text: '' })}
        />
      )}
    </div>
  );
}

/** From titles to everything that was said, run or printed. */
function SearchEverything({ text }: { readonly text: string }) {
  const go = useApp((app) => app.go);
  const setText = useSearch((search) => search.setText);
  return (
    <button
      type="button"
      onClick={() => {
        setText(text);
        go('search');
      }}
      className="mt-2 flex min-h-8.5 w-full items-center gap-2.5 rounded-control px-2 py-1 text-left text-accent -outline-offset-2 hover:bg-hover"
    >
      <TextSearch aria-hidden size={15} strokeWidth={1.75} className="shrink-0" />
      <span className="min-w-0 flex-1 truncate">Search in everything</span>
    </button>
  );
}

/** Claude Code deletes its own transcripts after a while; what is worth keeping is taken up or exported before. */
function SweepWarning({ now }: { readonly now: number }) {
  const transcripts = useTranscripts((store) => store.list);
  const seen = useSidebar((sidebar) => sidebar.sweepSeen);
  const setFilter = useSidebar((sidebar) => sidebar.setFilter);
  const dismiss = useSidebar((sidebar) => sidebar.dismissSweep);
  const shown = useSidebar((sidebar) => sidebar.filter.status === 'leaving');
  const warning = useMemo(() => sweepWarning(transcripts ?? none, now), [transcripts, now]);
  if (warning === '' || seen) return null;
  return (
    <div
      role="status"
      className="mx-2 mt-2 flex items-start gap-2 rounded-control border border-ask/40 bg-ask-tint py-1.5 pr-1 pl-2.5 text-small"
    >
      <FileClock aria-hidden size={14} strokeWidth={1.75} className="mt-0.5 shrink-0 text-ask" />
      <p className="min-w-0 flex-1">
        <span className="font-semibold text-ask">{warning}.</span>{' '}
        <span className="text-muted">Claude Code deletes its own; continue or export what you want to keep.</span>
        {shown ? null : (
          <button
            type="button"
            className="ml-1.5 rounded-small font-semibold text-accent hover:underline"
            onClick={() => setFilter({ status: 'leaving' })}
          >
            Show them
          </button>
        )}
      </p>
      <IconButton label="Dismiss" icon={X} size="small" onClick={dismiss} />
    </div>
  );
}

/** The list lacks Claude Code's transcripts, or some of them. */
function TranscriptsProblem() {
  const problem = useTranscripts((store) => store.problem);
  const truncated = useTranscripts((store) => store.truncated);
  const load = useTranscripts((store) => store.load);
  const connected = useApp((app) => app.connection.status === 'open');
  if (problem === '' || !connected) {
    if (!truncated) return null;
    return (
      <p className="shrink-0 border-line border-t px-4 py-1.5 text-muted text-small">
        There are more of Claude Code’s transcripts than the list holds; the oldest are left out.
      </p>
    );
  }
  return (
    <div role="alert" className="shrink-0 border-line border-t px-4 py-2 text-small">
      <p className="font-semibold text-deny">Claude Code’s transcripts could not be listed.</p>
      <p className="text-muted [overflow-wrap:anywhere]">{problem}</p>
      <Button size="small" className="mt-1.5" onClick={() => void load()}>
        Try again
      </Button>
    </div>
  );
}

function Nothing({ all }: { readonly all: number }) {
  const filter = useSidebar((sidebar) => sidebar.filter);
  const clear = useSidebar((sidebar) => sidebar.clearFilter);
  const searched = filter.text.trim();
  if (all === 0 && searched === '')
    return <p className="px-2 pt-5 text-muted">No sessions yet. A session begins when you open a folder.</p>;
  return (
    <div className="px-2 pt-5 text-muted">
      <p className="break-words">
        {searched === '' ? 'No session fits the filters.' : `No session has “${searched}” in its title or folder.`}
      </p>
      <Button size="small" className="mt-3" onClick={clear}>
        Show all
      </Button>
    </div>
  );
}
