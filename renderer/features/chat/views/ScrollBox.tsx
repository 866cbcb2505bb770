import type { ReactNode, Ref } from 'react';

interface Props {
  readonly label: string;
  readonly className: string;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLDivElement> | undefined;
  readonly onScroll?: (() => void) | undefined;
}

/** A part with its own scroll bar, reachable by keyboard: what can be scrolled by mouse must scroll by keys too. */
export function ScrollBox({ label, className, children, ref, onScroll }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields; a section would be one landmark per card.
    <div
      ref={ref}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
      tabIndex={0}
      {...(onScroll === undefined ? {} : { onScroll })}
      className={`-outline-offset-2 ${className}`}
    >
      {children}
    </div>
  );
}
