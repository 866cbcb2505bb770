import { useState } from 'react';
import type { View } from '#shared/tools/presentation';
import { Dialog } from '../../../ui/Dialog';

/** Kinds of pictures that a browser draws without running anything. */
const drawable = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** A thumbnail that opens in full size. */
export function ImageView({ view }: { readonly view: Extract<View, { kind: 'image' }> }) {
  const [open, setOpen] = useState(false);
  if (!drawable.has(view.mediaType)) {
    return (
      <p className="px-3.5 py-2 text-muted text-small">
        A picture of the kind {view.mediaType}, which is not drawn here.
      </p>
    );
  }
  const source = `data:${view.mediaType};base64,${view.base64}`;
  return (
    <div className="p-3.5">
      <button
        type="button"
        onClick={() => setOpen(true)}
        aria-label={`Enlarge ${view.alt}`}
        className="block rounded-control border border-line bg-background p-1 hover:border-control"
      >
        <img src={source} alt={view.alt} className="max-h-44 max-w-full rounded-small object-contain" />
      </button>
      <Dialog open={open} onOpenChange={setOpen} title={view.alt} width="wide">
        <img src={source} alt={view.alt} className="mx-auto max-h-[65vh] max-w-full object-contain" />
      </Dialog>
    </div>
  );
}
