import { Check, Copy, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { HookEntry, HooksView } from '#shared/api/hooks';
import { ruleSources } from '#shared/permissions/sources';
import { useApp } from '../../stores/app';
import { useHooksPage } from '../../stores/hooksPage';
import { reportFailure } from '../../stores/toasts';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { IconButton } from '../../ui/IconButton';
import { VisibleText } from '../../ui/VisibleText';
import { HookRuns } from '../chat/inspector/HookRuns';
import { useCopy } from '../chat/views/useCopy';
import { counted, homePath } from '../frame/words';
import { Findings } from './Findings';
import { HookForm } from './HookForm';
import { HookTrial } from './HookTrial';
import { saveHook } from './hookActions';
import { originOf, runsOf, stateWords, typeWords } from './hookWords';

/** Runs that stand with the hook; the tab Runs has all. */
const runsShown = 5;

/** Everything about one hook. */
export function HookDetail({ hook, view }: { readonly hook: HookEntry; readonly view: HooksView }) {
  const [editing, setEditing] = useState(false);
  const [removing, setRemoving] = useState(false);
  return (
    <>
      <header className="shrink-0 border-line border-b px-4 py-2.5">
        <div className="flex min-w-0 items-center gap-2">
          <h2 className="min-w-0 truncate font-semibold text-title" title={hook.at.event}>
            <VisibleText text={hook.at.event} />
          </h2>
          <Badge tone={hook.at.source === 'policySettings' ? 'accent' : 'neutral'}>{originOf(hook.at.source)}</Badge>
          <span className="ml-auto flex shrink-0 gap-1.5">
            <Button size="small" icon={Pencil} disabled={hook.locked !== ''} onClick={() => setEditing(true)}>
              Edit
            </Button>
            <Button
              size="small"
              variant="danger"
              icon={Trash2}
              disabled={hook.locked !== ''}
              onClick={() => setRemoving(true)}
            >
              Remove
            </Button>
          </span>
        </div>
        <p className="chat-verbatim mt-1 font-mono text-mono">
          <VisibleText text={hook.label} />
        </p>
        {hook.locked === '' ? null : <p className="mt-1 text-muted text-small">{hook.locked}</p>}
      </header>
      <div className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto px-4 py-3.5">
        <Facts hook={hook} view={view} />
        <Findings findings={hook.findings} />
        <HookTrial hook={hook} view={view} />
        <LastRuns hook={hook} />
        <Written hook={hook} />
      </div>
      {editing ? <HookForm view={view} hook={hook} onClose={() => setEditing(false)} /> : null}
      {removing ? <RemoveHook hook={hook} onClose={() => setRemoving(false)} /> : null}
    </>
  );
}

function Facts({ hook, view }: { readonly hook: HookEntry; readonly view: HooksView }) {
  const home = useApp((app) => app.hello?.home ?? '');
  const info = view.events.find(({ name }) => name === hook.at.event);
  const place = hook.at.file === null ? ruleSources[hook.at.source].where : homePath(hook.at.file, home);
  const rows: (readonly [name: string, value: string, mono?: boolean])[] = [
    ['State', hook.because === '' ? stateWords[hook.state] : `${stateWords[hook.state]}: ${hook.because}`],
    ['Listens to', hook.matcher === '' || hook.matcher === '*' ? 'everything' : hook.matcher, hook.matcher !== ''],
    ...(hook.condition === '' ? [] : [['Only if', hook.condition, true] as const]),
    ['Kind', hook.type === null ? 'not known' : typeWords[hook.type]],
    ['Stands in', hook.line === null ? place : `${place}:${hook.line}`, true],
    [
      'Time limit',
      hook.background ? 'none: it runs in the background' : hook.seconds === null ? '–' : `${hook.seconds} s`,
    ],
    ['If it fails', hook.failure === 'blocks' ? 'it blocks' : 'things go on as without it'],
    ...(info === undefined ? [] : [['Exit code 2', info.exitTwo] as const]),
  ];
  return (
    <dl className="grid grid-cols-[84px_minmax(0,1fr)] gap-y-1">
      {rows.map(([name, value, mono]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className={mono === true ? 'chat-verbatim font-mono text-mono leading-5' : '[overflow-wrap:anywhere]'}>
            <VisibleText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function LastRuns({ hook }: { readonly hook: HookEntry }) {
  const runs = useHooksPage((page) => page.runs);
  const show = useHooksPage((page) => page.show);
  const own = runsOf(hook, runs);
  return (
    <section aria-label="Last runs">
      <div className="flex items-center justify-between">
        <h3 className="font-semibold text-head text-muted">Last runs in this session</h3>
        {own.length > runsShown ? (
          <Button size="small" variant="ghost" onClick={() => show({ tab: 'runs' })}>
            All {counted(own.length, 'run')}
          </Button>
        ) : null}
      </div>
      {own.length === 0 ? (
        <p className="mt-1 text-muted text-small">It has not run in this session.</p>
      ) : (
        <HookRuns runs={own.slice(0, runsShown).map(({ run }) => run)} />
      )}
    </section>
  );
}

function Written({ hook }: { readonly hook: HookEntry }) {
  const { copied, copy } = useCopy();
  return (
    <section aria-label="As written">
      <div className="flex items-center justify-between pb-1">
        <h3 className="font-semibold text-head text-muted">As written{hook.whole ? '' : ', credentials left out'}</h3>
        <IconButton
          size="small"
          icon={copied ? Check : Copy}
          label={copied ? 'Copied' : 'Copy the hook'}
          onClick={() => copy(hook.json)}
        />
      </div>
      <pre className="chat-verbatim rounded-control border border-line bg-code px-3 py-2 font-mono text-mono">
        <VisibleText text={hook.json} />
      </pre>
    </section>
  );
}

function RemoveHook({ hook, onClose }: { readonly hook: HookEntry; readonly onClose: () => void }) {
  const home = useApp((app) => app.hello?.home ?? '');
  const show = useHooksPage((page) => page.show);
  const [busy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    const problem = await saveHook(
      { type: 'remove', at: hook.at, id: hook.id },
      `The hook for ${hook.at.event} was removed.`,
    );
    if (problem === '') show({ chosen: null });
    else reportFailure('The hook was not removed.', new Error(problem));
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="narrow"
      title="Remove this hook?"
      description={`It goes out of ${hook.at.file === null ? 'its file' : homePath(hook.at.file, home)}. You can undo it.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" icon={Trash2} disabled={busy} onClick={() => void remove()}>
            Remove
          </Button>
        </>
      }
    >
      <p className="chat-verbatim font-mono text-mono">
        <VisibleText text={`${hook.at.event}: ${hook.label}`} />
      </p>
    </Dialog>
  );
}
