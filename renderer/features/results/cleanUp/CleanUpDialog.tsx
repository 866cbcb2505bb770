import { useEffect, useMemo, useState } from 'react';
import type { AppContract } from '#shared/api/app';
import type { CleanUpChoice } from '#shared/api/results';
import type { Answer } from '#shared/rpc/contract';
import { host } from '../../../host/client';
import { useResultsPage } from '../../../stores/resultsPage';
import { messageOf } from '../../../stores/toasts';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { Select } from '../../../ui/Select';
import { Spinner } from '../../../ui/Spinner';
import { Switch } from '../../../ui/Switch';
import { VisibleText } from '../../../ui/VisibleText';
import { counted } from '../../frame/words';
import { cleanUp, dayOf } from '../actions';
import { resultName, weight } from '../list/words';

type Preview = Answer<AppContract, 'results.cleanUpPreview'>;

/** Names that are shown before it says how many more there are. */
const maxNames = 100;
const ages = [
  { value: '0', label: 'of any age' },
  { value: '1', label: 'older than a day' },
  { value: '7', label: 'older than a week' },
  { value: '30', label: 'older than 30 days' },
  { value: '90', label: 'older than 90 days' },
] as const;
type Age = (typeof ages)[number]['value'];
const everySession = 'all sessions';

/** Chooses what a clean-up takes, with what it would be before anything moves. */
export function CleanUpDialog({ ids }: { readonly ids: readonly string[] | null }) {
  const files = useResultsPage((page) => page.files);
  const retentionDays = useResultsPage((page) => page.retentionDays);
  const show = useResultsPage((page) => page.show);
  const [age, setAge] = useState<Age>(ids === null ? '7' : '0');
  const [session, setSession] = useState(everySession);
  const [orphansOnly, setOrphansOnly] = useState(false);
  const [unreadOnly, setUnreadOnly] = useState(false);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [problem, setProblem] = useState('');
  const [moving, setMoving] = useState(false);

  const choice: CleanUpChoice = useMemo(
    () => ({
      ids: ids === null ? null : [...ids],
      olderThanDays: age === '0' ? null : Number(age),
      sessionId: session === everySession ? null : session,
      orphansOnly,
      unreadOnly,
    }),
    [ids, age, session, orphansOnly, unreadOnly],
  );
  useEffect(() => {
    let mine = true;
    host()
      .call('results.cleanUpPreview', choice)
      .then(
        (answer) => {
          if (!mine) return;
          setPreview(answer);
          setProblem('');
        },
        (error: unknown) => mine && setProblem(messageOf(error)),
      );
    return () => {
      mine = false;
    };
  }, [choice]);

  const sessions = useMemo(() => {
    const titles = new Map<string, string>();
    for (const { session: one, origin } of files ?? [])
      if (one !== null && origin === 'gatehouse') titles.set(one.id, one.title);
    return [
      { value: everySession, label: 'in all sessions' },
      ...[...titles].map(([value, title]) => ({ value, label: `in “${title.slice(0, 60)}”` })),
    ];
  }, [files]);
  const names = useMemo(() => {
    const known = new Map((files ?? []).map((file) => [file.id, file]));
    return (preview?.ids ?? []).slice(0, maxNames).flatMap((id) => known.get(id) ?? []);
  }, [files, preview]);

  const close = (): void => show({ dialog: null });
  const move = async (): Promise<void> => {
    if (preview === null) return;
    setMoving(true);
    const done = await cleanUp(preview.ids);
    setMoving(false);
    if (done) close();
  };
  const count = preview?.ids.length ?? 0;
  return (
    <Dialog
      open
      onOpenChange={close}
      title="Clean up results"
      description="Files go to the trash first and can be brought back. What is kept, and what is Claude Code's own, stays."
      footer={
        <>
          <Button className="mr-auto" variant="ghost" onClick={() => show({ dialog: { kind: 'trash' } })}>
            Open the trash
          </Button>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" disabled={count === 0 || moving} onClick={() => void move()}>
            {count === 0 ? 'Move to the trash' : `Move ${counted(count, 'file')} to the trash`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {ids === null ? null : (
          <p>
            Of the <strong className="font-semibold">{counted(ids.length, 'chosen file')}</strong>:
          </p>
        )}
        <div className="flex flex-wrap gap-3">
          <Select<Age> label="Age" value={age} options={ages} onChange={setAge} className="min-w-44" />
          <Select
            label="Session"
            value={session}
            options={sessions}
            onChange={setSession}
            className="min-w-44 max-w-72"
          />
        </div>
        <Switch label="Only where the session is gone" checked={orphansOnly} onChange={setOrphansOnly} />
        <Switch
          label="Only what the model read no more of than the beginning"
          checked={unreadOnly}
          onChange={setUnreadOnly}
        />
        <section aria-label="What it takes" className="rounded-control border border-line bg-code">
          <p role="status" className="flex items-center gap-2 border-line border-b px-3 py-2">
            {problem !== '' ? (
              <span className="text-deny">{problem}</span>
            ) : preview === null ? (
              <Spinner label="Looking what it would take" />
            ) : (
              <span>{previewWords(preview)}</span>
            )}
          </p>
          {names.length === 0 ? null : (
            <ul
              aria-label="Files that it takes"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled by mouse must scroll by keys too.
              tabIndex={0}
              className="max-h-52 overflow-y-auto py-1 -outline-offset-2"
            >
              {names.map((file) => (
                <li key={file.id} className="flex items-center gap-3 px-3 py-0.5 text-small">
                  <span className="min-w-0 flex-1 truncate font-mono text-mono" title={file.file}>
                    <VisibleText text={resultName(file)} />
                  </span>
                  <span className="shrink-0 text-muted">{weight(file.bytes)}</span>
                </li>
              ))}
              {count > names.length ? (
                <li className="px-3 py-0.5 text-muted text-small">
                  and {counted(count - names.length, 'more', 'more')}
                </li>
              ) : null}
            </ul>
          )}
        </section>
        <p className="text-muted text-small">
          {retentionDays > 0
            ? `By itself, Gatehouse cleans up what has not changed for ${counted(retentionDays, 'day')}.`
            : ''}
        </p>
      </div>
    </Dialog>
  );
}

/** "It takes 41 files, 1.2 GB, the oldest of 3 November. 3 kept files stay." */
export function previewWords({ ids, bytes, spared, oldest }: Preview): string {
  const stays = spared === 0 ? '' : ` ${counted(spared, 'kept file')} ${spared === 1 ? 'stays' : 'stay'}.`;
  if (ids.length === 0) return `Nothing fits.${stays}`;
  const since = oldest === null ? '' : `, the oldest of ${dayOf(oldest)}`;
  return `It takes ${counted(ids.length, 'file')}, ${weight(bytes)}${since}.${stays}`;
}
