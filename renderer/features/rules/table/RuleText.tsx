import { Fragment, useLayoutEffect, useRef, useState } from 'react';
import { classes } from '../../../ui/classes';
import { VisibleText } from '../../../ui/VisibleText';

/** Characters at the end of a rule that stay when it is cut: `…run deploy)`. */
const kept = 14;

/** Cuts a rule in two for the ellipsis between them; never inside a character. */
export function cutRule(text: string): readonly [head: string, tail: string] {
  if (text.length <= kept * 2) return [text, ''];
  let at = text.length - kept;
  if (/[\udc00-\udfff]/.test(text.charAt(at))) at -= 1;
  return [text.slice(0, at), text.slice(at)];
}

export interface RuleTextProps {
  readonly text: string;
  readonly isCursor: boolean;
  readonly isStruck: boolean;
}

/** A rule in one line: the middle of a long one gives way, and all of it shows on hover and where the keys are. */
export function RuleText({ text, isCursor, isStruck }: RuleTextProps) {
  const [head, tail] = cutRule(text);
  const start = useRef<HTMLSpanElement>(null);
  const [isCut, setCut] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another width.
  useLayoutEffect(() => {
    const element = start.current;
    if (isCursor && element !== null) setCut(element.scrollWidth > element.clientWidth);
  }, [isCursor, text]);
  return (
    <span
      title={text}
      className={classes('flex min-w-0 whitespace-pre font-mono text-mono', isStruck && 'text-muted line-through')}
    >
      <span ref={start} className="min-w-0 overflow-hidden text-ellipsis whitespace-pre">
        <OneLine text={head} />
      </span>
      {tail === '' ? null : (
        <span className="shrink-0 whitespace-pre">
          <OneLine text={tail} />
        </span>
      )}
      {isCursor && isCut ? (
        <span
          aria-hidden
          className="absolute inset-x-3 top-full z-20 hidden whitespace-pre-wrap break-words rounded-control border border-line-strong bg-raised px-2.5 py-1.5 text-text shadow-float group-focus-visible/grid:block"
        >
          <VisibleText text={text} />
        </span>
      ) : null}
    </span>
  );
}

/** Line breaks are named, or they would look like blanks. */
function OneLine({ text }: { readonly text: string }) {
  const [first = '', ...lines] = text.split('\n');
  let at = first.length;
  return (
    <>
      <VisibleText text={first} />
      {lines.map((line) => {
        const key = at;
        at += line.length + 1;
        return (
          <Fragment key={key}>
            <span
              title="line break"
              className="mx-px rounded-small border border-ask bg-ask-tint px-1 font-semibold text-ask text-head"
            >
              ↵
            </span>
            <VisibleText text={line} />
          </Fragment>
        );
      })}
    </>
  );
}
