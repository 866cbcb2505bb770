import { ArrowUp, ChevronRight, Folder, FolderGit2, History } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react';
import type { FolderEntry } from '#shared/api/host';
import { useApp } from '../../stores/app';
import { useUi } from '../../stores/ui';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { classes } from '../../ui/classes';
import { Dialog } from '../../ui/Dialog';
import { IconButton } from '../../ui/IconButton';
import { Skeleton } from '../../ui/Skeleton';
import { Spinner } from '../../ui/Spinner';
import { Switch } from '../../ui/Switch';
import { TextField } from '../../ui/TextField';
import { isComposing } from '../frame/shortcuts';
import { baseName, homePath } from '../frame/words';
import { crumbsOf, expandHome, pathProblem } from './breadcrumb';
import { recentFolders } from './recentFolders';
import { useBrowse } from './useBrowse';

/** Chooses the folder of a new session, on hosts without a system dialog. */
export function FolderDialog() {
  const close = useUi((ui) => ui.setDialog);
  const create = useApp((app) => app.createSession);
  return (
    <ChooseFolder
      title="Open a folder"
      description="The model works in this folder. What no rule allows waits for your answer."
      verb="Open"
      onChoose={create}
      onClose={() => close(null)}
    />
  );
}

export interface ChooseFolderProps {
  readonly title: string;
  readonly description: string;
  /** What the button does with the folder, before its name: "Open". */
  readonly verb: string;
  /** Resolves to an error text, or null when it worked. */
  readonly onChoose: (folder: string) => Promise<string | null>;
  readonly onClose: () => void;
}

/** Our own browser of folders. */
export function ChooseFolder({ title, description, verb, onChoose, onClose }: ChooseFolderProps) {
  const home = useApp((app) => app.hello?.home ?? '/');
  const sessions = useApp((app) => app.sessions);
  const [showHidden, setShowHidden] = useState(false);
  const browse = useBrowse(home, showHidden);
  /** What was typed while the list was at a folder; elsewhere the field shows where the list is. */
  const [edited, setEdited] = useState<{ readonly at: string; readonly text: string } | null>(null);
  const [typedProblem, setTypedProblem] = useState('');
  const [opening, setOpening] = useState(false);
  const [openProblem, setOpenProblem] = useState('');
  const path = browse.listing?.path ?? home;
  const ready = browse.listing !== null && !browse.loading;
  const typed = edited?.at === path ? edited.text : path;

  function go(to: string): void {
    setEdited(null);
    walk(to);
  }

  function walk(to: string): void {
    setOpenProblem('');
    setTypedProblem('');
    browse.go(to);
  }

  function goTyped(event: FormEvent): void {
    event.preventDefault();
    const problem = pathProblem(typed);
    setTypedProblem(problem);
    if (problem === '') walk(expandHome(typed, home));
  }

  async function open(folder: string): Promise<void> {
    setOpening(true);
    const problem = await onChoose(folder);
    setOpening(false);
    if (problem === null) onClose();
    else setOpenProblem(problem);
  }

  const onWindowKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat || isComposing(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (opening || !ready) return;
    // Typed and not gone to yet: that one is meant, not the one in the list.
    const problem = pathProblem(typed);
    setTypedProblem(problem);
    if (problem === '') void open(expandHome(typed, home));
  });
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent) => onWindowKey(event);
    window.addEventListener('keydown', listener, { capture: true });
    return () => window.removeEventListener('keydown', listener, { capture: true });
  }, []);

  const recent = recentFolders(sessions ?? [], 4);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={description}
      footer={
        <>
          <div className="mr-auto min-w-0 truncate font-mono text-mono text-muted" title={path}>
            {homePath(path, home)}
          </div>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" keys="Mod+Enter" disabled={opening || !ready} onClick={() => void open(path)}>
            {verb} “{shortName(path)}”
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {recent.length === 0 ? null : (
          <div className="flex flex-wrap items-center gap-1.5">
            {recent.map((folder) => (
              <Chip key={folder} icon={History} title={folder} onClick={() => go(folder)}>
                <span className="max-w-40 truncate">{shortName(folder)}</span>
              </Chip>
            ))}
          </div>
        )}
        <form onSubmit={goTyped} className="flex items-start gap-2">
          <TextField
            label="Path"
            hideLabel
            mono
            className="flex-1"
            value={typed}
            onChange={(text) => setEdited({ at: path, text })}
            problem={typedProblem || browse.problem || openProblem}
          />
          <Button type="submit">Go</Button>
        </form>
        <Crumbs path={path} onGo={go} loading={browse.loading} parent={browse.listing?.parent ?? null} />
        <div className="h-72 overflow-y-auto rounded-control border border-line bg-code">
          {browse.listing === null ? (
            browse.problem === '' ? (
              <Skeleton label="Loading the folder" rows={6} className="p-3" />
            ) : null
          ) : (
            <Entries
              key={browse.listing.path}
              entries={browse.listing.entries}
              truncated={browse.listing.truncated}
              parent={browse.listing.parent}
              onGo={go}
            />
          )}
        </div>
        <Switch label="Show hidden folders" checked={showHidden} onChange={setShowHidden} />
      </div>
    </Dialog>
  );
}

