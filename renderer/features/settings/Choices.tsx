import { RadioGroup } from 'radix-ui';
import { useId } from 'react';

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

export interface ChoicesProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly Choice<Value>[];
  readonly onChoose: (value: Value) => void;
}

/** One of a few, all in sight. */
export function Choices<Value extends string>({ label, value, choices, onChoose }: ChoicesProps<Value>) {
  const id = useId();
  return (
    <RadioGroup.Root
      aria-label={label}
      value={value}
      onValueChange={(chosen) => {
        const choice = choices.find((candidate) => candidate.value === chosen);
        if (choice !== undefined) onChoose(choice.value);
      }}
      className="flex flex-wrap gap-x-6 gap-y-2"
    >
      {choices.map((choice) => (
        <div key={choice.value} className="flex items-start gap-2.5">
          <RadioGroup.Item
            id={`${id}-${choice.value}`}
            value={choice.value}
            className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full border border-control bg-raised data-[state=checked]:border-accent"
          >
            <RadioGroup.Indicator className="size-2 rounded-full bg-accent" />
          </RadioGroup.Item>
          <label htmlFor={`${id}-${choice.value}`}>
            {choice.label}
            {choice.hint === undefined ? null : <span className="block text-small text-muted">{choice.hint}</span>}
          </label>
        </div>
      ))}
    </RadioGroup.Root>
  );
}
