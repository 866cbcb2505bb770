import type { Replay, ReplayFilter } from '#shared/api/history';
import type { Behavior } from '#shared/permissions/ruleRef';
import { classes } from '../../../ui/classes';

const order = ['allow', 'ask', 'deny'] as const;

/** More freedom, less freedom, no change: the tint says what the numbers mean; the place in the table says it too. */
function tint(before: Behavior, after: Behavior): string {
  if (before === after) return 'bg-hover text-muted';
  if (before === 'deny' && after === 'allow') return 'bg-deny-tint font-semibold text-deny';
  if (after === 'allow') return 'bg-allow-tint font-semibold text-allow';
  return 'bg-ask-tint font-semibold text-ask';
}

/** Verdicts before and after; each number shows its calls. */
export function ReplayMatrix(props: {
  readonly matrix: Replay['matrix'];
  readonly filter: ReplayFilter;
  readonly onChoose: (filter: Pick<ReplayFilter, 'before' | 'after'>) => void;
}) {
  const { matrix, filter, onChoose } = props;
  return (
    <table className="w-full table-fixed border-separate border-spacing-1">
      <caption className="sr-only">Calls by their verdict before and after the changes</caption>
      <thead>
        <tr>
          <td className="w-20" />
          {order.map((after) => (
            <th key={after} scope="col" className="pb-0.5 font-normal text-muted text-small">
              now {after}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {order.map((before) => (
          <tr key={before}>
            <th scope="row" className="text-left font-normal text-muted text-small">
              was {before}
            </th>
            {order.map((after) => {
              const calls = matrix[before][after];
              const chosen = filter.before === before && filter.after === after;
              return (
                <td key={after} className="p-0">
                  <button
                    type="button"
                    aria-pressed={chosen}
                    aria-label={`${calls.toLocaleString('en')} calls: was ${before}, now ${after}`}
                    disabled={calls === 0}
                    onClick={() => onChoose(chosen ? {} : { before, after })}
                    className={classes(
                      'h-8 w-full rounded-small border tabular-nums not-disabled:hover:brightness-95',
                      calls === 0 ? 'bg-hover text-muted' : tint(before, after),
                      chosen ? 'border-accent' : 'border-transparent',
                    )}
                  >
                    {calls.toLocaleString('en')}
                  </button>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