function shortName(path: string): string {
  return path === '/' ? '/' : baseName(path);
}

interface CrumbsProps {
  readonly path: string;
  readonly parent: string | null;
  readonly loading: boolean;
  readonly onGo: (path: string) => void;
}

function Crumbs({ path, parent, loading, onGo }: CrumbsProps) {
  const crumbs = crumbsOf(path);
  return (
    <nav aria-label="Folders above" className="flex min-w-0 items-center gap-1">
      <IconButton
        label="Folder above"
        icon={ArrowUp}
        size="small"
        disabled={parent === null}
        onClick={() => {
          if (parent !== null) onGo(parent);
        }}
      />
      <ol className="flex min-w-0 flex-1 flex-wrap items-center">
        {crumbs.map((crumb, index) => (
          <li key={crumb.path} className="flex min-w-0 items-center">
            {index > 1 ? <ChevronRight aria-hidden size={14} className="shrink-0 text-dim" /> : null}
            <button
              type="button"
              {...(index === crumbs.length - 1 ? { 'aria-current': 'location' as const } : {})}
              className="max-w-48 truncate rounded-small px-1.5 py-0.5 text-small text-muted hover:bg-hover hover:text-text aria-[current]:font-semibold aria-[current]:text-text"
              onClick={() => onGo(crumb.path)}
            >
              {crumb.label}
            </button>
          </li>
        ))}
      </ol>
      {loading ? <Spinner label="Loading the folder" /> : null}
    </nav>
  );
}

interface EntriesProps {
  readonly entries: readonly FolderEntry[];
  readonly truncated: boolean;
  readonly parent: string | null;
  readonly onGo: (path: string) => void;
}

function Entries({ entries, truncated, parent, onGo }: EntriesProps) {
  const [current, setCurrent] = useState(0);

  function onKeyDown(event: KeyboardEvent<HTMLUListElement>): void {
    if (isComposing(event.nativeEvent)) return;
    const last = entries.length - 1;
    const next = nextIndex({ key: event.key, current, last });
    if (next !== null) {
      event.preventDefault();
      setCurrent(next);
      event.currentTarget.querySelectorAll<HTMLElement>('button')[next]?.focus();
    } else if ((event.key === 'Backspace' || event.key === 'ArrowLeft') && parent !== null) {
      event.preventDefault();
      onGo(parent);
    } else if (event.key === 'ArrowRight') {
      const entry = entries[current];
      if (entry !== undefined) onGo(entry.path);
    }
  }

  if (entries.length === 0) {
    return <p className="p-4 text-muted">No folders in here. You can choose this folder itself.</p>;
  }
  return (
    <>
      <ul aria-label="Folders" onKeyDown={onKeyDown} className="p-1">
        {entries.map((entry, index) => (
          <li key={entry.path}>
            <button
              type="button"
              tabIndex={index === current ? 0 : -1}
              onFocus={() => setCurrent(index)}
              onClick={() => onGo(entry.path)}
              className={classes(
                'flex h-8 w-full items-center gap-2.5 rounded-small px-2 text-left -outline-offset-2 hover:bg-hover',
                entry.hidden && 'text-muted',
              )}
            >
              {entry.repository ? (
                <FolderGit2 aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-accent" />
              ) : (
                <Folder aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-muted" />
              )}
              <span className="min-w-0 flex-1 truncate">{entry.name}</span>
              {entry.repository ? <Badge>repository</Badge> : null}
              <ChevronRight aria-hidden size={15} className="shrink-0 text-dim" />
            </button>
          </li>
        ))}
      </ul>
      {truncated ? (
        <p className="px-3 pb-3 text-small text-muted">
          Not all folders are listed. Type the path of one that is missing.
        </p>
      ) : null}
    </>
  );
}

function nextIndex({ key, current, last }: { key: string; current: number; last: number }): number | null {
  switch (key) {
    case 'ArrowDown':
      return Math.min(current + 1, last);
    case 'ArrowUp':
      return Math.max(current - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
