import { GitMerge } from 'lucide-react';
import type { RestoreHunk } from '#shared/api/changes';
import { VisibleText } from '../../ui/VisibleText';

type Conflict = NonNullable<RestoreHunk['conflict']>;

/** Three texts of one place that do not go together, side by side. */
export function ConflictTexts({ conflict }: { readonly conflict: Conflict }) {
  return (
    <div className="border-line border-b bg-ask-tint px-4 py-2.5">
      <p className="flex items-start gap-2 text-ask text-small">
        <GitMerge aria-hidden="true" size={14} strokeWidth={1.75} className="mt-0.5 shrink-0" />
        <span>
          <span className="font-semibold">Conflict.</span> These lines were changed after the recorded step. If you
          choose this place, the old text replaces what is there now.
        </span>
      </p>
      <div className="mt-2 grid gap-2 @min-[900px]:grid-cols-3">
        <Text title="As the step left it" lines={conflict.recorded} />
        <Text title="On disk now" lines={conflict.now} />
        <Text title="Would be restored" lines={conflict.restored} />
      </div>
    </div>
  );
}

function Text({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  const numbered = lines.map((text, at) => ({ text, key: `${at}` }));
  return (
    <figure className="min-w-0 overflow-hidden rounded-control border border-line bg-code">
      <figcaption className="border-line border-b px-2.5 py-0.5 text-muted text-small">{title}</figcaption>
      {lines.length === 0 ? (
        <p className="px-2.5 py-1 text-muted text-small italic">nothing here</p>
      ) : (
        <pre className="chat-verbatim max-h-40 overflow-y-auto px-2.5 py-1 font-mono text-mono">
          {numbered.map(({ text, key }) => (
            <span key={key} className="block min-h-4.5">
              <VisibleText text={text} />
            </span>
          ))}
        </pre>
      )}
    </figure>
  );
}
