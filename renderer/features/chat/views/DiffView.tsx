import type { DiffHunk, View } from '#shared/tools/presentation';
import { VisibleText } from '../../../ui/VisibleText';
import { counted } from '../../frame/words';
import { wordMarks } from './wordMarks';

type Diff = Extract<View, { kind: 'diff' }>;

/** A change as unified lines with both line numbers and signs; never colour alone. */
export function DiffView({ view }: { readonly view: Diff }) {
  return (
    <div className="font-mono text-mono">
      {view.created && (
        <p className="border-line border-b px-3.5 py-1 font-sans text-muted text-small">
          New file, {counted(view.added, 'line')}
        </p>
      )}
      {view.hunks.length === 0 && !view.truncated && (
        <p className="px-3.5 py-2 font-sans text-muted text-small">No lines change.</p>
      )}
      <table className="w-full border-collapse">
        <caption className="sr-only">
          Change to {view.path}: {counted(view.added, 'line')} added, {view.removed} removed
        </caption>
        <tbody>
          {view.hunks.map((hunk, index) => (
            <HunkRows key={`${hunk.oldStart}-${hunk.newStart}`} hunk={hunk} first={index === 0} />
          ))}
        </tbody>
      </table>
      {view.truncated && (
        <p className="border-line border-t px-3.5 py-1.5 font-sans text-ask text-small">
          The change is longer than this card shows. The Call tab has the whole input.
        </p>
      )}
    </div>
  );
}

function HunkRows({ hunk, first }: { readonly hunk: DiffHunk; readonly first: boolean }) {
  const marks = wordMarks(hunk.lines);
  let oldLine = hunk.oldStart;
  let newLine = hunk.newStart;
  const rows = hunk.lines.map((line, index) => {
    const numbers = { old: line.sign === '+' ? null : oldLine, new: line.sign === '-' ? null : newLine };
    if (line.sign !== '+') oldLine += 1;
    if (line.sign !== '-') newLine += 1;
    return { line, numbers, key: `${index}`, marks: marks.get(index) };
  });
  return (
    <>
      {!first && (
        <tr className="bg-panel">
          <td
            aria-label="lines left out"
            colSpan={4}
            className="select-none border-line border-y px-3.5 text-dim leading-[14px]"
          >
            ⋯
          </td>
        </tr>
      )}
      {rows.map(({ line, numbers, key, marks: marked }) => (
        <tr
          key={key}
          className={
            line.sign === '+'
              ? 'bg-added-tint text-added'
              : line.sign === '-'
                ? 'bg-removed-tint text-removed'
                : 'text-muted'
          }
        >
          <LineNumber value={numbers.old} />
          <LineNumber value={numbers.new} />
          <td className="w-4 select-none text-center align-top">
            <span aria-hidden="true">{line.sign === '-' ? '−' : line.sign}</span>
            <span className="sr-only">{line.sign === '+' ? 'added' : line.sign === '-' ? 'removed' : ''}</span>
          </td>
          <td className="chat-verbatim pr-3.5 pl-1.5">
            {marked === undefined ? (
              <VisibleText text={line.text} />
            ) : (
              <>
                <VisibleText text={line.text.slice(0, marked.from)} />
                <mark className="rounded-[3px] bg-[color-mix(in_srgb,currentColor_20%,transparent)] text-inherit">
                  <VisibleText text={line.text.slice(marked.from, marked.to)} />
                </mark>
                <VisibleText text={line.text.slice(marked.to)} />
              </>
            )}
            {line.text === '' && ' '}
          </td>
        </tr>
      ))}
    </>
  );
}

function LineNumber({ value }: { readonly value: number | null }) {
  return (
    <td className="w-10 min-w-10 select-none pr-2 text-right align-top text-muted" aria-hidden={value === null}>
      {value}
    </td>
  );
}
