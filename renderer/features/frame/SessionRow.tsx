import { FileClock, Pin } from 'lucide-react';
import { type KeyboardEvent, memo } from 'react';
import { useApp } from '../../stores/app';
import { useTranscripts } from '../../stores/transcripts';
import { classes } from '../../ui/classes';
import { VisibleText } from '../../ui/VisibleText';
import { daysLeft, type Entry, leavesSoon } from './entries';
import { RowMenu } from './RowMenu';
import type { RowAction, RowMove } from './rowActions';
import { isComposing } from './shortcuts';
import { age, baseName, counted } from './words';

export interface SessionRowProps {
  readonly entry: Entry;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly showFolder: boolean;
  /** The one row that Tab leads to. */
  readonly tabStop: boolean;
  readonly menuOpen: boolean;
  readonly onAction: (entry: Entry, action: RowAction) => void;
  readonly onMove: (move: RowMove) => void;
  readonly onFocus: (key: string) => void;
}

const activities = {
  waiting: { word: 'waits for you', dot: 'bg-ask' },
  running: { word: 'running', dot: 'bg-accent breathing' },
  idle: { word: '', dot: 'bg-segment' },
};

const moves: Readonly<Record<string, RowMove>> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  Home: 'first',
  End: 'last',
  PageDown: 'nextPage',
  PageUp: 'previousPage',
};

const actionKeys: Readonly<Record<string, RowAction>> = {
  F2: 'rename',
  Delete: 'delete',
  KeyP: 'pin',
  KeyA: 'archive',
};

/** One conversation of the list: its state, title, age, and a menu. */
export const SessionRow = memo(function SessionRow(props: SessionRowProps) {
  const { entry, now, showFolder, tabStop, menuOpen, onAction, onMove, onFocus } = props;
  const active = useActive(entry);
  const activity = entry.kind === 'session' ? entry.session.activity : 'idle';
  const pinned = entry.kind === 'session' && entry.session.pinned;

  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const move = moves[event.key];
    const action = actionKeys[event.key] ?? actionKeys[event.code];
    if (move === undefined && action === undefined) return;
    event.preventDefault();
    if (move !== undefined) onMove(move);
    if (action !== undefined && !event.repeat) onAction(entry, action);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the menu of the row is on its button, too.
    <div
      className={classes(
        'group flex h-full items-center rounded-control pr-1',
        active ? 'bg-selected' : 'hover:bg-hover has-focus-visible:bg-hover',
      )}
      // Also from the menu key and Shift+F10.
      onContextMenu={(event) => {
        event.preventDefault();
        onAction(entry, 'menu');
      }}
    >
      <button
        type="button"
        data-session-row={entry.key}
        {...(active ? { 'data-pane-focus': true, 'aria-current': 'true' as const } : {})}
        tabIndex={tabStop ? 0 : -1}
        title={hint(entry, now)}
        onClick={() => onAction(entry, 'open')}
        onKeyDown={onKeyDown}
        onFocus={() => onFocus(entry.key)}
        className="flex h-full min-w-0 flex-1 items-center gap-2.5 rounded-control pl-2 text-left -outline-offset-2"
      >
        <Mark entry={entry} />
        {/* One line high: the folder goes to the next line, out of sight, where there is no room for it. */}
        <span className="flex h-5 min-w-0 flex-1 flex-wrap gap-x-2.5 overflow-hidden">
          <span
            className={classes('max-w-full truncate', active || activity !== 'idle' ? 'font-semibold' : 'font-medium')}
          >
            <VisibleText text={entry.title} />
          </span>
          {showFolder ? <span className="text-dim text-small leading-5">{baseName(entry.folder)}</span> : null}
        </span>
        <Words entry={entry} />
        {pinned ? <Pin aria-hidden size={13} strokeWidth={1.75} className="shrink-0 text-dim" /> : null}
        <span className="shrink-0 pr-1 text-small text-dim group-hover:hidden group-has-focus-visible:hidden group-has-data-[state=open]:hidden">
          <When entry={entry} now={now} />
        </span>
      </button>
      <span className="hidden group-hover:inline-flex group-has-focus-visible:inline-flex group-has-data-[state=open]:inline-flex">
        <RowMenu
          entry={entry}
          open={menuOpen}
          onOpenChange={(open) => onAction(entry, open ? 'menu' : 'closeMenu')}
          onAction={(action) => onAction(entry, action)}
        />
      </span>
    </div>
  );
});

function useActive(entry: Entry): boolean {
  const inChat = useApp((app) => app.page === 'chat');
  const session = useApp((app) => entry.kind === 'session' && app.activeSessionId === entry.session.sessionId);
  const read = useTranscripts((store) => entry.kind === 'transcript' && store.open?.id === entry.transcript.id);
  return inChat && (session || read);
}

function Mark({ entry }: { readonly entry: Entry }) {
  if (entry.kind === 'transcript')
    return <FileClock aria-hidden size={14} strokeWidth={1.75} className="-mx-[3px] shrink-0 text-dim" />;
  return (
    <span aria-hidden className={classes('size-2 shrink-0 rounded-full', activities[entry.session.activity].dot)} />
  );
}

/** What the eye sees as pictures, for assistive technology. */
function Words({ entry }: { readonly entry: Entry }) {
  const words =
    entry.kind === 'transcript'
      ? ['Claude Code, read-only']
      : [activities[entry.session.activity].word, entry.session.pinned ? 'pinned' : ''].filter((word) => word !== '');
  return words.length === 0 ? null : <span className="sr-only">{words.join(', ')}</span>;
}

function When({ entry, now }: { readonly entry: Entry; readonly now: number }) {
  const days = entry.kind === 'transcript' ? daysLeft(entry.transcript, now) : null;
  if (entry.kind === 'session' || days === null) return age(entry.updatedAt, now);
  return (
    <span className={leavesSoon(entry.transcript, now) ? 'font-semibold text-ask' : ''}>
      {days === 0 ? 'last day' : `${days} d left`}
    </span>
  );
}

function hint(entry: Entry, now: number): string {
  const lines = [entry.title, entry.folder, new Date(entry.updatedAt).toISOString()];
  if (entry.kind === 'transcript') {
    lines.push('Transcript of Claude Code, read-only');
    const days = daysLeft(entry.transcript, now);
    if (days !== null) lines.push(`Claude Code deletes it ${days === 0 ? 'today' : `in ${counted(days, 'day')}`}`);
  }
  return lines.join('\n');
}
