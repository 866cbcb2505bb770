import type { Exported } from '#shared/api/trace';
import { VisibleText } from '../../ui/VisibleText';
import { counted } from '../frame/words';

interface Props {
  readonly exported: Exported;
  /** Whether secrets and personal details were sought. */
  readonly redacted: boolean;
}

/** What an export takes out and leaves out, to be looked through before it is saved. */
export function ExportPreview({ exported, redacted }: Props) {
  const { redactions, leftOut } = exported;
  return (
    <div className="flex flex-col gap-4">
      <section aria-labelledby="export-taken-out">
        <h3 id="export-taken-out" className="font-semibold">
          Taken out
        </h3>
        {redacted ? <TakenOut redactions={redactions} /> : <NotTakenOut />}
      </section>
      {leftOut.length === 0 ? null : (
        <section aria-labelledby="export-left-out">
          <h3 id="export-left-out" className="font-semibold">
            Left out
          </h3>
          <p className="text-muted">
            {leftOut.map(({ what, count }) => `${count.toLocaleString('en')} ${what}`).join(' · ')}
          </p>
        </section>
      )}
    </div>
  );
}

function TakenOut({ redactions }: Pick<Exported, 'redactions'>) {
  if (redactions.length === 0) {
    return <p className="text-muted">Nothing that looks like a secret or a personal detail was found. {bestEffort}</p>;
  }
  const all = redactions.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <p className="mb-2 text-muted">
        {counted(all, 'place')} will read as shown here. {bestEffort}
      </p>
      <ul className="max-h-72 divide-y divide-line overflow-y-auto rounded-control border border-line">
        {redactions.map(({ kind, count, sample }) => (
          <li key={kind} className="px-3 py-1.5">
            <p className="flex items-baseline justify-between gap-3">
              <span className="font-medium">{kind}</span>
              <span className="shrink-0 text-muted text-small">{counted(count, 'time')}</span>
            </p>
            <p className="font-mono text-mono text-muted [overflow-wrap:anywhere]">
              <VisibleText text={sample} />
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

const bestEffort = 'This is a best effort: look the file over before you give it to somebody.';

function NotTakenOut() {
  return (
    <p className="text-ask">
      Nothing is taken out: keys, names and addresses stand in the file as they were said. Keep it to yourself.
    </p>
  );
}
