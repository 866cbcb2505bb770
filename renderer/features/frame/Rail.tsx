import {
  Archive,
  Blocks,
  ChartGantt,
  ListChecks,
  type LucideIcon,
  MessageSquare,
  PanelLeft,
  Search,
  Settings,
  Webhook,
} from 'lucide-react';
import { type Page, useApp, waitingCount } from '../../stores/app';
import { classes } from '../../ui/classes';
import { IconButton } from '../../ui/IconButton';
import { Tooltip } from '../../ui/Tooltip';
import { useKeys } from '../palette/keysInForce';
import { Logo } from './Logo';
import { toggleSidebar } from './toggleSidebar';
import { counted } from './words';

/** The strip of pages at the left edge. */
export function Rail() {
  const page = useApp((app) => app.page);
  const waiting = useApp((app) => waitingCount(app.sessions));
  const sidebarKeys = useKeys('toggleSidebar');
  return (
    <nav
      aria-label="Pages"
      data-pane
      className="flex w-13 shrink-0 flex-col items-center gap-1 border-r border-line bg-rail py-2"
    >
      <div className="mb-1.5 flex size-9 items-center justify-center">
        <Logo size={23} />
      </div>
      <PageButton page="chat" label="Chat" icon={MessageSquare} badge={waiting} />
      <PageButton page="search" label="Search" icon={Search} badge={0} />
      <PageButton page="rules" label="Rules" icon={ListChecks} badge={0} />
      <PageButton page="results" label="Results" icon={Archive} badge={0} />
      <PageButton page="trace" label="Trace" icon={ChartGantt} badge={0} />
      <PageButton page="hooks" label="Hooks" icon={Webhook} badge={0} />
      <PageButton page="tools" label="Tools & MCP" icon={Blocks} badge={0} />
      <div className="flex-1" />
      {page === 'chat' ? (
        <IconButton label="Sessions list" keys={sidebarKeys} icon={PanelLeft} side="right" onClick={toggleSidebar} />
      ) : null}
      <PageButton page="settings" label="Settings" icon={Settings} badge={0} />
    </nav>
  );
}

interface PageButtonProps {
  readonly page: Page;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Sessions that wait for the person; 0 shows none. */
  readonly badge: number;
}

function PageButton({ page, label, icon: Icon, badge }: PageButtonProps) {
  const keys = useKeys(page);
  const current = useApp((app) => app.page === page);
  const go = useApp((app) => app.go);
  const name = badge === 0 ? label : `${label}, ${counted(badge, 'session waits', 'sessions wait')} for you`;
  return (
    <Tooltip text={name} keys={keys} side="right">
      <button
        type="button"
        aria-label={name}
        {...(current ? { 'aria-current': 'page' as const } : {})}
        onClick={() => go(page)}
        className={classes(
          'relative flex size-9 items-center justify-center rounded-control transition-colors duration-100',
          current ? 'bg-selected text-accent' : 'text-muted hover:bg-hover hover:text-text',
        )}
      >
        <Icon aria-hidden size={19} strokeWidth={1.75} />
        {badge === 0 ? null : (
          <span
            aria-hidden
            className="absolute -top-0.5 -right-0.5 min-w-4 rounded-full bg-badge px-1 text-center text-head leading-4 font-semibold text-on-badge"
          >
            {badge > 9 ? '9+' : badge}
          </span>
        )}
      </button>
    </Tooltip>
  );
}
