// `gatehouse doctor`: whether this machine has what commands need to be confined, and what the settings of a folder make of it.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { SandboxOrigin, SandboxView } from '#shared/api/sandbox';
import { fail, ok, type Result } from '#shared/util/result';
import { ExecutorSupervisor, type SandboxProbe } from '../core/executor/supervisor';
import { placeOf } from '../core/sandbox/sandboxSettings';
import { ToolFailure } from '../core/tools/tool';
import { visibleText } from '../core/tools/visibleText';
import { forkExecutor } from '../node/forkExecutor';
import { engineFor, folderNamed } from './folderRules';
import { sandboxOf } from './folderSandbox';
import { type CliHost, exitCodes } from './host';

export const doctorUsage = `gatehouse doctor [folder] [options]
  Starts the executor, tries the sandbox out with a real command, and says what the settings that count in a folder make
  of it. The folder counts as trusted.

  --json       a line of JSON: {"checks":[{"name","state","text"}],"sandbox":{…}}

Exit code: 0 all is well; 1 something is missing or broken; 3 bad usage.`;

/** One thing that was looked at. A `note` is no fault, but worth knowing. */
export interface Check {
  readonly name: 'executor' | 'sandbox' | 'network' | 'commands' | 'settings';
  readonly state: 'ok' | 'note' | 'problem';
  readonly text: string;
}

const sessionId = 'doctor';

/** What is to be said. Pure. */
export function checksOf(about: {
  /** Why the executor does not start; empty when it does. */
  readonly executor: string;
  readonly view: SandboxView;
  /** Why no command may run; empty when they may. */
  readonly refusal: string;
  /** What is wrong with settings files, with file and line. */
  readonly problems: readonly string[];
}): readonly Check[] {
  const { executor, view, refusal, problems } = about;
  const { state, enabled, network, ignored } = view;
  const sandbox: Check = state.active
    ? { name: 'sandbox', state: 'ok', text: `${state.kind}; tried out, and it confines` }
    : { name: 'sandbox', state: enabled.on ? 'problem' : 'note', text: state.reason };
  return [
    executor === ''
      ? { name: 'executor', state: 'ok', text: 'starts' }
      : { name: 'executor', state: 'problem', text: executor },
    sandbox,
    ...(refusal === '' ? [] : [{ name: 'commands', state: 'problem', text: refusal } as const]),
    ...(state.active ? [networkCheck(network)] : []),
    ...problems.map((text): Check => ({ name: 'settings', state: 'problem', text })),
    ...ignored.map(
      ({ setting, why, from }): Check => ({
        name: 'settings',
        state: 'note',
        text: `${setting} (${originOf(from)}) has no effect: ${why}`,
      }),
    ),
  ];
}

const reaches: Readonly<Record<SandboxView['network']['reach'], string>> = {
  off: 'commands reach no host',
  listed: 'commands reach only the hosts of the lists',
  asks: 'commands reach the hosts of the lists, and you are asked about others',
  open: 'commands reach every host',
};

function networkCheck({ reach, problem }: SandboxView['network']): Check {
  if (problem === '') return { name: 'network', state: 'ok', text: reaches[reach] };
  return { name: 'network', state: 'note', text: `${reaches[reach]}: ${problem}` };
}

function originOf(from: SandboxOrigin): string {
  if (from.kind === 'rule') return `rule ${from.rule}`;
  return from.kind === 'setting' ? placeOf(from) : from.kind === 'default' ? 'by default' : 'Gatehouse';
}

/** Lines for people: the checks, then what is in force. */
export function doctorText(checks: readonly Check[], view: SandboxView): string {
  const marks = { ok: 'ok     ', note: 'note   ', problem: 'PROBLEM' } as const;
  const switches = [
    ['sandbox.enabled', view.enabled],
    ['sandbox.failIfUnavailable', view.failIfUnavailable],
    ['sandbox.autoAllowBashIfSandboxed', view.autoAllow],
    ['sandbox.allowUnsandboxedCommands', view.allowOutside],
  ] as const;
  const places = [
    ['may be written', view.writable],
    ['stay read-only in there', view.readOnly],
    ['are not seen', view.hidden],
    ['are seen all the same', view.readable],
  ] as const;
  return [
    ...checks.map(({ name, state, text }) => `${marks[state]} ${name.padEnd(9)} ${visibleText(text)}`),
    '',
    ...switches.map(([name, { on, from }]) => `${name}: ${on} (${visibleText(originOf(from))})`),
    ...places.map(([what, list]) => `${list.length} places ${what}`),
    ...view.excluded.map(({ text, from }) => `runs outside: ${visibleText(text)} (${visibleText(originOf(from))})`),
  ].join('\n');
}

interface DoctorOptions {
  readonly folder: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
}

function readOptions(args: readonly string[]): Result<DoctorOptions> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
    if (positionals.length > 1) return fail('Name one folder, or none for the present one.');
    return ok({ folder: positionals[0], json: values.json === true, help: values.help === true });
  } catch (error) {
    if (error instanceof TypeError) return fail(error.message);
    throw error;
  }
}

/** Runs `doctor` with the words behind it. The value is the exit code. */
export async function doctor(args: readonly string[], host: CliHost): Promise<number> {
  const options = readOptions(args);
  const refuse = (problem: string): number => {
    host.err(`${problem}\n\n${doctorUsage}`);
    return exitCodes.badUsage;
  };
  if (!options.ok) return refuse(options.error);
  if (options.value.help) {
    host.out(doctorUsage);
    return 0;
  }
  const folder = folderNamed(options.value.folder, host);
  if (!folder.ok) return refuse(folder.error);
  const { executor, probe } = await tryExecutor(host);
  const engine = engineFor(host);
  try {
    await engine.openSession(sessionId, folder.value);
    const sandbox = sandboxOf(engine, { host, folder: folder.value, probe });
    const view = sandbox.view(sessionId);
    const problems = engine
      .view(sessionId)
      .files.filter((file) => file.problem !== '')
      .map((file) => `${file.path}${file.line === undefined ? '' : `:${file.line}`}: ${file.problem}`);
    const checks = checksOf({ executor, view, refusal: sandbox.forDecision(sessionId).refusal, problems });
    host.out(options.value.json ? JSON.stringify({ checks, sandbox: view }) : doctorText(checks, view));
    return checks.some(({ state }) => state === 'problem') ? exitCodes.failed : 0;
  } finally {
    await engine.dispose();
  }
}

/** Starts an executor, which tries the sandbox out, and ends it. */
async function tryExecutor({ surroundings }: CliHost): Promise<{ executor: string; probe: SandboxProbe }> {
  const { dist, env } = surroundings;
  const supervisor = new ExecutorSupervisor({
    launch: () => forkExecutor({ modulePath: join(dist, 'executor.mjs'), env }),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    timing: { backOff: 20 },
  });
  try {
    await supervisor.start();
    return { executor: '', probe: supervisor.sandbox };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return { executor: error.message, probe: supervisor.sandbox };
  } finally {
    await supervisor.dispose();
  }
}
