// Tokens and cost of the session, in the line at the bottom and in detail.
import { type Cost, costOf, costOfUsage, priceOf, pricesOf, tokensOf } from '#shared/session/cost';
import type { Usage } from '#shared/session/events';
import { type Meter, noUsage } from '#shared/session/state';
import { useApp } from '../../stores/app';
import { useSession } from '../../stores/session';
import { Button } from '../../ui/Button';
import { Popover, PopoverClose } from '../../ui/Popover';
import { StatusButton } from './StatusButton';
import { age, counted, shortCount } from './words';

/** Window of a model whose server does not say its own, in tokens. */
const usualWindow = 200_000;
/** From this share on the window is nearly full. */
const nearlyFull = 80;

/** Share of the input that came from the prompt cache, in percent; null before any input. */
export function cacheShare(usage: Usage): number | null {
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  return input === 0 ? null : Math.round((usage.cacheReadTokens / input) * 100);
}

/** Dollars as people read them: more digits where there is little. */
export function dollars(sum: number): string {
  if (sum === 0) return '$0.00';
  if (sum < 0.005) return '< $0.01';
  return `$${sum.toFixed(sum < 10 ? 2 : sum < 1_000 ? 1 : 0)}`;
}

/** A sum with what it leaves out. */
function costWords({ dollars: sum, unpriced }: Cost): string {
  if (unpriced.length === 0) return dollars(sum);
  return sum === 0 ? 'no price' : `${dollars(sum)} + no price`;
}

function sumOf(usages: readonly Usage[]): Usage {
  return usages.reduce(
    (sum, usage) => ({
      inputTokens: sum.inputTokens + usage.inputTokens,
      outputTokens: sum.outputTokens + usage.outputTokens,
      cacheReadTokens: sum.cacheReadTokens + usage.cacheReadTokens,
      cacheWriteTokens: sum.cacheWriteTokens + usage.cacheWriteTokens,
    }),
    noUsage,
  );
}

/** How full the window of the session's model is. */
function windowOf(meter: Meter, windows: Readonly<Record<string, number>>) {
  const known = windows[meter.model];
  const most = known ?? usualWindow;
  const used = meter.last === null ? 0 : tokensOf(meter.last);
  return { used, most, known: known !== undefined, share: Math.min(100, Math.round((used / most) * 100)) };
}

/** Nothing before the first answer. */
export function StatusMeter() {
  const meter = useSession((session) => session.state.meter);
  const prices = useApp((app) => app.preferences?.prices);
  const windows = useApp((app) => app.windows);
  const all = sumOf(Object.values(meter.byModel));
  const total = tokensOf(all);
  if (total === 0) return null;
  const share = cacheShare(all);
  const cost = costOf(meter.byModel, prices ?? {});
  const fill = windowOf(meter, windows);
  const parts = [
    `${shortCount(total)} tokens`,
    costWords(cost),
    share === null || share === 0 ? null : `cache ${share} %`,
    fill.share >= nearlyFull ? `window ${fill.share} %` : null,
  ].filter((part) => part !== null);
  return (
    <Popover
      label="Tokens and cost"
      side="top"
      align="end"
      trigger={<StatusButton className={fill.share >= nearlyFull ? 'text-ask' : ''}>{parts.join(' · ')}</StatusButton>}
    >
      <Details meter={meter} all={all} cost={cost} />
    </Popover>
  );
}

