import { Box, FileCog, PackageX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SandboxView } from '#shared/api/sandbox';
import type { SandboxState } from '#shared/session/ask';
import { useApp } from '../../../stores/app';
import { useRules } from '../../../stores/rules';
import { useSandbox } from '../../../stores/sandbox';
import { Button } from '../../../ui/Button';
import { classes } from '../../../ui/classes';
import { Skeleton } from '../../../ui/Skeleton';
import { VisibleText } from '../../../ui/VisibleText';
import { SandboxOrigin } from '../../frame/SandboxOrigin';
import { type Confinement, confinementOf, confinements, limitWords, reaches } from '../../frame/sandboxWords';
import { showFileLine } from '../../frame/showFileLine';
import { homePath, sentence } from '../../frame/words';
import { Section } from '../Section';
import { EntryList } from './EntryList';
import { SandboxSwitches } from './SandboxSwitches';

/** What confines the commands of the open session, whole, and what each value comes from. */
export function SandboxSection() {
  const found = useApp((app) => app.sandbox);
  const sessionId = useApp((app) => app.activeSessionId);
  const folder = useApp((app) => app.sessions?.find((one) => one.sessionId === sessionId)?.folder ?? '');
  const home = useApp((app) => app.hello?.home ?? '');
  const { view, problem } = useSandbox();
  if (found === null) return null;
  return (
    <Section
      name="sandbox"
      title="Sandbox"
      text={
        sessionId === null ? (
          'What confines commands on this machine. Open a session to see what counts in its folder.'
        ) : (
          <>
            What confines the commands of the open session
            {folder === '' ? '' : ' in '}
            <code className="font-mono text-mono [overflow-wrap:anywhere]">
              <VisibleText text={homePath(folder, home)} />
            </code>
            , and which settings made it so.
          </>
        )
      }
    >
      {sessionId === null ? (
        <StateCard state={found} confinement={confinementOf({ state: found })} />
      ) : view === null ? (
        problem === '' ? (
          <Skeleton label="Looking at the sandbox" rows={4} />
        ) : (
          <NotLoaded problem={problem} />
        )
      ) : (
        <Whole view={view} />
      )}
    </Section>
  );
}

function NotLoaded({ problem }: { readonly problem: string }) {
  const reload = useSandbox((sandbox) => sandbox.reload);
  return (
    <div role="alert" className="flex items-start justify-between gap-4">
      <p className="min-w-0 text-deny [overflow-wrap:anywhere]">
        It could not be found out what counts here. <VisibleText text={sentence(problem)} />
      </p>
      <Button size="small" onClick={() => void reload()}>
        Try again
      </Button>
    </div>
  );
}

function Whole({ view }: { readonly view: SandboxView }) {
  const { network } = view;
  const limits = limitWords(view.limits);
  return (
    <>
      <StateCard state={view.state} confinement={confinementOf(view)}>
        {view.enabled.on ? null : (
          <p className="mt-1 text-small text-muted">
            Switched off by <SandboxOrigin from={view.enabled.from} />
          </p>
        )}
      </StateCard>
      <SandboxSwitches view={view} />
      {view.state.active ? null : (
        <p className="text-ask">What follows would count in a sandbox. Now nothing of it holds a command back.</p>
      )}
      <Group title="Files">
        <EntryList
          title="May be written"
          meaning="With all that is within. Everything else is read-only."
          entries={view.writable}
          none="Nothing may be written."
        />
        <EntryList
          title="Read-only within these"
          meaning="What runs by itself later, and what decides here, whether it exists yet or not."
          entries={view.readOnly}
          none="Nothing is held back."
        />
        <EntryList
          title="Hidden"
          meaning="Commands find nothing there."
          entries={view.hidden}
          none="Nothing is hidden."
        />
        <EntryList
          title="Readable within the hidden"
          meaning="The more specific place wins."
          entries={view.readable}
          none="None."
        />
      </Group>
      <Group title="Network" text={reaches[network.reach].meaning}>
        {network.problem === '' ? null : (
          <p className="px-3 py-2 text-ask [overflow-wrap:anywhere]">
            <VisibleText text={sentence(network.problem)} />
          </p>
        )}
        <EntryList
          title="Allowed hosts"
          meaning="Reached without an ask, where lists can be used."
          entries={network.allowed}
          none="No host is on the list."
        />
        <EntryList
          title="Denied hosts"
          meaning="Never reached, whatever else allows them."
          entries={network.denied}
          none="No host is denied by name."
        />
      </Group>
      <Group title="Commands">
        <EntryList
          title="Run outside"
          meaning="If one part of a command line fits, the whole line runs outside, with all your rights."
          entries={view.excluded}
          none="No command is let out by its name."
        />
        <div className="px-3 py-2">
          <h4 className="font-medium">Limits</h4>
          <p className="text-small text-muted">
            {limits.length === 0
              ? 'A command may take as much as there is.'
              : `A command and all it starts may take ${limits.join(', ')}.`}
          </p>
        </div>
      </Group>
      {view.ignored.length === 0 ? null : <Ignored ignored={view.ignored} />}
      <HowToChange />
    </>
  );
}

