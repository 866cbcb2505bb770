import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { SavableSource } from '#shared/permissions/sources';
import type { RulePreview } from '../../../stores/session';
import { messageOf } from '../../../stores/toasts';
import { VisibleText } from '../../../ui/VisibleText';
import { targets } from './targets';

export type PreviewRule = (request: { askId: string; rules: string[]; source: SavableSource }) => Promise<RulePreview>;

/** Typing in a rule asks for its preview only after this pause. */
const settleMs = 200;

export type Preview =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'ready'; readonly preview: RulePreview };

/** What saving would do: problems, or the lines that the file gets. */
export function PreviewBox({ preview, source }: { readonly preview: Preview; readonly source: SavableSource }) {
  if (preview.state === 'loading') return <p className="text-muted text-small">Looking at what this would change…</p>;
  if (preview.state === 'failed') return <Problem>{preview.message}</Problem>;
  const { problems, wouldRun, stillBecause, file, addedLines } = preview.preview;
  return (
    <div aria-live="polite" className="flex flex-col gap-1.5">
      {problems.map((problem) => (
        <Problem key={problem}>{problem}</Problem>
      ))}
      {problems.length === 0 && !wouldRun && <Problem>Would still ask: {stillBecause}</Problem>}
      {problems.length === 0 && (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long change must scroll by keyboard too.
          tabIndex={0}
          aria-label="Change to the file"
          className="chat-ask-preview overflow-y-auto rounded-control border border-line bg-code -outline-offset-2 font-mono text-mono"
        >
          {addedLines.map((added) => (
            <div key={added.line} className="flex gap-2 bg-added-tint px-2.5 text-added">
              <span aria-hidden="true" className="select-none">
                +
              </span>
              <span className="chat-verbatim">
                <span className="sr-only">added: </span>
                <VisibleText text={added.text} />
              </span>
            </div>
          ))}
          <div className="chat-verbatim px-2.5 py-0.5 text-muted">
            {file === null ? targets[source].hint : placeOf(file, addedLines)}
          </div>
        </section>
      )}
    </div>
  );
}

function placeOf(file: string, addedLines: RulePreview['addedLines']): string {
  const first = addedLines[0];
  return first === undefined ? `${file}, nothing to add` : `${file}:${first.line}`;
}

function Problem({ children }: { readonly children: ReactNode }) {
  return (
    <p className="flex items-start gap-1.5 text-ask text-small">
      <TriangleAlert aria-hidden="true" size={15} strokeWidth={1.75} className="mt-px shrink-0" />
      <span>{children}</span>
    </p>
  );
}

/** Why it cannot be saved as it is; empty when it can. */
export function obstacleOf(preview: Preview): string {
  if (preview.state === 'loading') return 'Looking at what this would change.';
  if (preview.state === 'failed') return preview.message;
  if (preview.preview.problems.length > 0) return preview.preview.problems.join(' ');
  return preview.preview.wouldRun ? '' : `It would still ask: ${preview.preview.stillBecause}`;
}

/** Asks what saving would do, whenever the rules or the place change. */
export function usePreview(options: {
  readonly askId: string;
  readonly rules: readonly string[];
  readonly source: SavableSource;
  readonly onPreview: PreviewRule;
}): Preview {
  const { askId, rules, source, onPreview } = options;
  const key = JSON.stringify([askId, rules, source]);
  const [result, setResult] = useState<{ readonly key: string; readonly preview: Preview } | null>(null);
  useEffect(() => {
    let wanted = true;
    const [id, texts, place] = JSON.parse(key) as [string, string[], SavableSource];
    const show = (preview: Preview) => {
      if (wanted) setResult({ key, preview });
    };
    const timer = setTimeout(() => {
      if (texts.some((text) => text.trim() === '')) {
        show({
          state: 'failed',
          message: 'A rule is empty. Write one, for example Bash(npm test), or choose another.',
        });
        return;
      }
      onPreview({ askId: id, rules: texts.map((text) => text.trim()), source: place }).then(
        (preview) => show({ state: 'ready', preview }),
        (error: unknown) => show({ state: 'failed', message: messageOf(error) }),
      );
    }, settleMs);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [key, onPreview]);
  return result?.key === key ? result.preview : { state: 'loading' };
}
