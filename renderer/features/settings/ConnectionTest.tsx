import { CircleAlert, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { host } from '../../host/client';
import { messageOf } from '../../stores/toasts';
import { Button } from '../../ui/Button';
import { Spinner } from '../../ui/Spinner';

type Outcome = { readonly ok: boolean; readonly message: string };

/** Asks the server once and shows what it said. */
export function ConnectionTest({ needsKey }: { readonly needsKey: boolean }) {
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  async function test(): Promise<void> {
    setBusy(true);
    setOutcome(null);
    try {
      setOutcome(await host().call('settings.testConnection', {}));
    } catch (error) {
      setOutcome({ ok: false, message: messageOf(error) });
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-3">
        <Button disabled={busy} onClick={() => void test()}>
          Test connection
        </Button>
        {busy ? <Spinner label="Testing the connection" /> : null}
        {needsKey && !busy && outcome === null ? (
          <span className="text-small text-muted">There is no key to test with yet.</span>
        ) : null}
      </div>
      <div role="status">
        {outcome === null ? null : (
          <p className="flex items-start gap-2 break-words">
            {outcome.ok ? (
              <CircleCheck aria-hidden size={16} strokeWidth={1.75} className="mt-0.5 shrink-0 text-allow" />
            ) : (
              <CircleAlert aria-hidden size={16} strokeWidth={1.75} className="mt-0.5 shrink-0 text-deny" />
            )}
            <span className="min-w-0">
              <span className="font-semibold">{outcome.ok ? 'It works. ' : 'It does not work. '}</span>
              {outcome.message}
            </span>
          </p>
        )}
      </div>
    </div>
  );
}
