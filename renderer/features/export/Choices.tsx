export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint: string;
}

interface Props<Value extends string> {
  readonly legend: string;
  /** Of the group of radio buttons, once on the page. */
  readonly name: string;
  readonly value: Value;
  readonly choices: readonly Choice<Value>[];
  readonly onChange: (value: Value) => void;
}

/** One of a few, each with what it means. */
export function Choices<Value extends string>({ legend, name, value, choices, onChange }: Props<Value>) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">{legend}</legend>
      <div className="flex flex-col gap-1.5">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="flex items-start gap-2.5 rounded-control border border-line px-3 py-2 hover:bg-hover has-checked:border-accent has-checked:bg-accent-tint"
          >
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={value === choice.value}
              onChange={() => onChange(choice.value)}
              className="mt-0.5 size-4 shrink-0 accent-(--accent)"
            />
            <span>
              <span className="block font-medium">{choice.label}</span>
              <span className="block text-muted text-small">{choice.hint}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
