import { Check, ChevronDown } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import { useId } from 'react';
import { classes } from './classes';

export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly disabled?: boolean;
}

export interface SelectProps<Value extends string> {
  readonly label: string;
  /** Hides the label from sight, not from assistive technology. */
  readonly hideLabel?: boolean;
  readonly value: Value;
  readonly options: readonly SelectOption<Value>[];
  readonly onChange: (value: Value) => void;
  readonly disabled?: boolean;
  readonly className?: string;
}

/** One of a few, in a form. Values must not be empty. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, hideLabel = false, value, options, onChange, disabled = false, className } = props;
  const id = useId();
  return (
    <div className={classes('flex flex-col gap-1.5', className)}>
      <span id={id} className={hideLabel ? 'sr-only' : 'font-medium'}>
        {label}
      </span>
      <Radix.Root
        value={value}
        disabled={disabled}
        onValueChange={(chosen) => {
          const option = options.find((candidate) => candidate.value === chosen);
          if (option !== undefined) onChange(option.value);
        }}
      >
        <Radix.Trigger
          aria-labelledby={id}
          className="inline-flex h-8 min-w-0 items-center justify-between gap-2 rounded-control border border-control bg-raised px-2.5 text-left text-ui hover:bg-hover disabled:opacity-50"
        >
          <span className="truncate">
            <Radix.Value />
          </span>
          <Radix.Icon>
            <ChevronDown aria-hidden size={16} strokeWidth={1.75} className="text-muted" />
          </Radix.Icon>
        </Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            position="popper"
            sideOffset={4}
            collisionPadding={8}
            className="appear z-60 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) overflow-hidden rounded-card border border-line-strong bg-raised p-1 text-text shadow-float"
          >
            <Radix.Viewport>
              {options.map((option) => (
                <Radix.Item
                  key={option.value}
                  value={option.value}
                  disabled={option.disabled ?? false}
                  className="flex min-h-8 items-center gap-2 rounded-small px-2 text-ui outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover"
                >
                  <span className="w-4 shrink-0">
                    <Radix.ItemIndicator>
                      <Check aria-hidden size={16} className="text-accent" />
                    </Radix.ItemIndicator>
                  </span>
                  <Radix.ItemText>{option.label}</Radix.ItemText>
                </Radix.Item>
              ))}
            </Radix.Viewport>
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </div>
  );
}
