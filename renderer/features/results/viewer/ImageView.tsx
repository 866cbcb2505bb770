import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useState } from 'react';
import { host } from '../../../host/client';
import { messageOf } from '../../../stores/toasts';
import { Chip } from '../../../ui/Chip';
import { IconButton } from '../../../ui/IconButton';
import { Skeleton } from '../../../ui/Skeleton';
import { ScrollBox } from '../../chat/views/ScrollBox';
import { CannotShow } from './CannotShow';

/** Kinds of pictures that a browser draws without running anything. */
const drawable = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const steps = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 8];

/** A picture, fitted into the viewer or as large as wanted. */
export function ImageView({ id, name }: { readonly id: string; readonly name: string }) {
  const [picture, setPicture] = useState<{ readonly mediaType: string; readonly base64: string } | null>(null);
  const [problem, setProblem] = useState('');
  const [size, setSize] = useState<{ readonly width: number; readonly height: number } | null>(null);
  /** null: fitted. */
  const [zoom, setZoom] = useState<number | null>(null);
  useEffect(() => {
    let mine = true;
    host()
      .call('results.image', { id })
      .then(
        (answer) => mine && setPicture(answer),
        (error: unknown) => mine && setProblem(messageOf(error)),
      );
    return () => {
      mine = false;
    };
  }, [id]);
  if (problem !== '') return <CannotShow id={id} title="It cannot be shown as a picture." problem={problem} />;
  if (picture === null) return <Skeleton label="Reading the picture" className="p-6" rows={4} />;
  if (!drawable.has(picture.mediaType))
    return (
      <CannotShow
        id={id}
        title="It cannot be shown as a picture."
        problem={`Pictures of the kind ${picture.mediaType} are not drawn here.`}
      />
    );
  const next = (by: 1 | -1): void => {
    const now = zoom ?? 1;
    const to = by === 1 ? steps.find((step) => step > now) : steps.findLast((step) => step < now);
    if (to !== undefined) setZoom(to);
  };
  return (
    <>
      <div className="flex min-h-9 shrink-0 items-center gap-1.5 border-line border-b px-3">
        <Chip icon={Maximize} aria-pressed={zoom === null} onClick={() => setZoom(null)}>
          Fit
        </Chip>
        <Chip aria-pressed={zoom === 1} onClick={() => setZoom(1)}>
          Actual size
        </Chip>
        <IconButton label="Smaller" icon={ZoomOut} size="small" onClick={() => next(-1)} />
        <IconButton label="Larger" icon={ZoomIn} size="small" onClick={() => next(1)} />
        <span className="ml-auto text-muted text-small">
          {size === null ? '' : `${size.width.toLocaleString('en')} × ${size.height.toLocaleString('en')}`}
          {zoom === null ? '' : `, ${Math.round(zoom * 100)} %`}
        </span>
      </div>
      <ScrollBox
        label="Picture"
        className={`min-h-0 flex-1 overflow-auto bg-code p-4 ${zoom === null ? 'flex items-center justify-center' : ''}`}
      >
        <img
          src={`data:${picture.mediaType};base64,${picture.base64}`}
          alt={name}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setSize({ width: naturalWidth, height: naturalHeight })
          }
          onError={() => setProblem('What the file holds is no picture that can be drawn.')}
          style={zoom === null || size === null ? undefined : { width: size.width * zoom, height: size.height * zoom }}
          className={zoom === null ? 'max-h-full max-w-full object-contain' : 'max-w-none'}
        />
      </ScrollBox>
    </>
  );
}
