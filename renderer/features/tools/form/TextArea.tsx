import { useId } from 'react';
import { classes } from '../../../ui/classes';

export interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
  readonly problem?: string;
  readonly rows?: number;
}

/** Text of one or more lines; grows with what is written. */
export function TextArea({ label, value, onChange, hint, problem = '', rows = 1 }: TextAreaProps) {
  const id = useId();
  const note = problem === '' ? hint : problem;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="break-words font-medium">
        {label}
      </label>
      <textarea
        id={id}
        value={value}
        rows={rows}
        spellCheck={false}
        aria-invalid={problem !== ''}
        {...(note === undefined ? {} : { 'aria-describedby': `${id}-note` })}
        onChange={(event) => onChange(event.target.value)}
        className={classes(
          'field-sizing-content max-h-60 min-h-8 min-w-0 resize-y rounded-control border bg-raised px-2.5 py-1.5 font-mono text-mono text-text',
          problem === '' ? 'border-control' : 'border-deny',
        )}
      />
      {note === undefined ? null : (
        <p
          id={`${id}-note`}
          className={classes('break-words text-small', problem === '' ? 'text-muted' : 'text-deny')}
          {...(problem === '' ? {} : { role: 'alert' })}
        >
          {note}
        </p>
      )}
    </div>
  );
}
