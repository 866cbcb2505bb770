import { RadioGroup } from 'radix-ui';

/** One of a few short choices in a row. */
export function Choice<Value extends string>(props: {
  readonly label: string;
  readonly value: Value;
  readonly options: Readonly<Record<Value, string | { readonly label: string; readonly hint: string }>>;
  /** Why some cannot be chosen. */
  readonly locked?: Readonly<Partial<Record<Value, string>>>;
  readonly schema: { readonly options: readonly Value[] };
  readonly onChange: (value: Value) => void;
}) {
  const { label, value, options, locked, schema, onChange } = props;
  return (
    <RadioGroup.Root
      aria-label={label}
      orientation="horizontal"
      value={value}
      onValueChange={(chosen) => {
        const known = schema.options.find((option) => option === chosen);
        if (known !== undefined) onChange(known);
      }}
      className="flex flex-wrap gap-1.5"
    >
      {schema.options.map((option) => {
        const text = options[option];
        return (
          <RadioGroup.Item
            key={option}
            value={option}
            disabled={locked?.[option] !== undefined}
            {...(typeof text === 'string' ? {} : { title: locked?.[option] ?? text.hint })}
            className="h-7 rounded-control border border-line-strong px-2.5 text-small not-disabled:hover:bg-hover disabled:opacity-50 data-[state=checked]:border-accent data-[state=checked]:bg-accent-tint data-[state=checked]:font-medium data-[state=checked]:text-accent"
          >
            {typeof text === 'string' ? text : text.label}
          </RadioGroup.Item>
        );
      })}
    </RadioGroup.Root>
  );
}
