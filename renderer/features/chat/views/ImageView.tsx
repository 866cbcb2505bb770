import { useState } from 'react';
import type { View } from '#shared/tools/presentation';
import { Dialog } from '../../../ui/Dialog';
import { VisibleText } from '../../../ui/VisibleText';

/** Kinds of pictures that a browser draws without running anything. */
const drawable = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

interface Props {
  readonly view: Extract<View, { kind: 'image' }>;
  /** With kind, size and weight below it; on cards the foot has them. */
  readonly detailed?: boolean;
}

/** A thumbnail that opens in full size. */
export function ImageView({ view, detailed = false }: Props) {
  const [open, setOpen] = useState(false);
  const [size, setSize] = useState<string | null>(null);
  const [broken, setBroken] = useState(false);
  const { alt, mediaType, base64 } = view;
  if (!drawable.has(mediaType)) {
    return (
      <p className="px-3.5 py-2 text-muted text-small">A picture of the kind {mediaType}, which is not drawn here.</p>
    );
  }
  if (broken) {
    return (
      <p className="px-3.5 py-2 text-muted text-small [overflow-wrap:anywhere]">
        <VisibleText text={alt} />: what came as {mediaType} ({weight(base64)}) is no picture that can be drawn.
      </p>
    );
  }
  const source = `data:${mediaType};base64,${base64}`;
  const details = (
    <figcaption className="mt-1.5 text-dim text-small [overflow-wrap:anywhere]">
      <VisibleText text={alt} /> · {[mediaType, size, weight(base64)].filter((part) => part !== null).join(' · ')}
    </figcaption>
  );
  return (
    <figure className="p-3.5">
      <button
        type="button"
        onClick={() => setOpen(true)}
        aria-label={`Enlarge ${alt}`}
        className="block max-w-full rounded-control border border-line bg-background p-1 hover:border-control"
      >
        <img
          src={source}
          alt={alt}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setSize(`${naturalWidth.toLocaleString('en')} × ${naturalHeight.toLocaleString('en')}`)
          }
          onError={() => setBroken(true)}
          className="max-h-44 max-w-full rounded-small object-contain"
        />
      </button>
      {detailed && details}
      <Dialog open={open} onOpenChange={setOpen} title={alt} width="wide">
        <figure>
          <img src={source} alt={alt} className="mx-auto max-h-[62vh] max-w-full object-contain" />
          {details}
        </figure>
      </Dialog>
    </figure>
  );
}

/** Size of the picture's data: four letters of base64 are three bytes. */
function weight(base64: string): string {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return `${Math.max(0, Math.floor((base64.length * 3) / 4) - padding).toLocaleString('en')} bytes`;
}
