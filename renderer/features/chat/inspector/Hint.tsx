import type { ReactNode } from 'react';

/** An empty tab: says what would be here and how it gets here. */
export function Hint({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="px-5 py-8 text-center">
      <p className="font-medium">{title}</p>
      <p className="mx-auto mt-1 max-w-72 text-muted text-small">{children}</p>
    </div>
  );
}
