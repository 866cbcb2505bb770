// What can be done with sessions and the conversation that is shown.
import {
  Archive,
  ArrowLeftRight,
  Bell,
  ClipboardCopy,
  Download,
  FoldVertical,
  History,
  MessageSquarePlus,
  PencilLine,
  Pin,
  Plus,
  Square,
  TextSearch,
  Trash2,
  Undo2,
  X,
} from 'lucide-react';
import { useApp, waitingCount } from '../../stores/app';
import { openChanges } from '../../stores/changes';
import { useFind } from '../../stores/find';
import { shownConversation } from '../../stores/place';
import { useSession } from '../../stores/session';
import { reportFailure, useToasts } from '../../stores/toasts';
import { useTranscripts } from '../../stores/transcripts';
import { useUi } from '../../stores/ui';
import { openFolder } from '../folders/openFolder';
import { type Action, needsConversation, needsSession, session, withSession } from './action';

/** A session that was closed in this window, to open it again. */
let closed: string | null = null;

function step(by: 1 | -1): void {
  const { sessions, activeSessionId, openSession } = useApp.getState();
  const open = (sessions ?? []).filter((one) => !one.archived);
  const at = open.findIndex((one) => one.sessionId === activeSessionId);
  const next = open[(at + by + open.length) % Math.max(1, open.length)];
  if (next !== undefined) openSession(next.sessionId);
}

const severalSessions = () => ((useApp.getState().sessions ?? []).length > 1 ? '' : 'There is no other session.');

function summary() {
  const { sessions } = useApp.getState();
  return sessions?.find((one) => one.sessionId === session().sessionId);
}

