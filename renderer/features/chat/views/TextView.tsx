import { useState } from 'react';
import type { View } from '#shared/tools/presentation';
import { CodeLine } from '../conversation/CodeLine';
import { useHighlight } from '../conversation/useHighlight';
import { capLines } from './lineCap';
import { MoreLines } from './MoreLines';

type Text = Extract<View, { kind: 'text' }>;

/** Text with line numbers where it is part of a file, coloured where its language is known. */
export function TextView({ view }: { readonly view: Text }) {
  const [all, setAll] = useState(false);
  const lines = view.text.replace(/\n$/, '').split('\n');
  const tokens = useHighlight(view.text, view.language);
  const numbered = lines.map((text, index) => ({ text, index }));
  const { head, hidden, tail } = capLines(numbered, all ? Number.POSITIVE_INFINITY : undefined);
  const row = ({ text, index }: { text: string; index: number }) => (
    <div key={index} className="flex">
      {view.firstLine !== undefined && (
        <span className="w-11 shrink-0 select-none pr-3 text-right text-dim">{view.firstLine + index}</span>
      )}
      <span className="chat-verbatim min-h-[18px] min-w-0 flex-1">
        <CodeLine text={text} tokens={tokens?.[index]} />
      </span>
    </div>
  );
  return (
    <pre className={`py-2 pr-3.5 font-mono text-mono ${view.firstLine === undefined ? 'pl-3.5' : 'pl-1.5'}`}>
      {head.map(row)}
      {hidden > 0 && <MoreLines count={hidden} onShow={() => setAll(true)} />}
      {tail.map(row)}
    </pre>
  );
}
