import { Play } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { ToolView } from '#shared/api/tools';
import { host } from '../../../host/client';
import { useApp } from '../../../stores/app';
import { useSession } from '../../../stores/session';
import { messageOf } from '../../../stores/toasts';
import { useUi } from '../../../stores/ui';
import { Button } from '../../../ui/Button';
import { Spinner } from '../../../ui/Spinner';
import { Switch } from '../../../ui/Switch';
import { CallCard } from '../../chat/cards/CallCard';
import { fieldOf, type Json } from '../form/fieldOf';
import { type Draft, type Reading, readDraft } from '../form/formValue';
import { ObjectFields } from '../form/SchemaField';
import { TextArea } from '../form/TextArea';
import { useLastCalls } from './lastCalls';

/** Runs one call by the person's hand, through the whole pipeline. */
export function RunTool({ tool }: { readonly tool: ToolView }) {
  const field = fieldOf(tool.schema);
  const formless = field.kind !== 'object';
  const [draft, setDraft] = useState<Draft>({});
  const [asJson, setAsJson] = useState(formless);
  const [json, setJson] = useState('{}');
  const [failure, setFailure] = useState('');
  const sessionId = useSession((session) => session.sessionId) ?? '';
  const busy = useSession((session) => session.state.turn !== null);
  const { calls, remember } = useLastCalls();
  const callId = calls[`${sessionId} ${tool.name}`];
  const reading: Reading = asJson
    ? readDraft({ kind: 'json', title: '', description: '' }, json, 'required')
    : readDraft(field, draft, 'required');
  const blocked = busy
    ? 'The session runs. Wait until it is done, or stop it.'
    : tool.state === 'disabled'
      ? 'The tool is disabled.'
      : reading.state === 'wrong'
        ? reading.problem
        : '';

  async function run(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (blocked !== '') return;
    setFailure('');
    const input: Json = reading.state === 'given' ? reading.value : {};
    try {
      const started = await host().call('tools.run', { sessionId, name: tool.name, input: input as never });
      remember(`${sessionId} ${tool.name}`, started.callId);
    } catch (error) {
      setFailure(messageOf(error));
    }
  }

  function switchTo(next: boolean): void {
    if (next && reading.state !== 'wrong')
      setJson(JSON.stringify(reading.state === 'given' ? reading.value : {}, null, 2));
    setAsJson(next);
  }

  return (
    <div className="flex flex-col gap-4 px-4 py-3.5">
      <p className="text-muted">
        A real call: hooks, rules and asks count as they do for the model. The model is not told of it.
      </p>
      <form aria-label="Input" onSubmit={(event) => void run(event)} className="flex flex-col gap-4">
        {formless ? null : <Switch label="Write the input as JSON" checked={asJson} onChange={switchTo} />}
        {asJson || field.kind !== 'object' ? (
          <TextArea
            label="Input, as JSON"
            rows={4}
            value={json}
            onChange={setJson}
            {...(reading.state === 'wrong' ? { problem: reading.problem } : {})}
          />
        ) : field.fields.length === 0 ? (
          <p className="text-muted">It needs no input.</p>
        ) : (
          <ObjectFields field={field} draft={draft} onChange={setDraft} />
        )}
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" variant="primary" icon={Play} disabled={blocked !== ''}>
            Run it
          </Button>
          {busy ? <Spinner label="The session runs" /> : null}
          {blocked === '' ? null : <span className="min-w-0 flex-1 break-words text-muted text-small">{blocked}</span>}
        </div>
        {failure === '' ? null : (
          <p role="alert" className="break-words text-deny">
            It was not run. {failure}
          </p>
        )}
      </form>
      {callId === undefined ? null : <Outcome callId={callId} sessionId={sessionId} />}
    </div>
  );
}

/** The call as the chat shows it. */
function Outcome({ callId, sessionId }: { readonly callId: string; readonly sessionId: string }) {
  const call = useSession((session) => session.state.calls[callId]);
  const stop = useSession((session) => session.stop);
  const inspectCall = useUi((ui) => ui.inspectCall);
  const go = useApp((app) => app.go);
  const openTrace = (id: string) => {
    inspectCall(id, 'trace');
    go('chat');
  };
  if (call === undefined) return <Spinner label="The call begins" />;
  return (
    <section aria-label="Last call">
      <h3 className="mb-1.5 font-semibold text-head text-muted">Last call</h3>
      <CallCard
        call={call}
        sessionId={sessionId}
        selected={false}
        link={host()}
        onOpenTrace={openTrace}
        onStop={() => void stop()}
      />
      <div className="mt-2">
        <Button size="small" variant="ghost" onClick={() => openTrace(callId)}>
          Show its seven steps
        </Button>
      </div>
    </section>
  );
}
