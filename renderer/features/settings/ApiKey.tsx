import { KeyRound } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { KeyState } from '#shared/api/settings';
import { useApp } from '../../stores/app';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Switch } from '../../ui/Switch';
import { TextField } from '../../ui/TextField';

const origins: Readonly<Record<KeyState['source'], string>> = {
  none: '',
  environment: 'from the environment',
  stored: 'kept',
  memory: 'until Gatehouse ends',
};

/** What is wrong with a pasted key; empty when it can be tried. */
export function keyProblem(key: string): string {
  const trimmed = key.trim();
  if (trimmed === '') return '';
  if (/\s/.test(trimmed)) return 'A key has no spaces or line breaks. Copy it again, alone.';
  if (trimmed.length < 8) return 'A key has at least 8 characters. Copy the whole key.';
  if (trimmed.length > 1_000) return 'A key has at most 1,000 characters. Copy it again, alone.';
  return '';
}

/** The present key, and the field for another. */
export function ApiKey({ state }: { readonly state: KeyState }) {
  const setApiKey = useApp((app) => app.setApiKey);
  const [key, setKey] = useState('');
  const [remember, setRemember] = useState(state.canStore);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const problem = keyProblem(key);

  async function change(next: string | null): Promise<void> {
    setBusy(true);
    const error = await setApiKey(next, remember && state.canStore);
    setBusy(false);
    setFailure(error ?? '');
    if (error === null) setKey('');
  }

  function save(event: FormEvent): void {
    event.preventDefault();
    if (key.trim() !== '' && problem === '' && !busy) void change(key.trim());
  }

  return (
    <form onSubmit={save} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <KeyRound aria-hidden size={16} strokeWidth={1.75} className="text-muted" />
        {state.source === 'none' ? (
          <span className="text-muted">No key. The rehearsal model answers.</span>
        ) : (
          <>
            <span>
              Key ending in <span className="font-mono text-mono">…{state.hint}</span>
            </span>
            <Badge tone="allow">{origins[state.source]}</Badge>
            {state.source === 'environment' ? null : (
              <Button size="small" variant="danger" disabled={busy} onClick={() => void change(null)}>
                Remove
              </Button>
            )}
          </>
        )}
      </div>
      {state.source === 'environment' ? (
        <p className="text-small text-muted">
          A key saved here replaces it for Gatehouse. To remove it, unset the variable and start Gatehouse again.
        </p>
      ) : null}
      <div className="flex items-start gap-2">
        <TextField
          label={state.source === 'none' ? 'API key' : 'Another API key'}
          className="flex-1"
          type="password"
          mono
          placeholder="Paste the key"
          value={key}
          onChange={(value) => {
            setKey(value);
            setFailure('');
          }}
          problem={problem || failure}
        />
        <Button
          type="submit"
          variant="primary"
          className="mt-6.5"
          disabled={busy || key.trim() === '' || problem !== ''}
        >
          {busy ? 'Saving…' : 'Save key'}
        </Button>
      </div>
      <Switch
        label="Remember the key"
        hint={state.canStore ? state.protection : `${state.protection} It is kept in memory until Gatehouse ends.`}
        checked={remember && state.canStore}
        disabled={!state.canStore}
        onChange={setRemember}
      />
    </form>
  );
}
