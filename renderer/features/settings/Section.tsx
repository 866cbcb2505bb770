import type { ReactNode } from 'react';

export interface SectionProps {
  readonly title: string;
  /** One or two sentences on what it is for. */
  readonly text?: ReactNode;
  readonly children: ReactNode;
}

/** One group of settings. */
export function Section({ title, text, children }: SectionProps) {
  return (
    <section aria-label={title} className="border-t border-line py-6 first-of-type:border-0">
      <h2 className="text-title font-semibold">{title}</h2>
      {text === undefined ? null : <p className="mt-0.5 text-muted">{text}</p>}
      <div className="mt-4 flex flex-col gap-5">{children}</div>
    </section>
  );
}
