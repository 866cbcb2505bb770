// One of Claude Code's transcripts in the place of a session: read like one, never written.
import { Download, FileClock, FolderClosed, GitBranch, MessageSquarePlus, PanelRight } from 'lucide-react';
import type { TranscriptSummary } from '#shared/api/transcripts';
import { useApp } from '../../stores/app';
import { useSession } from '../../stores/session';
import { putAway, useTranscripts } from '../../stores/transcripts';
import { useUi } from '../../stores/ui';
import { Badge } from '../../ui/Badge';
import { Banner } from '../../ui/Banner';
import { Button } from '../../ui/Button';
import { IconButton } from '../../ui/IconButton';
import { Skeleton } from '../../ui/Skeleton';
import { Tooltip } from '../../ui/Tooltip';
import { VisibleText } from '../../ui/VisibleText';
import '../chat/chat.css';
import { Messages } from '../chat/Messages';
import { daysLeft, leavesSoon } from '../frame/entries';
import { useNow } from '../frame/useNow';
import { baseName, counted } from '../frame/words';
import { FindBar } from '../search/FindBar';

/** The transcript that is open; mounted only while there is one. */
export function TranscriptView() {
  const open = useTranscripts((store) => store.open);
  const status = useSession((session) => session.status);
  const problem = useSession((session) => session.problem);
  const state = useSession((session) => session.state);
  const show = useTranscripts((store) => store.show);
  if (open === null) return null;
  if (status === 'failed') {
    return (
      <Banner
        level="error"
        title="The transcript could not be opened."
        action={
          <span className="flex gap-2">
            <Button size="small" onClick={() => void show(open.id)}>
              Try again
            </Button>
            <Button size="small" onClick={putAway}>
              Close
            </Button>
          </span>
        }
      >
        {problem}
      </Banner>
    );
  }
  return (
    <div className="chat-colors flex min-h-0 flex-1 flex-col">
      <Head summary={open.summary} />
      {status === 'ready' ? (
        <>
          <div className="relative flex min-h-0 flex-1 flex-col">
            <FindBar />
            {state.items.length === 0 ? <Nothing /> : <Messages sessionId={`transcript-${open.id}`} state={state} />}
          </div>
          <ReadOnly id={open.id} summary={open.summary} skipped={open.skipped} />
        </>
      ) : (
        <Skeleton label="Reading the transcript" className="p-8" rows={5} />
      )}
    </div>
  );
}

function Head({ summary }: { readonly summary: TranscriptSummary | null }) {
  const inspectorOpen = useUi((ui) => ui.inspectorOpen);
  const setInspectorOpen = useUi((ui) => ui.setInspectorOpen);
  const title = summary?.title ?? 'Transcript';
  return (
    <header className="flex h-11.5 shrink-0 items-center gap-3 border-line border-b px-4">
      <h1 className="min-w-0 truncate font-semibold text-title" title={title}>
        <VisibleText text={title} />
      </h1>
      {summary === null || summary.folder === '' ? null : (
        <Tooltip text={summary.folder}>
          <span className="inline-flex h-6 min-w-0 shrink-0 items-center gap-1.5 rounded-small border border-line px-2 text-muted text-small">
            <FolderClosed aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
            <span className="max-w-48 truncate">{baseName(summary.folder)}</span>
          </span>
        </Tooltip>
      )}
      <span className="shrink-0">
        <Badge>Claude Code · read-only</Badge>
      </span>
      <span className="ml-auto flex shrink-0 items-center">
        <IconButton
          icon={PanelRight}
          label={inspectorOpen ? 'Close inspector' : 'Open inspector'}
          keys="Mod+J"
          aria-pressed={inspectorOpen}
          onClick={() => setInspectorOpen(!inspectorOpen)}
        />
      </span>
    </header>
  );
}

function Nothing() {
  return (
    <p className="m-auto max-w-md px-7 text-center text-muted">
      Nothing was said in this transcript, or nothing of it could be understood.
    </p>
  );
}

/** Where the message box of a session is: why nothing can be written here, and what can be done instead. */
function ReadOnly(props: {
  readonly id: string;
  readonly summary: TranscriptSummary | null;
  readonly skipped: number;
}) {
  const { id, summary, skipped } = props;
  const continueHere = useTranscripts((store) => store.continueHere);
  const continuing = useTranscripts((store) => store.continuing);
  const openExport = useUi((ui) => ui.openExport);
  const openSession = useApp((app) => app.openSession);
  const own = useApp((app) => app.sessions?.find(({ sessionId }) => summary?.continuedAs.includes(sessionId)));
  const readAgain = useTranscripts((store) => store.readAgain);
  const grown = useTranscripts(
    (store) =>
      summary !== null && (store.list?.some((one) => one.id === id && one.updatedAt > summary.updatedAt) ?? false),
  );
  const now = useNow(60_000);
  const days = summary === null ? null : daysLeft(summary, now);
  const soon = summary !== null && leavesSoon(summary, now);
  return (
    <div className="mx-auto w-full max-w-[860px] shrink-0 px-7 pt-1 pb-4">
      <section
        aria-label="Read-only"
        className="flex flex-wrap items-center gap-x-4 gap-y-2.5 rounded-card border border-line-strong bg-panel px-4 py-3"
      >
        <FileClock aria-hidden size={18} strokeWidth={1.75} className="shrink-0 text-muted" />
        <div className="min-w-0 flex-1 basis-72">
          <p>
            <span className="font-semibold">Claude Code’s transcript, to be read only.</span>{' '}
            <span className="text-muted">To go on, a session of your own begins with all of it.</span>
          </p>
          <p className="text-muted text-small">
            {days === null ? null : (
              <span className={soon ? 'font-semibold text-ask' : ''}>
                Claude Code deletes it {days === 0 ? 'today' : `in ${counted(days, 'day')}`}.{' '}
              </span>
            )}
            {grown ? (
              <button
                type="button"
                className="mr-1.5 rounded-small font-semibold text-accent hover:underline"
                onClick={() => void readAgain()}
              >
                Claude Code has written more. Show it
              </button>
            ) : null}
            {skipped === 0
              ? null
              : `${counted(skipped, 'line')} could not be understood and ${skipped === 1 ? 'is' : 'are'} left out. `}
            {own === undefined ? null : (
              <button
                type="button"
                className="inline-flex max-w-full items-center gap-1 rounded-small text-accent hover:underline"
                onClick={() => openSession(own.sessionId)}
              >
                <GitBranch aria-hidden size={13} strokeWidth={1.75} className="shrink-0" />
                <span className="truncate">Continued as “{own.title}”</span>
              </button>
            )}
          </p>
        </div>
        <span className="flex gap-2">
          <Button icon={Download} onClick={() => openExport({ kind: 'transcript', id })}>
            Export…
          </Button>
          <Button
            variant="primary"
            icon={MessageSquarePlus}
            disabled={continuing}
            onClick={() => void continueHere(id)}
          >
            Continue here
          </Button>
        </span>
      </section>
    </div>
  );
}
