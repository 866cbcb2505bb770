import { useMemo, useState } from 'react';
import type { View } from '#shared/tools/presentation';
import { parseAnsi } from '../cards/ansi';
import { AnsiText } from './AnsiText';
import { capLines } from './lineCap';
import { MoreLines } from './MoreLines';

interface Props {
  readonly view: Extract<View, { kind: 'terminal' }>;
  readonly wrap: boolean;
}

/** The output of a finished command: colours, nothing that a sequence could do. */
export function TerminalView({ view, wrap }: Props) {
  const [all, setAll] = useState(false);
  const lines = useMemo(() => parseAnsi(view.output ?? ''), [view.output]);
  const { head, hidden, tail } = capLines(lines, all ? Number.POSITIVE_INFINITY : undefined);
  if (view.output === undefined) return null;
  return (
    <div className="px-3.5 py-2">
      {view.hiddenChars !== undefined && view.hiddenChars > 0 && (
        <p className="pb-1.5 text-dim text-small">
          Beginning and end; {view.hiddenChars.toLocaleString('en')} characters between them are left out.
        </p>
      )}
      {lines.length === 0 ? (
        <p className="text-dim text-small">No output.</p>
      ) : (
        <>
          <AnsiText lines={head} wrap={wrap} />
          {hidden > 0 && <MoreLines count={hidden} onShow={() => setAll(true)} />}
          {tail.length > 0 && <AnsiText lines={tail} wrap={wrap} />}
        </>
      )}
    </div>
  );
}