export const sessionActions: readonly Action[] = [
  {
    id: 'newSession',
    title: 'New session',
    section: 'Session',
    icon: Plus,
    // A browser keeps Mod+N for itself; a window of our own gets it.
    keys: ['Mod+Shift+O', 'Mod+N'],
    words: 'open folder start',
    run: () => void openFolder(),
  },
  {
    id: 'goToSession',
    title: 'Go to session',
    section: 'Session',
    icon: ArrowLeftRight,
    keys: ['Mod+P'],
    words: 'switch',
    run: () => useUi.getState().openPalette('sessions'),
  },
  {
    id: 'nextWaiting',
    title: 'Go to what waits for you',
    section: 'Session',
    icon: Bell,
    keys: ['Mod+Shift+A'],
    words: 'ask permission prompt',
    whyNot: () => (waitingCount(useApp.getState().sessions) > 0 ? '' : 'Nothing waits for you.'),
    run() {
      const app = useApp.getState();
      const waiting = (app.sessions ?? []).filter((one) => one.activity === 'waiting');
      const here = waiting.some((one) => one.sessionId === app.activeSessionId);
      const oldest = waiting.at(-1);
      if (oldest === undefined) return;
      if (!here || app.page !== 'chat') app.openSession(here ? app.activeSessionId : oldest.sessionId);
      useUi.getState().focusAsk();
    },
  },
  {
    id: 'stop',
    title: 'Stop the turn',
    section: 'Session',
    icon: Square,
    keys: [],
    words: 'cancel interrupt abort',
    whyNot: () => needsSession() || (useSession.getState().state.turn === null ? 'Nothing runs in this session.' : ''),
    run: () => void useSession.getState().stop(),
  },
  {
    id: 'compact',
    title: 'Compact the conversation',
    section: 'Session',
    icon: FoldVertical,
    keys: [],
    words: 'summarize context tokens',
    whyNot: () =>
      needsSession() || (useSession.getState().state.turn === null ? '' : 'A turn runs. Wait for its end, or stop it.'),
    run: withSession((sessionId) => void useApp.getState().compactSession(sessionId)),
  },
  {
    id: 'renameSession',
    title: 'Rename this session…',
    section: 'Session',
    icon: PencilLine,
    keys: [],
    words: 'title',
    whyNot: needsSession,
    run: () => useUi.getState().setDialog('rename'),
  },
  {
    id: 'pinSession',
    title: 'Pin or unpin this session',
    section: 'Session',
    icon: Pin,
    keys: [],
    whyNot: needsSession,
    run() {
      const found = summary();
      if (found !== undefined) void useApp.getState().markSession(found.sessionId, { pinned: !found.pinned });
    },
  },
  {
    id: 'archiveSession',
    title: 'Archive this session, or bring it back',
    section: 'Session',
    icon: Archive,
    keys: [],
    whyNot: needsSession,
    run() {
      const found = summary();
      if (found !== undefined) void useApp.getState().markSession(found.sessionId, { archived: !found.archived });
    },
  },
  {
    id: 'exportSession',
    title: 'Export this conversation…',
    section: 'Session',
    icon: Download,
    keys: [],
    words: 'markdown json html save share session transcript',
    whyNot: needsConversation,
    run() {
      const shown = shownConversation();
      if (shown !== null) useUi.getState().openExport(shown);
    },
  },
  {
    id: 'findInConversation',
    title: 'Find in this conversation',
    section: 'Session',
    icon: TextSearch,
    keys: ['Mod+F'],
    words: 'search text',
    // Other pages have a find of their own.
    local: true,
    whyNot: needsConversation,
    run() {
      useApp.getState().go('chat');
      useFind.getState().show();
    },
  },
  {
    id: 'continueTranscript',
    title: 'Continue this transcript as a session',
    section: 'Session',
    icon: MessageSquarePlus,
    keys: [],
    words: 'claude code take up resume',
    whyNot: () => (useTranscripts.getState().open === null ? 'No transcript of Claude Code is open.' : ''),
    run() {
      const { open, continueHere } = useTranscripts.getState();
      if (open !== null) void continueHere(open.id);
    },
  },
  {
    id: 'deleteSession',
    title: 'Delete this session',
    section: 'Session',
    icon: Trash2,
    keys: [],
    words: 'remove trash',
    whyNot: () =>
      needsSession() || (useSession.getState().state.turn === null ? '' : 'A turn runs. Wait for its end, or stop it.'),
    run: withSession((sessionId) => void useApp.getState().deleteSession(sessionId)),
  },
  {
    id: 'changes',
    title: 'Changes of files: take back…',
    section: 'Session',
    icon: History,
    keys: [],
    words: 'undo restore revert timeline history edits',
    whyNot: needsSession,
    run: withSession((sessionId) => {
      useApp.getState().go('chat');
      openChanges(sessionId);
    }),
  },
  {
    id: 'copySessionId',
    title: 'Copy the session’s id',
    section: 'Session',
    icon: ClipboardCopy,
    keys: [],
    whyNot: needsSession,
    run: withSession((sessionId) => copy(sessionId, 'The session’s id was copied.')),
  },
  {
    id: 'copyFolder',
    title: 'Copy the folder’s path',
    section: 'Session',
    icon: ClipboardCopy,
    keys: [],
    whyNot: needsSession,
    run: withSession(() => copy(useSession.getState().state.folder, 'The folder’s path was copied.')),
  },
  {
    id: 'nextSession',
    title: 'Next session',
    section: 'Session',
    icon: ArrowLeftRight,
    keys: ['Mod+Shift+]'],
    whyNot: severalSessions,
    run: () => step(1),
  },
  {
    id: 'previousSession',
    title: 'Previous session',
    section: 'Session',
    icon: ArrowLeftRight,
    keys: ['Mod+Shift+['],
    whyNot: severalSessions,
    run: () => step(-1),
  },
  {
    id: 'closeSession',
    title: 'Close this session',
    section: 'Session',
    icon: X,
    keys: ['Mod+W'],
    whyNot: needsSession,
    run: withSession((sessionId) => {
      closed = sessionId;
      useApp.getState().openSession(null);
    }),
  },
  {
    id: 'reopenSession',
    title: 'Open the closed session again',
    section: 'Session',
    icon: Undo2,
    keys: ['Mod+Shift+T'],
    whyNot: () => (closed === null ? 'None was closed in this window.' : ''),
    run() {
      if (closed !== null) useApp.getState().openSession(closed);
    },
  },
];

function copy(text: string, said: string): void {
  navigator.clipboard.writeText(text).then(
    () => useToasts.getState().show({ level: 'info', title: said, text }),
    (error: unknown) => reportFailure('Nothing was copied.', error),
  );
}
