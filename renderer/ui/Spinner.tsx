import { LoaderCircle } from 'lucide-react';

/** Something is going on; `label` says what. */
export function Spinner({ label, size = 15 }: { readonly label: string; readonly size?: number }) {
  return (
    <span role="status" className="inline-flex text-accent">
      <LoaderCircle aria-hidden size={size} strokeWidth={2} className="turning" />
      <span className="sr-only">{label}</span>
    </span>
  );
}
