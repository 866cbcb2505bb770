import { type FormEvent, useEffect, useState } from 'react';
import { useApp } from '../../stores/app';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/TextField';
import { Section } from './Section';

const shortest = 300;
const longest = 2_000;

/** What is wrong with a typed delay in milliseconds; empty when it can be saved. */
export function delayProblem(text: string): string {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= shortest && value <= longest) return '';
  return `Write whole milliseconds from ${shortest} to ${longest.toLocaleString('en')}.`;
}

/** How long an ask must be seen before it can be answered. */
export function Asking({ armDelayMs }: { readonly armDelayMs: number }) {
  const setPreferences = useApp((app) => app.setPreferences);
  const [typed, setTyped] = useState(String(armDelayMs));
  const problem = delayProblem(typed);
  const changed = typed.trim() !== String(armDelayMs);

  useEffect(() => setTyped(String(armDelayMs)), [armDelayMs]);

  function save(event: FormEvent): void {
    event.preventDefault();
    if (changed && problem === '') void setPreferences({ armDelayMs: Number(typed) });
  }

  return (
    <Section
      title="Asking"
      text="A call that asks cannot be answered the moment it appears, so that a key press meant for something else never allows it."
    >
      <form onSubmit={save} className="flex items-start gap-2">
        <TextField
          label="Delay in milliseconds"
          className="w-60"
          inputMode="numeric"
          value={typed}
          onChange={setTyped}
          problem={problem}
          hint="600 is the default."
        />
        <Button type="submit" className="mt-6.5" disabled={!changed || problem !== ''}>
          Save
        </Button>
      </form>
    </Section>
  );
}