const looks: Readonly<Record<Confinement, string>> = {
  confined: 'border-line bg-allow-tint text-allow',
  off: 'border-line bg-ask-tint text-ask',
  missing: 'border-line bg-ask-tint text-ask',
  refused: 'border-line bg-deny-tint text-deny',
};

interface StateCardProps {
  readonly state: SandboxState;
  readonly confinement: Confinement;
  readonly children?: ReactNode;
}

function StateCard({ state, confinement, children }: StateCardProps) {
  const { title, meaning } = confinements[confinement];
  const Icon = confinement === 'confined' ? Box : PackageX;
  return (
    <div className={classes('flex items-start gap-3 rounded-control border px-3 py-2.5', looks[confinement])}>
      <Icon aria-hidden size={18} strokeWidth={1.75} className="mt-0.5 shrink-0" />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <h3 className="font-semibold">
          {title}
          {confinement === 'confined' ? `: ${state.kind}` : ''}
        </h3>
        <p className="text-text">{meaning}</p>
        {state.reason === '' || confinement === 'off' ? null : (
          <p className="mt-1.5 text-text">
            <span className="font-semibold">Why, and what to do. </span>
            <VisibleText text={sentence(state.reason)} />
          </p>
        )}
        {children}
      </div>
    </div>
  );
}

function Group({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text?: string;
  readonly children: ReactNode;
}) {
  return (
    <div>
      <h3 className="text-head font-semibold text-muted">{title}</h3>
      {text === undefined ? null : <p className="mt-0.5">{text}</p>}
      <div className="mt-2 flex flex-col divide-y divide-line/60 rounded-control border border-line">{children}</div>
    </div>
  );
}

function Ignored({ ignored }: { readonly ignored: SandboxView['ignored'] }) {
  const rows = [...new Map(ignored.map((one) => [JSON.stringify(one), one])).entries()];
  return (
    <div>
      <h3 className="text-head font-semibold text-ask">Settings that have no effect here</h3>
      <ul
        aria-label="Settings that have no effect here"
        className="mt-2 flex flex-col divide-y divide-line/60 rounded-control border border-line"
      >
        {rows.map(([key, { setting, why, from }]) => (
          <li key={key} className="px-3 py-2">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <code className="min-w-0 font-mono text-mono [overflow-wrap:anywhere]">
                <VisibleText text={setting} />
              </code>
              <span className="min-w-0 text-small text-muted">
                <SandboxOrigin from={from} />
              </span>
            </div>
            <p className="text-small text-muted [overflow-wrap:anywhere]">
              <VisibleText text={sentence(why)} />
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** These are settings like the permission rules: they stand in the settings files. */
function HowToChange() {
  const files = useRules((rules) => rules.view?.files);
  const own = files?.find(({ source }) => source === 'userSettings');
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-0 flex-1 basis-72 text-small text-muted">
        All of it stands under “sandbox” in the settings files. What is built in cannot be lifted there.
      </p>
      {own === undefined ? null : (
        <Button size="small" icon={FileCog} onClick={() => showFileLine(own.path, null)}>
          Open my settings file
        </Button>
      )}
    </div>
  );
}
