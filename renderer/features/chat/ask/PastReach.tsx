import type { Reach } from '#shared/api/history';
import { VisibleText } from '../../../ui/VisibleText';
import { counted } from '../../frame/words';
import type { Known, Studied } from './useStudy';

/** `12 past prompts fewer · 3 dangerous or refused among them`; always one line, so that nothing moves when it comes. */
export function ReachLine({ reach }: { readonly reach: Known<Reach> }) {
  return (
    <span className="block truncate text-small">
      {reach === 'asking' ? (
        <span className="text-dim">counting past calls…</span>
      ) : reach === 'unknown' ? (
        <span className="text-dim">past calls cannot be counted now</span>
      ) : (
        <>
          <span className="text-muted">
            {reach.covers === 0
              ? 'no prompt of the last 30 days'
              : `${counted(reach.covers, 'prompt')} of the last 30 days`}
          </span>
          {reach.overReach === 0 ? null : (
            <span className="text-ask"> · {counted(reach.overReach, 'dangerous or refused call')} besides</span>
          )}
        </>
      )}
    </span>
  );
}

/** The chosen rules as they stand: what they meet, the most dangerous of it, and what the checks object to. */
export function StudyOfRules({ studied }: { readonly studied: Studied }) {
  const { reach, remarks } = studied;
  const worst = typeof reach === 'string' ? [] : reach.worst;
  return (
    <div className="mt-1 flex flex-col gap-1">
      <ReachLine reach={reach} />
      {worst.length === 0 ? null : (
        <ul aria-label="The most dangerous that it would allow" className="flex flex-col">
          {worst.map(({ call, danger }) => (
            <li key={call.id} className="flex min-w-0 items-baseline gap-2">
              <code className="min-w-0 flex-1 truncate font-mono text-mono" title={call.title}>
                <VisibleText text={call.title} />
              </code>
              <span className="max-w-[60%] shrink-0 text-ask text-small">{danger.reason}</span>
            </li>
          ))}
        </ul>
      )}
      {remarks.map((remark) => (
        <p key={remark} className="text-ask text-small [overflow-wrap:anywhere]">
          {remark}
        </p>
      ))}
    </div>
  );
}
