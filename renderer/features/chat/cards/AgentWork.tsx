import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import type { SubAgent } from '#shared/session/subAgent';
import type { ToolCall } from '#shared/session/toolCall';
import { useSession } from '../../../stores/session';
import { VisibleText } from '../../../ui/VisibleText';
import { CardPicture } from './CardPicture';
import { statusWords } from './statusWords';

interface Props {
  /** The call that started the agents. */
  readonly callId: string;
  readonly onOpenTrace: (callId: string) => void;
}

/** The sub-agents that a call has started, each with its calls. Nothing where there are none. */
export function AgentWork({ callId, onOpenTrace }: Props) {
  const agents = useSession(({ state }) => state.agents);
  const own = Object.values(agents).filter((agent) => agent.callId === callId);
  return own.map((agent) => <AgentCalls key={agent.agentId} agent={agent} onOpenTrace={onOpenTrace} />);
}

const agentStatus: Readonly<Record<SubAgent['status'], string>> = {
  running: 'running',
  completed: 'done',
  failed: 'failed',
  stopped: 'stopped',
};

/** Collapsed at first: what matters of an agent's work is its report. */
function AgentCalls({ agent, onOpenTrace }: { readonly agent: SubAgent } & Pick<Props, 'onOpenTrace'>) {
  const [open, setOpen] = useState(false);
  const listId = useId();
  const calls = useSession(({ state }) => state.calls);
  const own = Object.values(calls).filter((call) => call.agentId === agent.agentId);
  const current = own.findLast((call) => ['checking', 'asking', 'running'].includes(call.status));
  const counted = `${own.length} ${own.length === 1 ? 'call' : 'calls'}`;
  return (
    <section aria-label={`Agent ${agent.type}`} className="border-line border-t">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={listId}
        onClick={() => setOpen(!open)}
        className="flex h-8 w-full min-w-0 items-center gap-2 px-3 text-left text-small -outline-offset-2"
      >
        <ChevronRight
          aria-hidden="true"
          size={14}
          strokeWidth={1.75}
          className={`shrink-0 text-muted ${open ? 'rotate-90' : ''}`}
        />
        <span className="shrink-0 font-semibold">{agent.type}</span>
        <span className="shrink-0 text-muted">
          {counted} · {agentStatus[agent.status]}
        </span>
        <span className="min-w-0 flex-1 truncate text-dim">
          {current === undefined ? agent.note : `${current.presentation.activity} (${statusWords(current)})`}
        </span>
      </button>
      {open && (
        <ul id={listId} className="max-h-88 overflow-y-auto border-line border-t pb-1">
          {own.length === 0 && <li className="px-8 py-1 text-dim text-small">No calls yet.</li>}
          {own.map((call) => (
            <AgentCall key={call.callId} call={call} onOpenTrace={onOpenTrace} />
          ))}
        </ul>
      )}
    </section>
  );
}

const callLooks: Partial<Readonly<Record<ToolCall['status'], string>>> = {
  asking: 'text-ask',
  failed: 'text-deny',
  denied: 'text-deny',
  interrupted: 'text-undetermined',
};

function AgentCall({ call, onOpenTrace }: { readonly call: ToolCall } & Pick<Props, 'onOpenTrace'>) {
  const { title, summary, icon } = call.presentation;
  const status = statusWords(call);
  return (
    <li>
      <button
        type="button"
        aria-label={`Open trace: ${[title, summary, status].filter((part) => part !== '').join(', ')}`}
        onClick={() => onOpenTrace(call.callId)}
        className="flex h-7 w-full min-w-0 items-center gap-2 pr-3 pl-8 text-left text-small -outline-offset-2 hover:bg-message"
      >
        <CardPicture icon={icon} />
        <span className="shrink-0">{title}</span>
        <span className="min-w-0 flex-1 truncate font-mono text-mono text-muted">
          <VisibleText text={summary.replaceAll(/\s*\n\s*/g, ' ⏎ ')} />
        </span>
        <span className={`shrink-0 ${callLooks[call.status] ?? 'text-dim'}`}>{status}</span>
      </button>
      <AgentWork callId={call.callId} onOpenTrace={onOpenTrace} />
    </li>
  );
}
