import { memo } from 'react';
import type { TextMatch } from '#shared/api/results';
import { visiblePieces } from '../../../ui/visibleCharacters';
import { type AnsiStyle, colouredPieces, plainStyle } from '../../chat/cards/ansi';
import { cssOf } from '../../chat/views/AnsiText';

export interface Mark {
  readonly start: number;
  readonly end: number;
  /** The match that was gone to. */
  readonly isCurrent: boolean;
}

/** Matches as marks; `current` is the one gone to. */
export function marksOf(matches: readonly TextMatch[], current: TextMatch | null): readonly Mark[] {
  return matches.map(({ row, start, end }) => ({
    start,
    end,
    isCurrent: current !== null && current.row === row && current.start === start,
  }));
}

interface Part {
  readonly at: number;
  readonly text: string;
  readonly style: AnsiStyle;
  readonly mark: Mark | null;
}

/** Splits a text at the borders of its colours and marks; marks are in order and do not overlap. */
export function partsOf(text: string, marks: readonly Mark[], before: AnsiStyle): readonly Part[] {
  const parts: Part[] = [];
  for (const piece of colouredPieces(text, before).pieces) {
    let at = piece.at;
    const end = piece.at + piece.text.length;
    const add = (to: number, mark: Mark | null): void => {
      if (to > at) parts.push({ at, text: text.slice(at, to), style: piece.style, mark });
      at = Math.max(at, to);
    };
    for (const mark of marks) {
      if (mark.end <= at) continue;
      if (mark.start >= end) break;
      add(Math.min(end, mark.start), null);
      add(Math.min(end, mark.end), mark);
    }
    add(end, null);
  }
  return parts;
}

export interface RowTextProps {
  readonly text: string;
  readonly marks?: readonly Mark[];
  readonly style?: AnsiStyle;
}

const noMarks: readonly Mark[] = [];

/**
 * One row of a file as text nodes: its colours, marks, and tokens for what the eye would miss. `data-at` says where in the row
 * each part stands, for copying.
 */
export const RowText = memo(function RowText({ text, marks = noMarks, style = plainStyle }: RowTextProps) {
  return (
    <bdi dir="ltr">
      {partsOf(text, marks, style).map((part) => {
        const pieces = visiblePieces(part.text).map((piece) =>
          piece.kind === 'text' ? (
            <span key={piece.at} data-at={part.at + piece.at}>
              {piece.text}
            </span>
          ) : (
            <span
              key={piece.at}
              data-at={part.at + piece.at}
              data-token
              title={`${piece.name}, ${piece.code}`}
              className="mx-px whitespace-nowrap rounded-small border border-ask bg-ask-tint px-1 font-semibold text-ask text-head"
            >
              {piece.code} {piece.name}
            </span>
          ),
        );
        const css = part.style === plainStyle ? undefined : cssOf(part.style);
        if (part.mark === null)
          return (
            <span key={part.at} style={css}>
              {pieces}
            </span>
          );
        return (
          <mark
            key={part.at}
            data-current={part.mark.isCurrent ? '' : undefined}
            className={
              part.mark.isCurrent
                ? 'rounded-[2px] bg-badge text-on-badge outline-1 outline-badge'
                : 'rounded-[2px] bg-[color-mix(in_srgb,var(--badge)_30%,var(--code))] text-text'
            }
          >
            {pieces}
          </mark>
        );
      })}
    </bdi>
  );
});
