import type { RuleFile } from '#shared/api/permissions';
import { useApp } from '../../stores/app';
import { useRules } from '../../stores/rules';
import { useUi } from '../../stores/ui';
import { Banner } from '../../ui/Banner';
import { Button } from '../../ui/Button';
import { useNow } from './useNow';
import { homePath } from './words';

/** States that last and that people must know, worst first. */
export function Banners() {
  return (
    <>
      <ConnectionBanner />
      <ExecutorBanner />
      <BrokenFilesBanner />
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

function sentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const upper = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(upper) ? upper : `${upper}.`;
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

function BrokenFilesBanner() {
  const files = useRules((rules) => rules.view?.files);
  const home = useApp((app) => app.hello?.home ?? '');
  const broken = (files ?? []).filter((file) => file.state === 'broken' || file.state === 'unreadable');
  return (
    <>
      {broken.map((file) => (
        <Banner
          key={file.path}
          level="error"
          title={`A settings file cannot be ${file.state === 'broken' ? 'understood' : 'read'}:`}
        >
          <span className="font-mono text-mono">{placeOf(file, home)}</span>. {sentence(file.problem)}
        </Banner>
      ))}
    </>
  );
}

/** Path with line and column, as far as known. */
export function placeOf(file: Pick<RuleFile, 'path' | 'line' | 'column'>, home: string): string {
  const place = [file.line, file.column].filter((part) => part !== undefined).join(':');
  return place === '' ? homePath(file.path, home) : `${homePath(file.path, home)}:${place}`;
}

function SandboxBanner() {
  const sandbox = useApp((app) => app.sandbox);
  const sessionId = useApp((app) => (app.page === 'chat' ? app.activeSessionId : null));
  const dismissed = useUi((ui) => sessionId !== null && ui.sandboxDismissed.includes(sessionId));
  const dismiss = useUi((ui) => ui.dismissSandbox);
  if (sandbox === null || sandbox.active || sessionId === null || dismissed) return null;
  return (
    <Banner level="warning" title="There is no sandbox." onDismiss={() => dismiss(sessionId)}>
      {sentence(sandbox.reason)} Commands run unconfined once you or a rule allow them, with all your rights.
    </Banner>
  );
}
