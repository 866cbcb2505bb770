import type { AskedHost } from '#shared/session/toolCall';
import { Verdict } from '../../../ui/Verdict';
import { VisibleText } from '../../../ui/VisibleText';

/** Hosts that the call's command wanted to reach, each with what was said to it. */
export function AskedHosts({ hosts }: { readonly hosts: readonly AskedHost[] }) {
  if (hosts.length === 0) return null;
  return (
    <ul aria-label="Hosts asked about" className="mt-1.5 flex flex-col gap-1 border-line border-l pl-2.5">
      {hosts.map((one) => (
        <li key={one.askId} className="flex flex-wrap items-baseline gap-x-2 text-small">
          <Verdict verdict={one.answered === null ? 'ask' : one.answered.outcome.allowed ? 'allow' : 'deny'} />
          <code className="min-w-0 font-mono text-mono [overflow-wrap:anywhere]">
            <VisibleText text={`${one.host}:${one.port}`} />
          </code>
          <span className="text-muted [overflow-wrap:anywhere]">{answerWords(one)}</span>
        </li>
      ))}
    </ul>
  );
}

const lasting = { once: 'by you, for this command', session: 'by you, for this session', always: 'by you, for good' };

/** Who answered, and for how long it counts. */
export function answerWords({ answered }: AskedHost): string {
  if (answered === null) return 'waiting for you';
  const { by, allowed, lasts, pattern } = answered.outcome;
  if (by === 'abort') return 'given up before anybody answered';
  if (by === 'rule') return pattern === undefined ? 'by another answer or the list' : `by ${pattern} on the list`;
  if (!allowed) return 'by you';
  const words = lasts === undefined ? 'by you' : lasting[lasts];
  return pattern === undefined ? words : `${words}: ${pattern}`;
}
