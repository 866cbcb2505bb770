import type { HookFinding } from '#shared/api/hooks';
import { VisibleText } from '../../ui/VisibleText';

const levels: Readonly<Record<HookFinding['level'], { readonly word: string; readonly look: string }>> = {
  error: { word: 'Error', look: 'text-deny' },
  warning: { word: 'Warning', look: 'text-ask' },
  hint: { word: 'Hint', look: 'text-muted' },
};

/** What is wrong or doubtful. */
export function Findings({ findings }: { readonly findings: readonly HookFinding[] }) {
  if (findings.length === 0) return null;
  return (
    <section aria-label="What is doubtful">
      <ul className="flex flex-col gap-1.5">
        {findings.map((finding) => (
          <li
            key={`${finding.kind} ${finding.text}`}
            className="rounded-control border border-line bg-code px-2.5 py-1.5 [overflow-wrap:anywhere]"
          >
            <span className={`font-semibold text-small ${levels[finding.level].look}`}>
              {levels[finding.level].word}
            </span>{' '}
            <VisibleText text={finding.text} />
          </li>
        ))}
      </ul>
    </section>
  );
}
