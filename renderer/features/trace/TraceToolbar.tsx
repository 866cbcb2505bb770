import { ChartNoAxesColumn, ChevronDown, Download, GanttChart, Rows3 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useApp } from '../../stores/app';
import { useTracePage } from '../../stores/tracePage';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { Menu, MenuChoices } from '../../ui/Menu';
import { useNow } from '../frame/useNow';
import { age, baseName } from '../frame/words';

/** Most sessions that the chooser lists; others are opened from the sidebar. */
const mostSessions = 30;

/** Which session, the filter, the views, and the way to a file. */
export function TraceToolbar({ children, canExport }: { readonly children: ReactNode; readonly canExport: boolean }) {
  const view = useTracePage((page) => page.view);
  const show = useTracePage((page) => page.show);
  return (
    <header className="flex min-h-11.5 shrink-0 flex-wrap items-center gap-2 border-line border-b px-3 py-1.5">
      <h1 className="mr-1 font-semibold text-title">Trace</h1>
      <SessionChooser />
      {children}
      <fieldset aria-label="View" className="ml-auto flex gap-1">
        <Chip icon={GanttChart} aria-pressed={view === 'waterfall'} onClick={() => show({ view: 'waterfall' })}>
          Waterfall
        </Chip>
        <Chip icon={Rows3} aria-pressed={view === 'list'} onClick={() => show({ view: 'list' })}>
          List
        </Chip>
        <Chip icon={ChartNoAxesColumn} aria-pressed={view === 'totals'} onClick={() => show({ view: 'totals' })}>
          Totals
        </Chip>
      </fieldset>
      <Button icon={Download} disabled={!canExport} onClick={() => show({ exporting: true })}>
        Export…
      </Button>
    </header>
  );
}

function SessionChooser() {
  const sessions = useApp((app) => app.sessions) ?? [];
  const shown = useTracePage((page) => page.sessionId);
  const show = useTracePage((page) => page.show);
  const now = useNow(60_000);
  const present = sessions.find(({ sessionId }) => sessionId === shown);
  const choices = sessions.slice(0, mostSessions).map(({ sessionId, title, folder, updatedAt }) => ({
    value: sessionId,
    label: title,
    hint: `${baseName(folder)} · ${age(updatedAt, now)}`,
  }));
  return (
    <Menu
      label="Session"
      trigger={
        <Chip aria-label={`Session: ${present?.title ?? 'none'}`} className="max-w-60 max-[1000px]:max-w-40">
          <span className="truncate">{present?.title ?? 'No session'}</span>
          <ChevronDown aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
        </Chip>
      }
    >
      <MenuChoices
        value={shown ?? ''}
        choices={choices}
        onChoose={(sessionId) => show({ chosenSession: sessionId, active: null, zoom: null })}
      />
    </Menu>
  );
}
