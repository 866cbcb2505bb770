import type { SandboxView } from '#shared/api/sandbox';
import { Badge } from '../../../ui/Badge';
import { SandboxOrigin } from '../../frame/SandboxOrigin';

interface SwitchWords {
  readonly label: string;
  readonly key: string;
  readonly on: string;
  readonly off: string;
  /** The side that opens something. */
  readonly opens: 'on' | 'off' | null;
  readonly of: (view: SandboxView) => SandboxView['enabled'];
}

const switches: readonly SwitchWords[] = [
  {
    label: 'Sandbox',
    key: 'sandbox.enabled',
    on: 'Commands run in it where there is one.',
    off: 'Commands run unconfined once they are allowed.',
    opens: 'off',
    of: (view) => view.enabled,
  },
  {
    label: 'Refuse commands where there is none',
    key: 'sandbox.failIfUnavailable',
    on: 'Without a sandbox no command runs.',
    off: 'Without a sandbox commands run unconfined once they are allowed; a banner says so.',
    opens: null,
    of: (view) => view.failIfUnavailable,
  },
  {
    label: 'Run without asking in the sandbox',
    key: 'sandbox.autoAllowBashIfSandboxed',
    on: 'A command that no rule speaks of runs at once. Deny rules, ask rules and dangerous commands are asked about as ever.',
    off: 'The sandbox spares no ask.',
    opens: 'on',
    of: (view) => view.autoAllow,
  },
  {
    label: 'Ways out of it',
    key: 'sandbox.allowUnsandboxedCommands',
    on: 'The model may ask to run a command outside. Only you can say yes, in every mode.',
    off: 'The model cannot ask to run a command outside.',
    opens: null,
    of: (view) => view.allowOutside,
  },
  {
    label: 'Sockets of other programs',
    key: 'sandbox.network.allowAllUnixSockets',
    on: 'Commands may talk to programs outside, such as a container service, and have them do things.',
    off: 'Sockets in the file system cannot be opened.',
    opens: 'on',
    of: (view) => view.network.unixSockets,
  },
];

/** The switches of the sandbox as they count here, each with the setting that made it so. */
export function SandboxSwitches({ view }: { readonly view: SandboxView }) {
  return (
    <ul aria-label="Switches" className="flex flex-col rounded-control border border-line">
      {switches.map(({ label, key, on, off, opens, of }) => {
        const state = of(view);
        const loud = state.on ? opens === 'on' : opens === 'off';
        return (
          <li key={key} className="flex items-start gap-4 border-line/60 border-b px-3 py-2.5 last:border-b-0">
            <div className="min-w-0 flex-1">
              <span className="font-medium">{label}</span>
              <p className="text-small text-muted">{state.on ? on : off}</p>
              <p className="mt-1 flex flex-wrap items-baseline gap-x-3 text-small text-muted">
                <code className="font-mono text-mono">{key}</code>
                <SandboxOrigin from={state.from} />
              </p>
            </div>
            <span className="mt-0.5">
              <Badge tone={loud ? 'ask' : state.on ? 'allow' : 'neutral'}>{state.on ? 'on' : 'off'}</Badge>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
