import { useState } from 'react';
import type { View } from '#shared/tools/presentation';
import { capLines } from './lineCap';
import { MoreLines } from './MoreLines';

/** A list of files; the name stands out from its folders. */
export function FilesView({ view }: { readonly view: Extract<View, { kind: 'files' }> }) {
  const [all, setAll] = useState(false);
  if (view.files.length === 0) return <p className="px-3.5 py-2 text-muted text-small">No files.</p>;
  const { head, hidden, tail } = capLines(view.files, all ? Number.POSITIVE_INFINITY : undefined);
  const row = (file: (typeof view.files)[number]) => {
    const cut = file.path.lastIndexOf('/') + 1;
    return (
      <li key={file.path} className="flex gap-3">
        <span className="chat-verbatim min-w-0">
          <span className="text-dim">{file.path.slice(0, cut)}</span>
          {file.path.slice(cut)}
        </span>
        {file.note !== undefined && <span className="ml-auto shrink-0 font-sans text-dim text-small">{file.note}</span>}
      </li>
    );
  };
  return (
    <>
      <ul className="px-3.5 py-2 font-mono text-mono">
        {head.map(row)}
        {hidden > 0 && (
          <li>
            <MoreLines count={hidden} onShow={() => setAll(true)} />
          </li>
        )}
        {tail.map(row)}
      </ul>
      {view.truncated && (
        <p className="border-line border-t px-3.5 py-1.5 text-ask text-small">
          There are more files than this list holds. A narrower pattern shows them.
        </p>
      )}
    </>
  );
}
