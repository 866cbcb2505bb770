import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { listPrices, type Price, pricesOf } from '#shared/session/cost';
import { useApp } from '../../stores/app';
import { Button } from '../../ui/Button';
import { IconButton } from '../../ui/IconButton';
import { TextField } from '../../ui/TextField';
import { Section } from './Section';

const columns: readonly { readonly key: keyof Price; readonly label: string }[] = [
  { key: 'input', label: 'Input' },
  { key: 'output', label: 'Output' },
  { key: 'cacheRead', label: 'Cache read' },
  { key: 'cacheWrite', label: 'Cache write' },
];

const none: Price = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** Prices that the token meter reckons with. */
export function Prices({ prices }: { readonly prices: Readonly<Record<string, Price>> }) {
  const setPreferences = useApp((app) => app.setPreferences);
  const models = useApp((app) => app.models);
  const [name, setName] = useState('');
  const [draft, setDraft] = useState<Record<keyof Price, string>>({
    input: '',
    output: '',
    cacheRead: '',
    cacheWrite: '',
  });
  const values = columns.map(({ key }) => numberIn(draft[key]));
  const usable = name.trim() !== '' && values.every((value) => value !== null);
  const add = () => {
    const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0] = values.map((value) => value ?? 0);
    void setPreferences({ prices: { ...prices, [name.trim()]: { input, output, cacheRead, cacheWrite } } }).then(
      (done) => {
        if (!done) return;
        setName('');
        setDraft({ input: '', output: '', cacheRead: '', cacheWrite: '' });
      },
    );
  };
  const remove = (model: string) => {
    const { [model]: _, ...others } = prices;
    void setPreferences({ prices: others });
  };
  const unpriced = models.filter(({ id, scripted }) => !scripted && prices[id] === undefined).map(({ id }) => id);
  return (
    <Section
      title="Prices"
      text={`US dollars per million tokens. The product's own are list prices of ${pricesOf}; yours come first. A model without either says “no price”.`}
    >
      <div id="settings-prices" className="flex flex-col gap-4">
        {Object.keys(prices).length === 0 ? null : <PriceTable label="Your prices" prices={prices} onRemove={remove} />}
        <div className="flex flex-wrap items-end gap-3">
          <TextField
            label="Model id"
            value={name}
            mono
            list="settings-price-models"
            className="min-w-48 flex-1"
            onChange={setName}
          />
          <datalist id="settings-price-models">
            {unpriced.map((id) => (
              <option key={id} value={id} />
            ))}
          </datalist>
          {columns.map(({ key, label }) => (
            <TextField
              key={key}
              label={label}
              value={draft[key]}
              inputMode="decimal"
              className="w-20"
              problem={numberIn(draft[key]) === null ? 'A number' : ''}
              onChange={(text) => setDraft({ ...draft, [key]: text })}
            />
          ))}
          <Button icon={Plus} disabled={!usable} onClick={add}>
            Set price
          </Button>
        </div>
        <details>
          <summary className="rounded-small text-muted hover:text-text">List prices of {pricesOf}</summary>
          <div className="mt-2">
            <PriceTable label="List prices" prices={listPrices} />
          </div>
        </details>
      </div>
    </Section>
  );
}

/** Empty is nothing; null: no number. */
function numberIn(text: string): number | null {
  if (text.trim() === '') return 0;
  const value = Number(text.replace(',', '.'));
  return Number.isFinite(value) && value >= 0 && value <= 1_000_000 ? value : null;
}

function PriceTable(props: {
  readonly label: string;
  readonly prices: Readonly<Record<string, Price>>;
  readonly onRemove?: (model: string) => void;
}) {
  const { label, prices, onRemove } = props;
  return (
    <table className="w-full text-right tabular-nums">
      <caption className="sr-only">{label}</caption>
      <thead className="text-muted text-small">
        <tr>
          <th scope="col" className="text-left font-normal">
            Model
          </th>
          {columns.map((column) => (
            <th key={column.key} scope="col" className="font-normal">
              {column.label}
            </th>
          ))}
          {onRemove === undefined ? null : (
            <th scope="col">
              <span className="sr-only">Remove</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {Object.entries(prices).map(([model, price]) => (
          <tr key={model} className="border-line border-t">
            <th scope="row" className="break-all py-1 text-left font-mono font-normal text-mono">
              {model}
            </th>
            {columns.map(({ key }) => (
              <td key={key}>{(price[key] ?? none[key]).toLocaleString('en')}</td>
            ))}
            {onRemove === undefined ? null : (
              <td className="w-8">
                <IconButton
                  size="small"
                  icon={Trash2}
                  label={`Remove the price of ${model}`}
                  onClick={() => onRemove(model)}
                />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
