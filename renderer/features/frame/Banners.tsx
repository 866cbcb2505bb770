import { useApp } from '../../stores/app';
import { Banner } from '../../ui/Banner';
import { Button } from '../../ui/Button';
import { RulesBanners } from './RulesBanners';
import { SandboxBanner } from './SandboxBanner';
import { useNow } from './useNow';
import { sentence } from './words';

/** States that last and that people must know, worst first. */
export function Banners() {
  return (
    <>
      <ConnectionBanner />
      <ExecutorBanner />
      <RulesBanners />
      <SandboxBanner />
    </>
  );
}

function ConnectionBanner() {
  const connection = useApp((app) => app.connection);
  const retry = useApp((app) => app.retryConnection);
  if (connection.status !== 'lost') return null;
  return (
    <Banner
      level="error"
      title="The connection to Gatehouse is lost."
      action={
        <Button size="small" disabled={connection.trying} onClick={retry}>
          {connection.trying ? 'Connecting…' : 'Try now'}
        </Button>
      }
    >
      {sentence(connection.reason)} What you see is the last known state; nothing is lost.{' '}
      {connection.retryAt === null ? (
        connection.trying ? null : (
          'Reload the page; if that does not help, start Gatehouse again and open the address it prints.'
        )
      ) : (
        <Countdown until={connection.retryAt} />
      )}
    </Banner>
  );
}

function Countdown({ until }: { readonly until: number }) {
  const now = useNow(500);
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000));
  // Only the words around it are announced: a number that changes every second would drown everything else.
  return (
    <span>
      If Gatehouse was ended, start it again and open the address it prints.{' '}
      <span aria-hidden className="text-muted">
        Next try in {seconds} s.
      </span>
    </span>
  );
}

function ExecutorBanner() {
  const executor = useApp((app) => app.executor);
  if (executor === null || executor.status === 'idle' || executor.status === 'ready') return null;
  return executor.status === 'restarting' ? (
    <Banner level="warning" title="The executor is restarting.">
      {sentence(executor.detail)} Calls that were running got an error; new ones wait until it is back.
    </Banner>
  ) : (
    <Banner level="error" title="The executor is down.">
      {sentence(executor.detail)} No command can run and no file can be changed. Start Gatehouse again; your sessions
      are kept.
    </Banner>
  );
}
