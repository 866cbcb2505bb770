import { Box, PackageX, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SandboxEntry, SandboxView } from '#shared/api/sandbox';
import { useApp } from '../../stores/app';
import { useSandbox } from '../../stores/sandbox';
import { useSession } from '../../stores/session';
import { useUi } from '../../stores/ui';
import { Button } from '../../ui/Button';
import { Popover, PopoverClose } from '../../ui/Popover';
import { Switch } from '../../ui/Switch';
import { VisibleText } from '../../ui/VisibleText';
import { SandboxOrigin } from './SandboxOrigin';
import { StatusButton } from './StatusButton';
import { confinementOf, confinements, limitWords, reaches } from './sandboxWords';
import { counted, homePath, sentence } from './words';

/** What confines the session's commands, in a word; its details and the switch for the network float beside it. */
export function StatusSandbox() {
  const found = useApp((app) => app.sandbox);
  const view = useSandbox((sandbox) => sandbox.view);
  const ready = useSession((session) => session.status === 'ready');
  const network = useSession((session) => session.state.network);
  if (found === null) return null;
  const state = view?.state ?? found;
  const confinement = confinementOf(view ?? { state });
  const reach = view?.network.reach ?? (network ? 'open' : 'off');
  const words = confinements[confinement];
  const confined = confinement === 'confined';
  const suffix = ready ? `, ${reaches[reach].short}` : '';
  const tone = confinement === 'refused' ? 'text-deny' : confined && reach !== 'open' ? 'text-allow' : 'text-ask';
  const Icon = confined ? Box : PackageX;
  return (
    <Popover
      label="Sandbox"
      side="top"
      trigger={
        <StatusButton className={confined && !ready ? 'text-allow' : tone}>
          <Icon aria-hidden size={14} strokeWidth={1.75} />
          {confined ? (
            <>
              <span className="max-[1100px]:sr-only">{`sandbox: ${state.kind}${suffix}`}</span>
              <span aria-hidden className="hidden max-[1100px]:inline">
                {`sandbox${suffix}`}
              </span>
            </>
          ) : (
            words.short
          )}
        </StatusButton>
      }
    >
      <h2 className="text-title font-semibold">{words.title}</h2>
      <p className="mt-1 text-muted">
        {confined ? `By ${state.kind}. ` : ''}
        {words.meaning}
      </p>
      {confinement === 'off' && view !== null ? (
        <p className="mt-2 text-small text-muted">
          Switched off by <SandboxOrigin from={view.enabled.from} />
        </p>
      ) : state.reason === '' ? null : (
        <p className="mt-2 [overflow-wrap:anywhere]">
          <VisibleText text={sentence(state.reason)} />
        </p>
      )}
      {view === null ? null : <Facts view={view} />}
      {confined && ready ? <NetworkSwitch reach={reach} /> : null}
      <div className="mt-3 border-t border-line pt-3">
        <PopoverClose asChild>
          <Button
            size="small"
            onClick={() => {
              useUi.getState().openSettings('sandbox');
              useApp.getState().go('settings');
            }}
          >
            All of it, and which settings made it so
          </Button>
        </PopoverClose>
      </div>
    </Popover>
  );
}

function NetworkSwitch({ reach }: { readonly reach: SandboxView['network']['reach'] }) {
  const network = useSession((session) => session.state.network);
  const setNetwork = useSession((session) => session.setNetwork);
  return (
    <div className="mt-3 border-t border-line pt-3">
      <Switch
        label="Whole network for this session"
        hint={reaches[reach].meaning}
        checked={network}
        onChange={(on) => void setNetwork(on)}
      />
    </div>
  );
}

/** Places that are named before the rest is counted. */
const named = 3;

function Facts({ view }: { readonly view: SandboxView }) {
  const confined = view.state.active;
  const limits = limitWords(view.limits);
  const { network, excluded, allowOutside, ignored } = view;
  return (
    <>
      {confined ? (
        <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 border-t border-line pt-3 text-small">
          <Fact name="May write">
            <Named entries={view.writable} />
          </Fact>
          <Fact name="Read-only">{`${counted(view.readOnly.length, 'place')} within these`}</Fact>
          <Fact name="Hidden">
            <Named entries={view.hidden} />
          </Fact>
          {network.reach === 'open' || network.reach === 'off' ? null : (
            <Fact name="Hosts">
              {`${network.allowed.length} allowed, ${network.denied.length} denied${network.reach === 'asks' ? ', asks about others' : ''}`}
            </Fact>
          )}
          {excluded.length === 0 ? null : (
            <Fact name="Runs outside">
              <Named entries={excluded} />
            </Fact>
          )}
          <Fact name="Way out">
            {allowOutside.on ? 'The model may ask you to run a command outside' : 'None: no command may ask for it'}
          </Fact>
          {limits.length === 0 ? null : <Fact name="Limits">{limits.join(' · ')}</Fact>}
        </dl>
      ) : null}
      {confined && network.problem !== '' ? <Remark>{sentence(network.problem)}</Remark> : null}
      {ignored.length === 0 ? null : (
        <Remark>{`${counted(ignored.length, 'setting has', 'settings have')} no effect here.`}</Remark>
      )}
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

function Named({ entries }: { readonly entries: readonly SandboxEntry[] }) {
  const home = useApp((app) => app.hello?.home ?? '');
  const texts = [...new Set(entries.map(({ text }) => homePath(text, home)))];
  if (texts.length === 0) return 'nothing';
  const more = texts.length - named;
  return (
    <>
      {texts.slice(0, named).map((text, index) => (
        <span key={text}>
          {index === 0 ? '' : ', '}
          <code className="font-mono text-mono">
            <VisibleText text={text} />
          </code>
        </span>
      ))}
      {more > 0 ? ` and ${more} more` : ''}
    </>
  );
}

function Remark({ children }: { readonly children: string }) {
  return (
    <p className="mt-3 flex items-start gap-2 text-small text-ask">
      <TriangleAlert aria-hidden size={14} strokeWidth={1.75} className="mt-0.5 shrink-0" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <VisibleText text={children} />
      </span>
    </p>
  );
}
