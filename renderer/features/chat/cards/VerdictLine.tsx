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
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-1.5 text-small">
      {bare ? (
        <span className="text-muted">{verdict.word}</span>
      ) : (
        <VerdictMark verdict={verdict.behavior} word={verdict.word} />
      )}
      {verdict.link !== '' && <span className="text-muted">{verdict.link}</span>}
      {verdict.rule !== null && (
        <>
          <code className="chat-verbatim font-mono text-mono">
            <VisibleText text={verdict.rule} />
          </code>
          <span aria-hidden="true" className="text-dim">
            ·
          </span>
        </>
      )}
      <span className="min-w-0 text-muted [overflow-wrap:anywhere]">{verdict.detail}</span>
    </span>
  );
}
