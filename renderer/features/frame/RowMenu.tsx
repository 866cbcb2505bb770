import {
  Archive,
  ArchiveRestore,
  Copy,
  Download,
  Ellipsis,
  FoldVertical,
  GitBranch,
  MessageSquarePlus,
  Pencil,
  Pin,
  PinOff,
  Trash2,
} from 'lucide-react';
import type { SessionSummary } from '#shared/api/sessions';
import type { TranscriptSummary } from '#shared/api/transcripts';
import { useApp } from '../../stores/app';
import { useTranscripts } from '../../stores/transcripts';
import { useUi } from '../../stores/ui';
import { IconButton } from '../../ui/IconButton';
import { Menu, MenuItem, MenuLine } from '../../ui/Menu';
import { useCopy } from '../chat/views/useCopy';
import type { Entry } from './entries';
import { openOrigin } from './openOrigin';
import type { RowAction } from './rowActions';

interface Props {
  readonly entry: Entry;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onAction: (action: RowAction) => void;
}

/** All that can be done with a conversation from the list. */
export function RowMenu({ entry, open, onOpenChange, onAction }: Props) {
  const label = `Actions for ${entry.title}`;
  return (
    <Menu
      label={label}
      open={open}
      onOpenChange={onOpenChange}
      focusAfter={focusList}
      trigger={<IconButton label={label} icon={Ellipsis} size="small" tabIndex={-1} />}
    >
      {entry.kind === 'session' ? (
        <SessionItems session={entry.session} onAction={onAction} />
      ) : (
        <TranscriptItems transcript={entry.transcript} />
      )}
    </Menu>
  );
}

/** The button that opens the menu is hidden again by then, and its row may be gone. */
function focusList(): void {
  document.querySelector<HTMLElement>('[data-session-list] [data-session-row][tabindex="0"]')?.focus();
}

function SessionItems(props: { readonly session: SessionSummary; readonly onAction: (action: RowAction) => void }) {
  const { session, onAction } = props;
  const compact = useApp((app) => app.compactSession);
  const openExport = useUi((ui) => ui.openExport);
  const { origin, pinned, archived, sessionId } = session;
  return (
    <>
      {origin === null ? null : (
        <>
          <MenuItem icon={GitBranch} onSelect={() => openOrigin(origin)}>
            <span className="block text-muted text-small">
              {origin.kind === 'branch' ? 'Branched from' : 'Continued from Claude Code'}
            </span>
            <span className="block max-w-64 truncate">{origin.title}</span>
          </MenuItem>
          <MenuLine />
        </>
      )}
      <MenuItem icon={pinned ? PinOff : Pin} keys="P" onSelect={() => onAction('pin')}>
        {pinned ? 'Unpin' : 'Pin'}
      </MenuItem>
      <MenuItem icon={Pencil} keys="F2" onSelect={() => onAction('rename')}>
        Rename…
      </MenuItem>
      <MenuItem icon={archived ? ArchiveRestore : Archive} keys="A" onSelect={() => onAction('archive')}>
        {archived ? 'Take out of the archive' : 'Archive'}
      </MenuItem>
      <MenuItem icon={FoldVertical} onSelect={() => void compact(sessionId)}>
        Compact conversation
      </MenuItem>
      <MenuItem icon={Download} onSelect={() => openExport({ kind: 'session', sessionId })}>
        Export…
      </MenuItem>
      <MenuLine />
      <MenuItem icon={Trash2} danger keys="Delete" onSelect={() => onAction('delete')}>
        Delete
      </MenuItem>
    </>
  );
}

function TranscriptItems({ transcript }: { readonly transcript: TranscriptSummary }) {
  const continueHere = useTranscripts((store) => store.continueHere);
  const openExport = useUi((ui) => ui.openExport);
  const openSession = useApp((app) => app.openSession);
  const { copy } = useCopy();
  const own = useApp((app) => app.sessions?.find(({ sessionId }) => transcript.continuedAs.includes(sessionId)));
  const { id, file } = transcript;
  return (
    <>
      {own === undefined ? null : (
        <>
          <MenuItem icon={GitBranch} onSelect={() => openSession(own.sessionId)}>
            <span className="block text-muted text-small">Continued as</span>
            <span className="block max-w-64 truncate">{own.title}</span>
          </MenuItem>
          <MenuLine />
        </>
      )}
      <MenuItem icon={MessageSquarePlus} onSelect={() => void continueHere(id)}>
        Continue here
      </MenuItem>
      <MenuItem icon={Download} onSelect={() => openExport({ kind: 'transcript', id })}>
        Export…
      </MenuItem>
      <MenuItem icon={Copy} onSelect={() => copy(file)}>
        Copy path
      </MenuItem>
    </>
  );
}
