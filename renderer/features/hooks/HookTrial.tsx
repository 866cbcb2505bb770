// Trying a hook out with a call of the past or one that was typed. The hook really runs; the call does not.
import { FlaskConical } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { PastCall } from '#shared/api/history';
import type { HookEntry, HookOccasion, HooksView, HookTrial as Trial } from '#shared/api/hooks';
import { host } from '../../host/client';
import { useSession } from '../../stores/session';
import { messageOf } from '../../stores/toasts';
import { Button } from '../../ui/Button';
import { Spinner } from '../../ui/Spinner';
import { TextField } from '../../ui/TextField';
import { VisibleText } from '../../ui/VisibleText';
import { HookRuns } from '../chat/inspector/HookRuns';
import { useNow } from '../frame/useNow';
import { age } from '../frame/words';
import { useAnswer } from '../rules/lab/useAnswer';
import { TextArea } from '../tools/form/TextArea';

const settleMs = 150;
/** Equal calls are one line, so more are asked for than are shown. */
const asked = 100;
const shown = 8;

interface Draft {
  readonly tool: string;
  readonly input: string;
  readonly response: string;
  readonly cwd: string | null;
  readonly text: string;
}

/** A form for the occasion and what came of it. */
export function HookTrial({ hook, view }: { readonly hook: HookEntry; readonly view: HooksView }) {
  const sessionId = useSession((session) => session.sessionId) ?? '';
  const info = view.events.find(({ name }) => name === hook.at.event);
  const [draft, setDraft] = useState<Draft>(() => ({
    tool: /^\w+$/.test(hook.matcher) ? hook.matcher : 'Bash',
    input: '{\n  "command": "ls"\n}',
    response: '',
    cwd: null,
    text: '',
  }));
  const [running, setRunning] = useState(false);
  const [trial, setTrial] = useState<Trial | null>(null);
  const [problem, setProblem] = useState('');
  const still = useRef(true);
  useEffect(() => {
    still.current = true;
    return () => {
      still.current = false;
    };
  }, []);
  const runnable = hook.state === 'active' || hook.state === 'elsewhere';
  const after = /^Post/.test(hook.at.event);
  const json = jsonProblem(draft.input);
  const about = info?.about ?? 'nothing';
  const run = async () => {
    setRunning(true);
    setProblem('');
    try {
      const occasion: HookOccasion =
        about === 'text'
          ? { kind: 'text', text: draft.text }
          : {
              kind: 'typed',
              tool: draft.tool,
              input: draft.input,
              ...(draft.cwd === null ? {} : { cwd: draft.cwd }),
              ...(after ? { response: draft.response } : {}),
            };
      const done = await host().call('hooks.try', { sessionId, at: hook.at, id: hook.id, occasion });
      if (still.current) setTrial(done);
    } catch (error) {
      if (still.current) setProblem(messageOf(error));
    } finally {
      if (still.current) setRunning(false);
    }
  };
  return (
    <section aria-label="Test with a past call" className="rounded-card border border-line">
      <h3 className="border-line border-b px-3 py-2 font-semibold">
        {about === 'text' ? 'Test it' : 'Test with a past call'}
      </h3>
      <div className="flex flex-col gap-3 px-3 py-3">
        {!runnable ? (
          <p className="text-muted">It may not run: {hook.because}</p>
        ) : (
          <>
            <p className="text-muted text-small">
              The hook really runs, with all that it does. The call does not, and nothing is recorded in the session.
            </p>
            {about === 'text' ? (
              <TextField
                label={info?.textName ?? 'Text'}
                value={draft.text}
                placeholder={info?.examples[0] ?? ''}
                onChange={(text) => setDraft({ ...draft, text })}
              />
            ) : (
              <>
                <PastCalls
                  sessionId={sessionId}
                  onPick={(call) => setDraft({ ...draft, tool: call.tool, input: indented(call.input), cwd: call.cwd })}
                />
                <TextField
                  label="Tool"
                  value={draft.tool}
                  mono
                  onChange={(tool) => setDraft({ ...draft, tool, cwd: null })}
                />
                <TextArea
                  label="Input, as JSON"
                  rows={3}
                  value={draft.input}
                  problem={json}
                  onChange={(input) => setDraft({ ...draft, input, cwd: null })}
                />
                {after ? (
                  <TextArea
                    label="What the call gave"
                    value={draft.response}
                    onChange={(response) => setDraft({ ...draft, response })}
                  />
                ) : null}
              </>
            )}
            <div className="flex items-center gap-3">
              <Button
                variant="primary"
                icon={FlaskConical}
                disabled={running || (about !== 'text' && (json !== '' || draft.tool.trim() === ''))}
                onClick={() => void run()}
              >
                Run the hook
              </Button>
              {running ? <Spinner label="The hook runs" size={16} /> : null}
            </div>
            {problem === '' ? null : (
              <p role="alert" className="break-words text-deny">
                {problem}
              </p>
            )}
            {trial === null ? null : <Outcome trial={trial} />}
          </>
        )}
      </div>
    </section>
  );
}

