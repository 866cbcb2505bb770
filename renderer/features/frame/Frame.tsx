import { useEffect } from 'react';
import { useApp, waitingCount } from '../../stores/app';
import { useChanges } from '../../stores/changes';
import { useSession } from '../../stores/session';
import { useToasts } from '../../stores/toasts';
import { useTranscripts } from '../../stores/transcripts';
import { useUi } from '../../stores/ui';
import { Banner } from '../../ui/Banner';
import { Button } from '../../ui/Button';
import { Skeleton } from '../../ui/Skeleton';
import { ToastRegion } from '../../ui/ToastRegion';
import { TooltipProvider } from '../../ui/Tooltip';
import { shownText } from '../../ui/visibleCharacters';
import { ChangesPanel } from '../changes/ChangesPanel';
import { ChatPage } from '../chat/ChatPage';
import { Inspector } from '../chat/Inspector';
import { ExportDialog } from '../export/ExportDialog';
import { FolderDialog } from '../folders/FolderDialog';
import { HooksPage } from '../hooks/HooksPage';
import { Palette } from '../palette/Palette';
import { ResultsPage } from '../results/ResultsPage';
import { RulesPage } from '../rules/RulesPage';
import { SearchPage } from '../search/SearchPage';
import { SettingsPage } from '../settings/SettingsPage';
import { ToolsPage } from '../tools/ToolsPage';
import { TracePage } from '../trace/TracePage';
import { TranscriptView } from '../transcripts/TranscriptView';
import { Banners } from './Banners';
import { EmptyState } from './EmptyState';
import { Panes } from './Panes';
import { Rail } from './Rail';
import { RenameOpenSession } from './SessionDialogs';
import { ShortcutSheet } from './ShortcutSheet';
import { Sidebar } from './Sidebar';
import { StatusBar } from './StatusBar';
import { useShortcuts } from './useShortcuts';

/** Milliseconds before a tooltip shows; moving on to a neighbour shows it at once. */
const tooltipDelay = 400;

const pageFrame = 'flex min-h-0 min-w-0 flex-1 flex-col outline-none';

/** The whole window. */
export function Frame() {
  useShortcuts();
  useWindowTitle();
  return (
    <TooltipProvider delayDuration={tooltipDelay}>
      <div className="flex h-full flex-col">
        <Banners />
        <div className="flex min-h-0 flex-1">
          <Rail />
          <CurrentPage />
        </div>
        <StatusBar />
      </div>
      <Dialogs />
      <Toasts />
    </TooltipProvider>
  );
}

function CurrentPage() {
  const page = useApp((app) => app.page);
  switch (page) {
    case 'chat':
      return <Chat />;
    case 'search':
      return (
        <main aria-label="Search" data-pane tabIndex={-1} className={pageFrame}>
          <SearchPage />
        </main>
      );
    case 'rules':
      return (
        <main aria-label="Rules" data-pane tabIndex={-1} className={pageFrame}>
          <RulesPage />
        </main>
      );
    case 'results':
      return (
        <main aria-label="Results" data-pane tabIndex={-1} className={pageFrame}>
          <ResultsPage />
        </main>
      );
    case 'trace':
      return (
        <main aria-label="Trace" data-pane tabIndex={-1} className={pageFrame}>
          <TracePage />
        </main>
      );
    case 'hooks':
      return (
        <main aria-label="Hooks" data-pane tabIndex={-1} className={pageFrame}>
          <HooksPage />
        </main>
      );
    case 'tools':
      return (
        <main aria-label="Tools & MCP" data-pane tabIndex={-1} className={pageFrame}>
          <ToolsPage />
        </main>
      );
    case 'settings':
      return (
        <main aria-label="Settings" data-pane tabIndex={-1} className="min-w-0 flex-1 overflow-y-auto outline-none">
          <SettingsPage />
        </main>
      );
  }
}

function Chat() {
  const status = useSession((session) => session.status);
  const sessionId = useSession((session) => session.sessionId);
  // The changes take the place of conversation and inspector, which stay as they are underneath.
  const changes = useChanges((open) => open.sessionId !== null && open.sessionId === sessionId) && status === 'ready';
  return (
    <Panes
      sidebar={<Sidebar />}
      content={
        <main
          aria-label="Chat"
          data-pane
          tabIndex={-1}
          className="relative flex h-full min-h-0 min-w-0 flex-col outline-none"
        >
          <div className="flex min-h-0 flex-1 flex-col" inert={changes}>
            <ChatContent />
          </div>
          {changes && <ChangesPanel key={sessionId} />}
        </main>
      }
      inspector={
        status === 'ready' && !changes ? (
          <aside aria-label="Inspector" data-pane className="flex h-full min-h-0 min-w-0 flex-col bg-panel">
            <Inspector />
          </aside>
        ) : null
      }
    />
  );
}

function ChatContent() {
  const status = useSession((session) => session.status);
  const problem = useSession((session) => session.problem);
  const sessionsKnown = useApp((app) => app.sessions !== null);
  const open = useApp((app) => app.openSession);
  const reading = useTranscripts((store) => store.open !== null);
  if (reading) return <TranscriptView />;
  switch (status) {
    case 'ready':
      return <ChatPage />;
    case 'none':
      return sessionsKnown ? <EmptyState /> : <Skeleton label="Connecting to Gatehouse" className="p-8" rows={5} />;
    case 'loading':
      return <Skeleton label="Opening the session" className="p-8" rows={5} />;
    case 'failed':
      return (
        <Banner
          level="error"
          title="The session could not be opened."
          action={
            <Button size="small" onClick={() => open(null)}>
              Choose another
            </Button>
          }
        >
          {problem}
        </Banner>
      );
  }
}

function Dialogs() {
  const dialog = useUi((ui) => ui.dialog);
  switch (dialog) {
    case 'folder':
      return <FolderDialog />;
    case 'export':
      return <ExportDialog />;
    case 'shortcuts':
      return <ShortcutSheet />;
    case 'palette':
      return <Palette />;
    case 'rename':
      return <RenameOpenSession />;
    case null:
      return null;
  }
}

function Toasts() {
  const toasts = useToasts((store) => store.toasts);
  const dismiss = useToasts((store) => store.dismiss);
  return <ToastRegion toasts={toasts} onDismiss={dismiss} />;
}

function useWindowTitle(): void {
  const waiting = useApp((app) => waitingCount(app.sessions));
  const title = useSession((session) => session.state.title);
  useEffect(() => {
    const name = title === '' ? 'Gatehouse' : `${shownText(title)} · Gatehouse`;
    document.title = waiting === 0 ? name : `(${waiting}) ${name}`;
  }, [waiting, title]);
}
