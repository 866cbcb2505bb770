import { Verdict as VerdictMark } from '../../../ui/Verdict';
import { VisibleText } from '../../../ui/VisibleText';
import type { Verdict } from './verdict';

interface Props {
  readonly verdict: Verdict;
  /** Without the shape, where it stands beside already. */
  readonly bare?: boolean;
}

/** "allowed by Bash(npm test *) · project, line 14" with its shape. */
export function VerdictLine({ verdict, bare = false }: Props) {
  return (
    <span className="inline-flex min-w-0 items-start gap-x-1.5 text-small">
      {bare ? (
        <span className="shrink-0 text-muted">{verdict.word}</span>
      ) : (
        <span className="shrink-0">
          <VerdictMark verdict={verdict.behavior} word={verdict.word} />
        </span>
      )}
      {/* One run of text, so that a long reason wraps behind the verdict. */}
      <span className="min-w-0 text-muted [overflow-wrap:anywhere]">
        {verdict.link !== '' && <span className="mr-1.5">{verdict.link}</span>}
        {verdict.rule !== null && (
          <>
            <code className="chat-verbatim font-mono text-mono text-text">
              <VisibleText text={verdict.rule} />
            </code>
            <span aria-hidden="true" className="mx-1.5 text-dim">
              ·
            </span>
          </>
        )}
        <span>{verdict.detail}</span>
      </span>
    </span>
  );
}
