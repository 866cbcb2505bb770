import { classes } from './classes';
import { useDelayed } from './useDelayed';

/** Milliseconds of waiting that people do not notice. */
const unnoticed = 200;

/** Grey bars in place of content that takes longer than 200 ms. */
export function Skeleton({
  rows = 3,
  label,
  className,
}: {
  readonly rows?: number;
  readonly label: string;
  readonly className?: string;
}) {
  const shown = useDelayed(unnoticed);
  if (!shown) return null;
  return (
    <div role="status" aria-label={label} className={classes('flex flex-col gap-3', className)}>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <div
          key={row}
          className="breathing h-4 rounded-small bg-hover"
          style={{ width: `${90 - ((row * 23) % 45)}%` }}
        />
      ))}
    </div>
  );
}