function Details({ meter, all, cost }: { readonly meter: Meter; readonly all: Usage; readonly cost: Cost }) {
  const prices = useApp((app) => app.preferences?.prices) ?? {};
  const windows = useApp((app) => app.windows);
  const go = useApp((app) => app.go);
  const now = Date.now();
  const turn = meter.turns.at(-1);
  const fill = windowOf(meter, windows);
  const agents = tokensOf(meter.agents);
  const models = Object.entries(meter.byModel);
  const turns = meter.turns.filter((one) => tokensOf(sumOf(Object.values(one.byModel))) > 0);
  return (
    <>
      <h2 className="font-semibold text-title">Tokens and cost</h2>
      <Window {...fill} compacted={meter.last === null} />
      <table className="mt-3 w-full text-right tabular-nums">
        <caption className="sr-only">Tokens of the session and of its last turn</caption>
        <thead className="text-muted text-small">
          <tr>
            <th scope="col" className="text-left font-normal">
              <span className="sr-only">What</span>
            </th>
            <th scope="col" className="font-normal">
              This turn
            </th>
            <th scope="col" className="font-normal">
              Session
            </th>
          </tr>
        </thead>
        <tbody>
          {(
            [
              ['Input', 'inputTokens'],
              ['Output', 'outputTokens'],
              ['Read from cache', 'cacheReadTokens'],
              ['Written to cache', 'cacheWriteTokens'],
            ] as const
          ).map(([label, key]) => (
            <tr key={key}>
              <th scope="row" className="text-left font-normal text-muted">
                {label}
              </th>
              <td>{turn === undefined ? '–' : sumOf(Object.values(turn.byModel))[key].toLocaleString('en')}</td>
              <td>{all[key].toLocaleString('en')}</td>
            </tr>
          ))}
          <tr>
            <th scope="row" className="text-left font-normal text-muted">
              Cache hits
            </th>
            <td>{percent(turn === undefined ? null : cacheShare(sumOf(Object.values(turn.byModel))))}</td>
            <td>{percent(cacheShare(all))}</td>
          </tr>
          <tr className="border-line border-t font-semibold">
            <th scope="row" className="pt-1 text-left font-semibold">
              Cost
            </th>
            <td className="pt-1">{turn === undefined ? '–' : costWords(costOf(turn.byModel, prices))}</td>
            <td className="pt-1">{costWords(cost)}</td>
          </tr>
        </tbody>
      </table>
      {agents === 0 ? null : (
        <p className="mt-2 text-muted text-small">{agents.toLocaleString('en')} of these tokens are of sub-agents.</p>
      )}
      {models.length < 2 && cost.unpriced.length === 0 ? null : (
        <ul aria-label="By model" className="mt-2 border-line border-t pt-2">
          {models.map(([id, usage]) => {
            const known = priceOf(id, prices);
            return (
              <li key={id} className="flex items-baseline gap-2 text-small">
                <span className="min-w-0 flex-1 truncate font-mono text-mono" title={id}>
                  {id}
                </span>
                <span className="text-muted">{shortCount(tokensOf(usage))}</span>
                <span className="w-16 shrink-0 text-right">
                  {known === null ? 'no price' : dollars(costOfUsage(usage, known.price))}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      {turns.length < 2 ? null : (
        <details className="mt-2 border-line border-t pt-2">
          <summary className="rounded-small text-muted text-small hover:text-text">
            The last {counted(turns.length, 'turn')}
          </summary>
          <ol className="mt-1 max-h-40 overflow-y-auto">
            {[...turns].reverse().map((one) => (
              <li key={one.turnId} className="flex gap-2 text-small tabular-nums">
                <span className="w-14 text-muted" title={new Date(one.startedAt).toISOString()}>
                  {age(one.startedAt, now)}
                </span>
                <span className="flex-1 text-right">
                  {tokensOf(sumOf(Object.values(one.byModel))).toLocaleString('en')}
                </span>
                <span className="w-20 text-right">{costWords(costOf(one.byModel, prices))}</span>
              </li>
            ))}
          </ol>
        </details>
      )}
      <p className="mt-3 border-line border-t pt-2 text-muted text-small">
        List prices of {pricesOf} and your own, in US dollars.{' '}
        {models.some(([id]) => id === 'rehearsal') ? 'The rehearsal model costs nothing. ' : ''}
        {cost.unpriced.length === 0 ? '' : `There is no price for ${cost.unpriced.join(', ')}.`}
      </p>
      <div className="mt-2">
        <PopoverClose asChild>
          <Button
            size="small"
            onClick={() => {
              go('settings');
              requestAnimationFrame(() =>
                document.getElementById('settings-prices')?.scrollIntoView({ block: 'start' }),
              );
            }}
          >
            Prices…
          </Button>
        </PopoverClose>
      </div>
    </>
  );
}

function percent(share: number | null): string {
  return share === null ? '–' : `${share} %`;
}

function Window(fill: ReturnType<typeof windowOf> & { readonly compacted: boolean }) {
  const { used, most, known, share, compacted } = fill;
  return (
    <div className="mt-2">
      <p className="flex justify-between text-small">
        <span className="text-muted">Context window used</span>
        <span>
          {compacted
            ? 'known after the next answer'
            : `${used.toLocaleString('en')} of ${known ? '' : 'about '}${most.toLocaleString('en')} · ${share} %`}
        </span>
      </p>
      <div aria-hidden className="mt-1 h-1.5 overflow-hidden rounded-full bg-segment">
        <div style={{ width: `${share}%` }} className={share >= nearlyFull ? 'h-full bg-ask' : 'h-full bg-accent'} />
      </div>
    </div>
  );
}
