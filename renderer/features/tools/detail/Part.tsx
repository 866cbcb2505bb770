import { type ReactNode, useId } from 'react';

/** One part of the details with its head. */
export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="border-line border-t px-4 py-3.5 first:border-t-0">
      <h3 id={id} className="mb-1.5 font-semibold text-head text-muted">
        {title}
      </h3>
      {children}
    </section>
  );
}
