import { Check, Copy } from 'lucide-react';
import type { PersistedResult, ToolCall } from '#shared/session/toolCall';
import { useSession } from '../../../stores/session';
import { IconButton } from '../../../ui/IconButton';
import { VisibleText } from '../../../ui/VisibleText';
import { formatDuration } from '../cards/duration';
import { keptWords } from '../cards/KeptResult';
import { statusWords } from '../cards/statusWords';
import { hasEnded, waitedMs } from '../cards/track';
import { CodeLine } from '../conversation/CodeLine';
import { useHighlight } from '../conversation/useHighlight';
import { useCopy } from '../views/useCopy';

/** The call as the model wrote it. */
export function CallTab({ call }: { readonly call: ToolCall }) {
  const input = JSON.stringify(call.input, null, 2);
  const { copied, copy } = useCopy();
  const tokens = useHighlight(input, 'json');
  const ended = hasEnded(call) ? call.endedAt : null;
  const agent = useSession(({ state }) => (call.agentId === undefined ? undefined : state.agents[call.agentId]));
  const waited = waitedMs(call);
  const rows: [name: string, value: string, title?: string][] = [
    ['Status', statusWords(call)],
    ['Tool', call.name],
    ['Started', clock(call.createdAt), new Date(call.createdAt).toISOString()],
  ];
  if (ended !== null) {
    rows.push(
      ['Ended', clock(ended), new Date(ended).toISOString()],
      ['Ran', formatDuration(ended - call.createdAt - waited)],
    );
  }
  if (waited > 0) rows.push(['Waited', `${formatDuration(waited)} for you`]);
  if (call.agentId !== undefined)
    rows.push(['Made by', agent === undefined ? call.agentId : `the agent ${agent.type}`]);
  if (call.presentation.path !== undefined) rows.push(['Path', call.presentation.path]);
  rows.push(['Call id', call.callId]);
  return (
    <div className="flex flex-col gap-4 px-4 py-3.5">
      <dl className="grid grid-cols-[72px_minmax(0,1fr)] gap-y-1">
        {rows.map(([name, value, title]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd
              title={title}
              className={name === 'Path' || name === 'Call id' ? 'chat-verbatim font-mono text-mono' : ''}
            >
              <VisibleText text={value} />
            </dd>
          </div>
        ))}
      </dl>
      {'persisted' in call && call.persisted !== undefined && <KeptFile kept={call.persisted} />}
      <section aria-label="Input">
        <div className="flex items-center justify-between pb-1">
          <h3 className="font-semibold text-head text-muted">Input, as the model wrote it</h3>
          <IconButton
            size="small"
            icon={copied ? Check : Copy}
            label={copied ? 'Copied' : 'Copy input'}
            onClick={() => copy(input)}
          />
        </div>
        <pre className="chat-verbatim rounded-control border border-line bg-code px-3 py-2 font-mono text-mono">
          {input.split('\n').map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text have no other identity and never move.
            <div key={index} className="min-h-[18px]">
              <CodeLine text={line} tokens={tokens?.[index]} />
            </div>
          ))}
        </pre>
      </section>
    </div>
  );
}

/** Where the whole result lies; the path in full, because it is here to be read. */
function KeptFile({ kept }: { readonly kept: PersistedResult }) {
  const { copied, copy } = useCopy();
  return (
    <section aria-label="Whole result">
      <div className="flex items-center justify-between pb-1">
        <h3 className="font-semibold text-head text-muted">
          The whole result, {kept.bytes.toLocaleString('en')} bytes, kept as a file
        </h3>
        <IconButton
          size="small"
          icon={copied ? Check : Copy}
          label={copied ? 'Copied' : 'Copy path'}
          onClick={() => copy(kept.file)}
        />
      </div>
      <p className="chat-verbatim rounded-control border border-line bg-code px-3 py-2 font-mono text-mono">
        <VisibleText text={kept.file} />
      </p>
      <p className="mt-1 text-muted text-small">{keptWords(kept)}. It can read on in the file.</p>
    </section>
  );
}

function clock(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB');
}
