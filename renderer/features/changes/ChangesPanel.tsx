// The session's changes of files over the conversation: what happened when, and taking it back.
import { History, RefreshCw, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { activityOf } from '#shared/session/state';
import { host } from '../../host/client';
import { useChanges } from '../../stores/changes';
import { useSession } from '../../stores/session';
import { useUi } from '../../stores/ui';
import { Banner } from '../../ui/Banner';
import { Button } from '../../ui/Button';
import { IconButton } from '../../ui/IconButton';
import { Skeleton } from '../../ui/Skeleton';
import { counted } from '../frame/words';
import '../chat/chat.css';
import { NotCoveredList } from './NotCoveredList';
import { RestoreView } from './RestoreView';
import { Timeline } from './Timeline';
import { whyNotRestore } from './whyNotRestore';

/** Events come in bursts; the timeline is read anew once for each. */
const settleMs = 250;

export function ChangesPanel() {
  const changes = useChanges();
  const panel = useRef<HTMLElement>(null);
  const { sessionId, close } = changes;
  useFresh(sessionId);
  useKeys();
  const waiting = useSession(({ state }) => activityOf(state) === 'waiting');
  // The way to a question leads out of here.
  const askWantedAt = useUi((ui) => ui.askWantedAt);
  const openedWith = useRef(askWantedAt);
  useEffect(() => {
    if (askWantedAt !== openedWith.current) close();
  }, [askWantedAt, close]);
  // What was focused lies covered now; when the panel goes, the focus goes back there.
  useEffect(() => {
    const before = document.activeElement;
    panel.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) requestAnimationFrame(() => before.focus());
    };
  }, []);
  return (
    <section
      ref={panel}
      aria-label="Changes of files"
      tabIndex={-1}
      className="chat-colors @container absolute inset-0 z-10 flex min-h-0 flex-col bg-background outline-none"
    >
      <header className="flex h-11.5 shrink-0 items-center gap-3 border-line border-b px-4">
        <History aria-hidden="true" size={17} strokeWidth={1.75} className="shrink-0 text-muted" />
        <h1 className="min-w-0 truncate font-semibold text-title">Changes of files</h1>
        {changes.status === 'ready' && changes.steps.length > 0 && (
          <span className="min-w-0 truncate text-muted text-small">{counted(changes.steps.length, 'step')}</span>
        )}
        <span className="ml-auto flex shrink-0 items-center gap-1">
          <IconButton
            icon={RefreshCw}
            label="Look at the files again"
            onClick={() => void changes.reload().then(() => useChanges.getState().refresh())}
          />
          <IconButton icon={X} label="Close changes" keys="Escape" onClick={close} />
        </span>
      </header>
      {waiting && (
        <Banner
          level="warning"
          title="This session waits for you."
          action={
            <Button size="small" onClick={() => useUi.getState().focusAsk()}>
              Show the question
            </Button>
          }
        />
      )}
      {changes.missing && (
        <Banner level="info" title="The change of that call is not recorded here.">
          It was made before this branch, or nothing had to be written.
        </Banner>
      )}
      <Body />
    </section>
  );
}

function Body() {
  const { status, problem, steps, notCovered, reload } = useChanges();
  if (status === 'loading') return <Skeleton label="Reading the changes" className="p-8" rows={5} />;
  if (status === 'failed') {
    return (
      <Banner
        level="error"
        title="The changes could not be read."
        action={
          <Button size="small" onClick={() => void reload()}>
            Try again
          </Button>
        }
      >
        {problem}
      </Banner>
    );
  }
  if (steps.length === 0) {
    return (
      <div className="mx-auto flex w-full max-w-xl min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-6 py-12">
        <div className="text-center">
          <p className="font-semibold text-title">No file was changed yet</p>
          <p className="mt-1 text-muted">
            Every change that Edit, Write or NotebookEdit makes in this session appears here, with both sides kept, and
            can be taken back: a file, or single places in it. What was changed before a branch is taken back in the
            session that it was branched from.
          </p>
        </div>
        {notCovered.length > 0 && (
          <div className="overflow-hidden rounded-card border border-line">
            <NotCoveredList calls={notCovered} />
          </div>
        )}
      </div>
    );
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col @min-[720px]:flex-row">
      <div className="flex max-h-[38%] min-h-0 shrink-0 flex-col border-line border-b bg-panel @min-[720px]:max-h-none @min-[720px]:w-76 @min-[720px]:border-r @min-[720px]:border-b-0">
        <Timeline />
        <div className="hidden shrink-0 border-line border-t @min-[720px]:block">
          <NotCoveredList calls={notCovered} />
        </div>
      </div>
      <RestoreView />
    </div>
  );
}

/** The panel's keys, wherever in it the focus is; menus and dialogs over it take theirs first. */
function useKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || event.isComposing) return;
      const changes = useChanges.getState();
      if (event.key === 'Escape') {
        event.preventDefault();
        changes.close();
      } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
        event.preventDefault();
        if (whyNotRestore(useSession.getState()) === '') void changes.restore();
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Follows the session and, as files may change elsewhere, looks again when the window comes back to the front. */
function useFresh(sessionId: string | null): void {
  useEffect(() => {
    if (sessionId === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = host().on('session.event', ({ sessionId: of, event }) => {
      const { type } = event.body;
      if (of !== sessionId || (type !== 'file.changed' && type !== 'call.finished')) return;
      clearTimeout(timer);
      timer = setTimeout(() => void useChanges.getState().reload(), settleMs);
    });
    const onFocus = () => {
      if (!useChanges.getState().restoring) void useChanges.getState().refresh();
    };
    window.addEventListener('focus', onFocus);
    return () => {
      stop();
      clearTimeout(timer);
      window.removeEventListener('focus', onFocus);
    };
  }, [sessionId]);
}
