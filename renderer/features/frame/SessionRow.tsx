import { Ellipsis, FoldVertical, Pencil, Trash2 } from 'lucide-react';
import { type KeyboardEvent, memo } from 'react';
import type { SessionSummary } from '#shared/api/sessions';
import { useApp } from '../../stores/app';
import { useUi } from '../../stores/ui';
import { classes } from '../../ui/classes';
import { IconButton } from '../../ui/IconButton';
import { Menu, MenuItem } from '../../ui/Menu';
import { isComposing } from './shortcuts';
import { age, baseName } from './words';

export interface SessionRowProps {
  readonly session: SessionSummary;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly showFolder: boolean;
  readonly onRename: () => void;
  readonly onDelete: () => void;
}

const activities = {
  waiting: { word: 'waits for you', dot: 'bg-ask' },
  running: { word: 'running', dot: 'bg-accent breathing' },
  idle: { word: '', dot: 'bg-segment' },
};

/** One session: its state, title, age, and a menu. */
export const SessionRow = memo(function SessionRow({ session, now, showFolder, onRename, onDelete }: SessionRowProps) {
  const active = useApp((app) => app.activeSessionId === session.sessionId && app.page === 'chat');
  const open = useApp((app) => app.openSession);
  const compact = useApp((app) => app.compactSession);
  const setSidebarSheet = useUi((ui) => ui.setSidebarSheet);
  const { word, dot } = activities[session.activity];
  return (
    <li
      className={classes(
        'group flex h-8.5 items-center rounded-control pr-1',
        active ? 'bg-selected' : 'hover:bg-hover has-focus-visible:bg-hover',
      )}
    >
      <button
        type="button"
        data-session-row
        {...(active ? { 'data-pane-focus': true, 'aria-current': 'true' as const } : {})}
        title={`${session.title}\n${session.folder}\n${new Date(session.updatedAt).toISOString()}`}
        onClick={() => {
          open(session.sessionId);
          setSidebarSheet(false);
        }}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return;
          if (event.key === 'F2') onRename();
          if (event.key === 'Delete') onDelete();
          if (event.key === 'ArrowDown') moveFocus(event, 1);
          if (event.key === 'ArrowUp') moveFocus(event, -1);
        }}
        className="flex h-full min-w-0 flex-1 items-center gap-2.5 rounded-control pl-2 text-left -outline-offset-2"
      >
        <span aria-hidden className={classes('size-2 shrink-0 rounded-full', dot)} />
        {/* One line high: the folder goes to the next line, out of sight, where there is no room for it. */}
        <span className="flex h-5 min-w-0 flex-1 flex-wrap gap-x-2.5 overflow-hidden">
          <span
            className={classes(
              'max-w-full truncate',
              active || session.activity !== 'idle' ? 'font-semibold' : 'font-medium',
            )}
          >
            {session.title}
          </span>
          {showFolder ? <span className="text-dim text-small leading-5">{baseName(session.folder)}</span> : null}
        </span>
        {word === '' ? null : <span className="sr-only">{word}</span>}
        <span className="shrink-0 pr-1 text-small text-dim group-hover:hidden group-has-focus-visible:hidden group-has-data-[state=open]:hidden">
          {age(session.updatedAt, now)}
        </span>
      </button>
      <span className="hidden group-hover:inline-flex group-has-focus-visible:inline-flex group-has-data-[state=open]:inline-flex">
        <Menu
          label={`Actions for ${session.title}`}
          trigger={<IconButton label={`Actions for ${session.title}`} icon={Ellipsis} size="small" />}
        >
          <MenuItem icon={Pencil} keys="F2" onSelect={onRename}>
            Rename…
          </MenuItem>
          <MenuItem icon={FoldVertical} onSelect={() => void compact(session.sessionId)}>
            Compact conversation
          </MenuItem>
          <MenuItem icon={Trash2} danger keys="Delete" onSelect={onDelete}>
            Delete…
          </MenuItem>
        </Menu>
      </span>
    </li>
  );
});

/** Goes to the row before (-1) or after (1), over the borders of groups. */
function moveFocus(event: KeyboardEvent<HTMLElement>, step: 1 | -1): void {
  const list = event.currentTarget.closest('[data-session-list]');
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-session-row]') ?? [])];
  const next = rows[rows.indexOf(event.currentTarget) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
