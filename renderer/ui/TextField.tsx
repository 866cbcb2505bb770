import type { InputHTMLAttributes, ReactNode, Ref } from 'react';
import { useId } from 'react';
import { classes } from './classes';

export interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: ReactNode;
  /** What is wrong with the value; empty when nothing is. */
  readonly problem?: string | undefined;
  readonly mono?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

/** One line of text with its label, hint and fault. */
export function TextField(props: TextFieldProps) {
  const { label, hideLabel = false, value, onChange, hint, problem = '', mono = false, className, ...rest } = props;
  const id = useId();
  const noteId = `${id}-note`;
  const hasNote = problem !== '' || hint !== undefined;
  return (
    <div className={classes('flex min-w-0 flex-col gap-1.5', className)}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'font-medium'}>
        {label}
      </label>
      <input
        id={id}
        value={value}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={problem !== ''}
        {...(hasNote ? { 'aria-describedby': noteId } : {})}
        onChange={(event) => onChange(event.target.value)}
        className={classes(
          'h-8 min-w-0 rounded-control border bg-raised px-2.5 text-text disabled:opacity-50',
          mono ? 'font-mono text-mono' : 'text-ui',
          problem === '' ? 'border-control' : 'border-deny',
        )}
        {...rest}
      />
      {hasNote ? (
        <div
          id={noteId}
          className={classes('text-small', problem === '' ? 'text-muted' : 'text-deny')}
          {...(problem === '' ? {} : { role: 'alert' })}
        >
          {problem === '' ? hint : problem}
        </div>
      ) : null}
    </div>
  );
}
