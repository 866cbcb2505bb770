import type { PartVerdict } from '#shared/permissions/decision';
import { Verdict } from '../../../ui/Verdict';
import { VisibleText } from '../../../ui/VisibleText';
import { verdictOfDecision } from '../cards/verdict';

const narrowColumns = 'grid-cols-[64px_minmax(0,1fr)]';
// However long a reason is, the part itself keeps room: it is what is approved.
const wideColumns = `${narrowColumns} sidebar:grid-cols-[64px_minmax(45%,1fr)_minmax(0,auto)]`;

export interface PartListProps {
  readonly parts: readonly PartVerdict[];
  /** Reasons below the parts instead of beside them. */
  readonly narrow?: boolean;
}

/** The parts of a call, each with its own verdict and the reason for it. */
export function PartList({ parts, narrow = false }: PartListProps) {
  return (
    <ul aria-label="Parts of this call" className="flex flex-col gap-1">
      {parts.map((part, index) => {
        const { link, rule, detail } = verdictOfDecision({ behavior: part.behavior, reason: part.reason, parts: [] });
        return (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: the same part may stand in a command twice.
            key={index}
            className={`grid gap-x-2 ${narrow ? narrowColumns : wideColumns}`}
          >
            <span className="text-small">
              <Verdict verdict={part.behavior} />
            </span>
            <code className="chat-verbatim font-mono text-mono">
              <VisibleText text={part.text} />
            </code>
            <span
              className={`col-start-2 text-muted text-small ${narrow ? '' : 'sidebar:col-start-3 sidebar:text-right'}`}
            >
              {rule === null ? (
                `${link === '·' ? '' : link} ${detail}`.trim()
              ) : (
                <>
                  <code className="font-mono text-mono">
                    <VisibleText text={rule} />
                  </code>{' '}
                  · {detail}
                </>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
