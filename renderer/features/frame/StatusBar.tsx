import { Cpu, Folder, ShieldQuestion } from 'lucide-react';
import { permissionModes } from '#shared/permissions/modes';
import { useApp } from '../../stores/app';
import { useSession } from '../../stores/session';
import { Badge } from '../../ui/Badge';
import { classes } from '../../ui/classes';
import { MiddleEllipsis } from '../../ui/MiddleEllipsis';
import { Tooltip } from '../../ui/Tooltip';
import { StatusMeter } from './StatusMeter';
import { StatusRules } from './StatusRules';
import { StatusSandbox } from './StatusSandbox';
import { StatusTrust } from './StatusTrust';
import { homePath } from './words';

/** The line at the bottom: under which conditions the session works. */
export function StatusBar() {
  const ready = useSession((session) => session.status === 'ready');
  const own = useSession((session) => session.status === 'ready' && session.transcriptId === null);
  return (
    <footer
      data-pane
      className="flex h-6.5 shrink-0 items-center gap-3 overflow-hidden border-t min-[1100px]:gap-4 border-line bg-rail px-3 text-small whitespace-nowrap text-muted"
    >
      {own ? <StatusMode /> : null}
      <StatusSandbox />
      <StatusExecutor />
      {ready ? <StatusFolder /> : null}
      <StatusTrust />
      <StatusRules />
      <div className="flex-1" />
      {ready ? <StatusModel /> : null}
      {ready ? <StatusMeter /> : <StatusVersion />}
    </footer>
  );
}

function StatusMode() {
  const mode = useSession((session) => session.state.mode);
  const { label, meaning } = permissionModes[mode];
  const loud = mode === 'bypassPermissions' ? 'text-deny' : mode === 'default' ? '' : 'text-ask';
  return (
    <Tooltip text={meaning} side="top">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the meaning must be readable by keyboard too */}
      <span tabIndex={0} className={classes('inline-flex shrink-0 items-center gap-1.5 rounded-small', loud)}>
        <ShieldQuestion aria-hidden size={14} strokeWidth={1.75} />
        {label} mode
      </span>
    </Tooltip>
  );
}

function StatusExecutor() {
  const executor = useApp((app) => app.executor);
  if (executor === null || executor.status === 'idle' || executor.status === 'ready') return null;
  return (
    <span
      className={classes(
        'inline-flex shrink-0 items-center gap-1.5',
        executor.status === 'down' ? 'text-deny' : 'text-ask',
      )}
      title={executor.detail}
    >
      <Cpu aria-hidden size={14} strokeWidth={1.75} />
      executor {executor.status}
    </span>
  );
}

function StatusFolder() {
  const folder = useSession((session) => session.state.folder);
  const home = useApp((app) => app.hello?.home ?? '');
  return (
    <span className="flex min-w-16 shrink items-center gap-1.5">
      <Folder aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
      <span className="sr-only">Folder</span>
      <MiddleEllipsis text={homePath(folder, home)} />
    </span>
  );
}

function StatusModel() {
  const model = useSession((session) => session.state.model);
  if (model.label === '') return null;
  return (
    <span className="inline-flex shrink-0 items-center gap-1.5">
      {/* Where there is little room, the chat's own menu says it; that a model is scripted is said everywhere. */}
      <span className="max-w-40 truncate max-[1100px]:sr-only">{model.label}</span>
      {model.scripted ? (
        <Tooltip
          text="This model plays a fixed script. It is not intelligent. Add an API key in the settings for a real one."
          side="top"
        >
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the meaning must be readable by keyboard too */}
          <span tabIndex={0} className="rounded-small">
            <Badge tone="ask">scripted</Badge>
          </span>
        </Tooltip>
      ) : null}
    </span>
  );
}

function StatusVersion() {
  const hello = useApp((app) => app.hello);
  if (hello === null) return null;
  return (
    <span className="shrink-0">
      Gatehouse {hello.version} · {hello.hostLabel}
    </span>
  );
}
