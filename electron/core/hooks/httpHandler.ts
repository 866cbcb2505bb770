// Runs an http handler: one POST of the input; only a 2xx answer can decide.
import { starPattern } from '#shared/util/starPattern';
import type { HttpAction } from './handler';
import { withVariables } from './hookEnvironment';
import type { HttpLimits } from './hookSettings';
import { KeptOutput } from './keptOutput';
import type { Ended } from './verdict';

const keptBytes = 1_000_000;

export interface HttpRun {
  readonly action: HttpAction;
  readonly body: string;
  /** The host's variables, for headers. */
  readonly variables: Readonly<Record<string, string>>;
  readonly limits: HttpLimits;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

function headersOf({ action, variables, limits }: HttpRun): Headers {
  const allowed = new Set(action.allowedEnvVars ?? []);
  const mayUse = (name: string): boolean =>
    allowed.has(name) && (limits.variables === null || limits.variables.includes(name));
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const [name, value] of Object.entries(action.headers ?? {}))
    headers.set(name, withVariables(value, variables, mayUse));
  return headers;
}

async function bodyOf(response: Response): Promise<KeptOutput> {
  const kept = new KeptOutput(keptBytes);
  const reader = response.body?.getReader();
  if (reader === undefined) return kept;
  while (!kept.cut) {
    const { done, value } = await reader.read();
    if (done) return kept;
    kept.add(value);
  }
  await reader.cancel();
  return kept;
}

/** Asks the server. Never rejects; redirects are not followed. */
export async function runHttp(run: HttpRun): Promise<Ended> {
  const { action, limits, timeoutMs, signal } = run;
  const { href } = new URL(action.url);
  if (limits.urls !== null && !limits.urls.map(starPattern).some((one) => one.test(action.url) || one.test(href)))
    return { kind: 'failed', problem: 'its address is not among allowedHttpHookUrls' };
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(href, {
      method: 'POST',
      headers: headersOf(run),
      body: run.body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return { kind: 'failed', problem: `its server answered with status ${response.status}` };
    }
    const body = await bodyOf(response);
    return { kind: 'exited', exitCode: 0, signal: null, stdout: body.text, stderr: '', cut: body.cut };
  } catch (error) {
    if (signal.aborted) return { kind: 'cancelled' };
    if (timeout.aborted) return { kind: 'timeout', seconds: timeoutMs / 1000 };
    return { kind: 'failed', problem: `its server could not be reached${causeOf(error)}` };
  }
}

/** The code of the network error. Messages are left out: they may quote a header. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : '';
}
