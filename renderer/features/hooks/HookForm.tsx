import { Save } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type HookChange, type HookEntry, HookSource, type HooksView } from '#shared/api/hooks';
import { HookEventName } from '#shared/session/hookRun';
import { host } from '../../host/client';
import { useApp } from '../../stores/app';
import { useHooksPage } from '../../stores/hooksPage';
import { useSession } from '../../stores/session';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Select } from '../../ui/Select';
import { Switch } from '../../ui/Switch';
import { TextField } from '../../ui/TextField';
import { DiffView } from '../chat/views/DiffView';
import { homePath } from '../frame/words';
import { useAnswer } from '../rules/lab/useAnswer';
import { TextArea } from '../tools/form/TextArea';
import { Findings } from './Findings';
import { saveHook } from './hookActions';
import { sourceWords } from './hookWords';
import { type HookTemplate, hookTemplates } from './templates';

const settleMs = 250;

interface Draft {
  readonly source: HookSource;
  readonly event: HookEventName;
  readonly matcher: string;
  /** The handler as JSON. */
  readonly json: string;
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsIn(json: string): Fields | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function draftOf(hook: HookEntry | null): Draft {
  const event = HookEventName.safeParse(hook?.at.event);
  const source = HookSource.safeParse(hook?.at.source);
  const [first] = hookTemplates;
  return {
    source: source.success ? source.data : 'localSettings',
    event: event.success ? event.data : 'PreToolUse',
    matcher: hook?.matcher ?? first?.matcher ?? '',
    json: hook?.json ?? JSON.stringify(first?.handler ?? {}, null, 2),
  };
}

/** A hook as a form and as JSON, with what would be written. `hook` null: a new one. */
export function HookForm(props: {
  readonly view: HooksView;
  readonly hook: HookEntry | null;
  readonly onClose: () => void;
}) {
  const { view, hook, onClose } = props;
  const [draft, setDraft] = useState(() => draftOf(hook));
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const show = useHooksPage((page) => page.show);
  const set = (change: Partial<Draft>) => {
    setDraft({ ...draft, ...change });
    setProblem('');
  };
  const { source, event, matcher, json } = draft;
  const change: HookChange =
    hook === null
      ? { type: 'add', source, event, matcher, handler: json }
      : { type: 'change', at: hook.at, id: hook.id, event, matcher, handler: json };
  const info = view.events.find(({ name }) => name === event);
  const writable = useMemo(
    () => HookSource.options.filter((one) => view.files.some((file) => file.source === one && file.locked === '')),
    [view.files],
  );
  const preview = usePreview(change);
  const save = async () => {
    setBusy(true);
    const why = await saveHook(change, hook === null ? `A hook for ${event} was added.` : 'The hook was changed.');
    setBusy(false);
    setProblem(why);
    if (why !== '') return;
    show({ tab: 'hooks', chosen: null });
    onClose();
  };
  const take = ({ event: name, matcher: text, handler }: HookTemplate) =>
    set({ event: name, matcher: text, json: JSON.stringify(handler, null, 2) });
  const untrusted = !view.trusted && source !== 'userSettings';
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="wide"
      title={hook === null ? 'Add a hook' : 'Edit the hook'}
      footer={
        <>
          {problem === '' ? null : (
            <p role="alert" className="mr-auto min-w-0 break-words text-deny text-small">
              {problem}
            </p>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            icon={Save}
            disabled={busy || preview.problem !== '' || preview.value === null}
            onClick={() => void save()}
          >
            {hook === null ? 'Add' : 'Save'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {hook === null ? <Templates onTake={take} /> : null}
        <div className="grid grid-cols-1 gap-4 sidebar:grid-cols-2">
          <Select
            label="Where it is kept"
            value={source}
            disabled={hook !== null}
            options={(hook === null ? writable : [source]).map((one) => ({ value: one, label: sourceWords[one] }))}
            onChange={(chosen) => set({ source: chosen })}
          />
          <Select
            label="Event"
            value={event}
            options={view.events.map(({ name }) => ({ value: name, label: name }))}
            onChange={(chosen) => set({ event: chosen })}
          />
        </div>
        {info === undefined ? null : <p className="-mt-2 text-muted text-small">On exit code 2: {info.exitTwo}</p>}
        <TextField
          label="Matcher"
          value={matcher}
          mono
          disabled={info?.subject === ''}
          onChange={(text) => set({ matcher: text })}
          hint={
            info === undefined || info.subject === ''
              ? `${event} has nothing to match: it is asked every time.`
              : `Looks at the ${info.subject}; empty is everything. Names with | between them are exact, anything else is a regular expression. ${info.examples.length === 0 ? '' : `For example ${info.examples.join(', ')}.`}`
          }
        />
        <HandlerFields json={json} onChange={(next) => set({ json: next })} />
        <TextArea
          label="The hook, as JSON"
          rows={5}
          value={json}
          onChange={(text) => set({ json: text })}
          problem={preview.problem}
        />
        {untrusted ? (
          <p className="text-ask text-small">
            You do not trust this folder yet, so a hook in its files waits until you do.
          </p>
        ) : null}
        {preview.value === null ? null : <WouldWrite preview={preview.value} />}
      </div>
    </Dialog>
  );
}

function Templates({ onTake }: { readonly onTake: (template: HookTemplate) => void }) {
  const [chosen, setChosen] = useState(hookTemplates[0]?.title ?? '');
  const template = hookTemplates.find(({ title }) => title === chosen);
  return (
    <div>
      <Select
        label="Begin with"
        value={chosen}
        options={hookTemplates.map(({ title }) => ({ value: title, label: title }))}
        onChange={(title) => {
          setChosen(title);
          const found = hookTemplates.find((one) => one.title === title);
          if (found !== undefined) onTake(found);
        }}
      />
      {template === undefined ? null : <p className="mt-1.5 text-muted text-small">{template.text}</p>}
    </div>
  );
}

/** The fields that are changed most; the JSON below has all. */
function HandlerFields({ json, onChange }: { readonly json: string; readonly onChange: (json: string) => void }) {
  const fields = fieldsIn(json);
  if (fields === null) return null;
  const main = { command: 'command', http: 'url', prompt: 'prompt', agent: 'prompt' }[String(fields.type)];
  const write = (name: string, value: unknown) => {
    const { [name]: _, ...others } = fields;
    // A field keeps its place; one that is gone is left out.
    const next =
      value === undefined ? others : name in fields ? { ...fields, [name]: value } : { ...others, [name]: value };
    onChange(JSON.stringify(next, null, 2));
  };
  const timeout = fields.timeout;
  const canBlock = (fields.type === 'command' || fields.type === 'http') && fields.async !== true;
  return (
    <>
      {main === undefined ? null : (
        <TextArea
          label={{ command: 'Command', url: 'Address', prompt: 'Prompt' }[main] ?? main}
          value={typeof fields[main] === 'string' ? fields[main] : ''}
          onChange={(text) => write(main, text)}
        />
      )}
      <div className="grid grid-cols-1 items-start gap-4 sidebar:grid-cols-2">
        <TextField
          label="Time limit in seconds"
          inputMode="numeric"
          value={typeof timeout === 'number' ? String(timeout) : ''}
          placeholder="as usual"
          onChange={(text) => {
            const seconds = Number(text);
            write('timeout', text.trim() === '' || !Number.isFinite(seconds) || seconds <= 0 ? undefined : seconds);
          }}
        />
        {canBlock ? (
          <Switch
            label="Block when it fails"
            hint="Otherwise things go on as if it had not been asked."
            checked={fields.onFailure === 'block'}
            onChange={(on) => write('onFailure', on ? 'block' : undefined)}
          />
        ) : null}
      </div>
    </>
  );
}

function usePreview(change: HookChange) {
  const sessionId = useSession((session) => session.sessionId);
  const { value, problem, isAsking } = useAnswer({
    key: sessionId === null ? null : JSON.stringify([sessionId, change]),
    settleMs,
    ask: () => host().call('hooks.preview', { sessionId: sessionId ?? '', change }),
  });
  return { value: isAsking || problem !== '' ? null : value, problem };
}

type Preview = NonNullable<ReturnType<typeof usePreview>['value']>;

function WouldWrite({ preview }: { readonly preview: Preview }) {
  const home = useApp((app) => app.hello?.home ?? '');
  const { file, shared, hunks, findings } = preview;
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const count = (sign: string) => lines.filter((line) => line.sign === sign).length;
  return (
    <section aria-label="What would be written" className="flex flex-col gap-2">
      <Findings findings={findings} />
      <p className="text-muted text-small">
        <span className="chat-verbatim font-mono text-mono">{homePath(file, home)}</span>
        {shared ? ' · others who share the folder get it, too' : ''}
      </p>
      <div className="max-h-64 overflow-auto rounded-control border border-line bg-code">
        <DiffView
          view={{
            kind: 'diff',
            path: file,
            created: false,
            hunks: [...hunks],
            added: count('+'),
            removed: count('-'),
            truncated: false,
          }}
        />
      </div>
    </section>
  );
}