function Outcome({ trial }: { readonly trial: Trial }) {
  return (
    <div role="status" className="flex flex-col gap-2 border-line border-t pt-3">
      {trial.fits ? null : (
        <p className="text-ask">
          In earnest it would not have run. <VisibleText text={trial.because} />
        </p>
      )}
      <div>
        <h4 className="font-semibold text-head text-muted">What it would do</h4>
        <ul className="mt-0.5 flex flex-col gap-0.5">
          {trial.would.map((text) => (
            <li key={text} className="chat-verbatim">
              <VisibleText text={text} />
            </li>
          ))}
        </ul>
      </div>
      {trial.updatedInput === null ? null : (
        <pre className="chat-verbatim max-h-40 overflow-y-auto rounded-control border border-line bg-code px-2.5 py-1.5 font-mono text-mono">
          <VisibleText text={trial.updatedInput} />
        </pre>
      )}
      <HookRuns runs={[trial.run]} />
    </div>
  );
}

/** Past calls of the folder, each once, to pick one. */
function PastCalls(props: { readonly sessionId: string; readonly onPick: (call: PastCall) => void }) {
  const { sessionId, onPick } = props;
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const now = useNow(60_000);
  const { value, problem } = useAnswer({
    key: open ? JSON.stringify([sessionId, text]) : null,
    settleMs,
    ask: () =>
      host().call('history.calls', {
        scope: { sessionId, where: 'folder', days: 365 },
        text,
        offset: 0,
        limit: asked,
      }),
  });
  const calls = [...new Map((value?.calls ?? []).map((call) => [`${call.tool} ${call.input}`, call])).values()];
  return (
    <div className="flex flex-col gap-1.5">
      <TextField
        label="Choose a past call"
        type="search"
        placeholder="Command, path or tool"
        value={text}
        onFocus={() => setOpen(true)}
        onChange={setText}
      />
      {problem === '' ? null : <p className="text-deny text-small">{problem}</p>}
      {!open || value === null ? null : calls.length === 0 ? (
        <p className="text-muted text-small">
          {text === '' ? 'No calls are known in this folder yet. Type one below.' : 'No past call has that.'}
        </p>
      ) : (
        <ul aria-label="Past calls" className="max-h-48 overflow-y-auto rounded-control border border-line">
          {calls.slice(0, shown).map((call) => (
            <li key={call.id} className="border-line border-b last:border-b-0">
              <button
                type="button"
                onClick={() => {
                  onPick(call);
                  setOpen(false);
                }}
                className="flex w-full min-w-0 items-baseline gap-2 px-2.5 py-1 text-left -outline-offset-2 hover:bg-hover"
              >
                <span className="w-16 shrink-0 truncate text-muted text-small">{call.tool}</span>
                <code className="min-w-0 flex-1 truncate font-mono text-mono" title={call.title}>
                  <VisibleText text={call.title} />
                </code>
                <span className="shrink-0 text-dim text-small">{age(call.at, now)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

function jsonProblem(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch {
    return 'This is not valid JSON.';
  }
}
