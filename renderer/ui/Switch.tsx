import { Switch as Radix } from 'radix-ui';
import { type ReactNode, useId } from 'react';

export interface SwitchProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly hint?: ReactNode;
  readonly disabled?: boolean;
}

/** On or off, at once. */
export function Switch({ label, checked, onChange, hint, disabled = false }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint === undefined ? null : (
          <div id={`${id}-hint`} className="text-small text-muted">
            {hint}
          </div>
        )}
      </div>
      <Radix.Root
        id={id}
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
        {...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` })}
        className="inline-flex h-6 w-10 shrink-0 items-center rounded-full border border-control bg-hover p-0.5 transition-colors duration-100 disabled:opacity-50 data-[state=checked]:border-accent-fill data-[state=checked]:bg-accent-fill"
      >
        <Radix.Thumb className="size-4.5 rounded-full bg-control transition-transform duration-100 data-[state=checked]:translate-x-4 data-[state=checked]:bg-on-accent" />
      </Radix.Root>
    </div>
  );
}
