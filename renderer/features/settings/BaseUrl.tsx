import { type FormEvent, useEffect, useState } from 'react';
import { useApp } from '../../stores/app';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/TextField';

/** What is wrong with a typed address; empty when it can be saved. */
export function urlProblem(text: string): string {
  const typed = text.trim();
  if (typed === '') return '';
  if (!URL.canParse(typed)) return 'This is not an address. Write it in full, for example http://127.0.0.1:8080.';
  const { protocol, username, password } = new URL(typed);
  if (protocol !== 'http:' && protocol !== 'https:') return 'Only http and https addresses work here.';
  if (username !== '' || password !== '')
    return 'Leave name and password out of the address; the key goes in its own field.';
  return '';
}

/** Where the Messages API is. */
export function BaseUrl({ saved }: { readonly saved: string }) {
  const setPreferences = useApp((app) => app.setPreferences);
  const [typed, setTyped] = useState(saved);
  const [busy, setBusy] = useState(false);
  const problem = urlProblem(typed);
  const changed = typed.trim() !== saved;

  useEffect(() => setTyped(saved), [saved]);

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!changed || problem !== '' || busy) return;
    setBusy(true);
    await setPreferences({ baseUrl: typed.trim() });
    setBusy(false);
  }

  return (
    <form onSubmit={(event) => void save(event)} className="flex items-start gap-2">
      <TextField
        label="Base URL"
        className="flex-1"
        mono
        inputMode="url"
        placeholder="the first-party API"
        value={typed}
        onChange={setTyped}
        problem={problem}
        hint="Empty for the first-party API. A local server works too."
      />
      <Button type="submit" className="mt-6.5" disabled={!changed || problem !== '' || busy}>
        {busy ? 'Saving…' : 'Save'}
      </Button>
    </form>
  );
}
