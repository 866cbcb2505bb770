import { ListFilter, X } from 'lucide-react';
import { useMemo } from 'react';
import { useApp } from '../../stores/app';
import { useSidebar } from '../../stores/sidebar';
import { useTranscripts } from '../../stores/transcripts';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { IconButton } from '../../ui/IconButton';
import { Popover } from '../../ui/Popover';
import { Select, type SelectOption } from '../../ui/Select';
import { type EntryFilter, noEntryFilter } from './entries';
import { baseName } from './words';

const statuses: readonly SelectOption<EntryFilter['status']>[] = [
  { value: 'any', label: 'Any status' },
  { value: 'waiting', label: 'Needs you' },
  { value: 'running', label: 'Running' },
  { value: 'idle', label: 'At rest' },
  { value: 'leaving', label: 'Swept soon' },
];

const origins: readonly SelectOption<EntryFilter['origin']>[] = [
  { value: 'any', label: 'All' },
  { value: 'gatehouse', label: 'Gatehouse' },
  { value: 'claudeCode', label: 'Claude Code' },
];

/** Folders to choose from; the last used ones. */
const mostFolders = 40;
/** Stands for no folder in the choice; no path is like it. */
const anyFolder = '*';

/** The button beside the search that narrows the list. */
export function SidebarFilter() {
  const filter = useSidebar((sidebar) => sidebar.filter);
  const setFilter = useSidebar((sidebar) => sidebar.setFilter);
  const folders = useFolders(filter.folder);
  const set = chosen(filter).length > 0;
  return (
    <Popover
      label="Filter sessions"
      trigger={
        <IconButton
          label={set ? 'Filter sessions, some are hidden' : 'Filter sessions'}
          icon={ListFilter}
          className={set ? 'text-accent' : ''}
        />
      }
    >
      <div className="flex flex-col gap-3">
        <Select label="Status" value={filter.status} options={statuses} onChange={(status) => setFilter({ status })} />
        <Select
          label="Folder"
          value={filter.folder ?? anyFolder}
          options={[
            { value: anyFolder, label: 'Any folder' },
            ...folders.map((folder) => ({ value: folder, label: folder })),
          ]}
          onChange={(folder) => setFilter({ folder: folder === anyFolder ? null : folder })}
        />
        <Select label="Origin" value={filter.origin} options={origins} onChange={(origin) => setFilter({ origin })} />
        <Button
          size="small"
          className="self-start"
          disabled={!set}
          onClick={() => setFilter({ ...noEntryFilter, text: filter.text })}
        >
          Clear filters
        </Button>
      </div>
    </Popover>
  );
}

/** What narrows the list, each with a way to take it off. */
export function FilterChips() {
  const filter = useSidebar((sidebar) => sidebar.filter);
  const setFilter = useSidebar((sidebar) => sidebar.setFilter);
  const shown = chosen(filter);
  if (shown.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-1.5 px-2.5 pt-2">
      {shown.map(({ label, off }) => (
        <Chip
          key={label}
          tone="accent"
          icon={X}
          aria-label={`Take the filter off: ${label}`}
          onClick={() => setFilter(off)}
        >
          <span className="truncate">{label}</span>
        </Chip>
      ))}
    </div>
  );
}

function chosen({
  status,
  folder,
  origin,
}: EntryFilter): { readonly label: string; readonly off: Partial<EntryFilter> }[] {
  const labelIn = (options: readonly SelectOption<string>[], value: string) =>
    options.find((option) => option.value === value)?.label ?? value;
  return [
    ...(status === 'any' ? [] : [{ label: labelIn(statuses, status), off: { status: 'any' as const } }]),
    ...(folder === null ? [] : [{ label: baseName(folder), off: { folder: null } }]),
    ...(origin === 'any' ? [] : [{ label: labelIn(origins, origin), off: { origin: 'any' as const } }]),
  ];
}

function useFolders(chosenFolder: string | null): readonly string[] {
  const sessions = useApp((app) => app.sessions);
  const transcripts = useTranscripts((store) => store.list);
  return useMemo(() => {
    const last = [...(sessions ?? []), ...(transcripts ?? [])].sort((a, b) => b.updatedAt - a.updatedAt);
    const folders = [...new Set(last.map(({ folder }) => folder).filter((folder) => folder !== ''))];
    const first = folders.slice(0, mostFolders);
    return chosenFolder === null || first.includes(chosenFolder) ? first : [chosenFolder, ...first];
  }, [sessions, transcripts, chosenFolder]);
}
