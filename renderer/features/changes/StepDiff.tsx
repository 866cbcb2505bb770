import { useEffect, useState } from 'react';
import type { AppContract } from '#shared/api/app';
import type { TimelineEntry } from '#shared/api/changes';
import type { Answer } from '#shared/rpc/contract';
import { host } from '../../host/client';
import { type Step, useChanges } from '../../stores/changes';
import { useSession } from '../../stores/session';
import { messageOf } from '../../stores/toasts';
import { Skeleton } from '../../ui/Skeleton';
import { VisibleText } from '../../ui/VisibleText';
import { DiffView } from '../chat/views/DiffView';
import { shortPath } from './words';

type Diff = Answer<AppContract, 'changes.diff'>;

/** Files of one step whose diff is asked for at once; the rest opens on demand. */
const openFiles = 5;

/** What a step changed when it happened, whatever came after it. */
export function StepDiff({ step }: { readonly step: Step }) {
  return (
    <ul aria-label="What the step changed">
      {step.entries.map((entry, index) => (
        <EntryDiff key={entry.change.changeId} entry={entry} openAtFirst={index < openFiles} />
      ))}
    </ul>
  );
}

function EntryDiff({ entry, openAtFirst }: { readonly entry: TimelineEntry; readonly openAtFirst: boolean }) {
  const { path, before, after, changeId } = entry.change;
  const sessionId = useChanges((changes) => changes.sessionId);
  const folder = useSession(({ state }) => state.folder);
  const [open, setOpen] = useState(openAtFirst);
  const [diff, setDiff] = useState<Diff | null>(null);
  useEffect(() => {
    if (!open || sessionId === null) return;
    let gone = false;
    host()
      .call('changes.diff', { sessionId, changeId })
      .then(
        (answer) => {
          if (!gone) setDiff(answer);
        },
        (error: unknown) => {
          if (!gone) setDiff({ hunks: [], truncated: false, binary: false, problem: messageOf(error) });
        },
      );
    return () => {
      gone = true;
    };
  }, [open, sessionId, changeId]);
  return (
    <li className="border-line border-b">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="chat-verbatim block w-full bg-panel px-4 py-2 text-left font-mono text-mono -outline-offset-2"
      >
        <VisibleText text={shortPath(path, folder)} />
      </button>
      {open && (
        <div className="overflow-x-auto bg-code">
          {diff === null ? (
            <Skeleton label="Reading the change" className="p-4" rows={3} />
          ) : diff.problem !== '' || diff.binary ? (
            <p className="px-4 py-2 text-muted text-small">
              {diff.problem === '' ? sizes(before?.bytes ?? null, after?.bytes ?? null) : diff.problem}
            </p>
          ) : diff.truncated && diff.hunks.length === 0 ? null : (
            <DiffView
              view={{
                kind: 'diff',
                path,
                created: before === null,
                hunks: diff.hunks,
                added: entry.change.lines?.added ?? 0,
                removed: entry.change.lines?.removed ?? 0,
                truncated: false,
              }}
            />
          )}
          {diff?.truncated === true && (
            <p className="border-line border-t px-4 py-2 text-muted text-small">
              There is more than can be shown here.
            </p>
          )}
        </div>
      )}
    </li>
  );
}

function sizes(before: number | null, after: number | null): string {
  const words = (bytes: number | null) => (bytes === null ? 'no file' : `${bytes.toLocaleString('en')} bytes`);
  return `Not text: ${words(before)} before, ${words(after)} after.`;
}
