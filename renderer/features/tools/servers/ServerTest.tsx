import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { AppContract } from '#shared/api/app';
import type { McpServerConfig } from '#shared/api/mcp';
import type { Answer } from '#shared/rpc/contract';
import { host } from '../../../host/client';
import { messageOf } from '../../../stores/toasts';
import { Button } from '../../../ui/Button';
import { Spinner } from '../../../ui/Spinner';
import { VisibleText } from '../../../ui/VisibleText';
import { ScrollBox } from '../../chat/views/ScrollBox';
import { type ServerDraft, targetProblem } from './draftConfig';

type Outcome = Answer<AppContract, 'mcp.test'>;

/** Connects once with what stands in the form, and shows what came of it. */
export function ServerTest(props: {
  readonly folder: string;
  readonly draft: ServerDraft;
  readonly config: McpServerConfig;
}) {
  const { folder, draft, config } = props;
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<{ readonly of: string; readonly outcome: Outcome } | null>(null);
  const key = JSON.stringify(config);
  const problem = targetProblem(draft);
  const kept = draft.pairs.some((pair) => pair.kept && pair.value === '');

  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (outcome !== null) place.current?.scrollIntoView({ block: 'nearest' });
  }, [outcome]);

  async function test(): Promise<void> {
    setBusy(true);
    setOutcome(null);
    try {
      setOutcome({ of: key, outcome: await host().call('mcp.test', { folder, config }) });
    } catch (error) {
      setOutcome({ of: key, outcome: { ok: false, message: messageOf(error), tools: [], stderr: '' } });
    } finally {
      setBusy(false);
    }
  }

  return (
    <section aria-label="Test" className="flex flex-col gap-2 border-line border-t pt-4">
      <div className="flex flex-wrap items-center gap-3">
        <Button disabled={busy || problem !== ''} onClick={() => void test()}>
          Test connection
        </Button>
        {busy ? <Spinner label="Connecting to the server" /> : null}
        <span className="min-w-0 flex-1 text-muted text-small">
          {problem !== ''
            ? problem
            : kept
              ? 'Values that this page does not know are left empty in the test.'
              : 'Starts it once on the side and ends it again. Nothing is saved.'}
        </span>
      </div>
      <div ref={place} role="status">
        {outcome?.of === key ? <OutcomeView outcome={outcome.outcome} /> : null}
      </div>
    </section>
  );
}

function OutcomeView({ outcome: { ok, message, tools, stderr } }: { readonly outcome: Outcome }) {
  const Icon = ok ? CircleCheck : CircleAlert;
  return (
    <div className="flex items-start gap-2">
      <Icon
        aria-hidden
        size={16}
        strokeWidth={1.75}
        className={ok ? 'mt-0.5 shrink-0 text-allow' : 'mt-0.5 shrink-0 text-deny'}
      />
      <div className="chat-verbatim flex min-w-0 flex-1 flex-col gap-1.5">
        <p>
          <span className="font-semibold">{ok ? 'It works. ' : 'It does not work. '}</span>
          <VisibleText text={message} />
        </p>
        {tools.length === 0 ? null : (
          <p className="max-h-24 overflow-y-auto font-mono text-mono text-muted">
            <VisibleText text={tools.join(', ')} />
          </p>
        )}
        {ok || stderr.trim() === '' ? null : (
          <ScrollBox
            label="What it printed"
            className="max-h-40 overflow-auto rounded-control border border-line bg-code"
          >
            <pre className="chat-verbatim px-3 py-2 font-mono text-mono">
              <VisibleText text={stderr.slice(-8_000)} />
            </pre>
          </ScrollBox>
        )}
      </div>
    </div>
  );
}
