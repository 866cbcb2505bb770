import { Check, ChevronRight, Copy, TriangleAlert } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { ruleSources } from '#shared/permissions/sources';
import type { HookHandlerType, HookRun } from '#shared/session/hookRun';
import { IconButton } from '../../../ui/IconButton';
import { Spinner } from '../../../ui/Spinner';
import { VerdictIcon, type VerdictName } from '../../../ui/Verdict';
import { VisibleText } from '../../../ui/VisibleText';
import { formatDuration, formatElapsed } from '../cards/duration';
import { outcomeWords } from '../cards/hookRuns';
import { useNow } from '../cards/useNow';
import { ScrollBox } from '../views/ScrollBox';
import { useCopy } from '../views/useCopy';

/** The hooks that ran within one step, each with what it said and did. */
export function HookRuns({ runs }: { readonly runs: readonly HookRun[] }) {
  if (runs.length === 0) return null;
  return (
    <ul aria-label="Hooks" className="mt-1.5 flex flex-col gap-1.5">
      {runs.map((run) => (
        <Run key={run.runId} run={run} />
      ))}
    </ul>
  );
}

/** Shape and colour beside the word: a hook that says no has done its work, one that failed has not. */
const looks: Readonly<Record<HookRun['outcome'], { readonly look: string; readonly picture: ReactNode }>> = {
  success: shaped('hook', 'text-hook'),
  blocked: shaped('deny', 'text-deny'),
  cancelled: shaped('undetermined', 'text-undetermined'),
  error: { look: 'text-deny', picture: <Alarm /> },
  timeout: { look: 'text-deny', picture: <Alarm /> },
  background: shaped('undetermined', 'text-accent'),
};

function shaped(verdict: VerdictName, look: string) {
  return { look, picture: <VerdictIcon verdict={verdict} size={14} /> };
}

function Alarm() {
  return <TriangleAlert aria-hidden="true" size={14} strokeWidth={1.75} className="shrink-0" />;
}

const handlerWords: Readonly<Record<HookHandlerType, string>> = {
  command: 'command',
  http: 'web address',
  prompt: 'prompt for a model',
  agent: 'agent',
  mcp_tool: 'MCP tool',
};

function Run({ run }: { readonly run: HookRun }) {
  const { look, picture } = looks[run.outcome];
  const now = useNow(run.endedAt === null);
  const runs = run.endedAt === null && now - run.startedAt < tellableMs;
  return (
    <li className="overflow-hidden rounded-control border border-line bg-code">
      <div className="px-2.5 py-1.5">
        <p className="flex items-center gap-1.5 text-small">
          <span className={`inline-flex items-center gap-1.5 font-semibold ${look}`}>
            {runs ? <Spinner label="still running" size={14} /> : picture}
            {outcomeWords[run.outcome]}
          </span>
          <span className="min-w-0 truncate text-muted">{run.event}</span>
          <Took run={run} now={now} />
        </p>
        <p className="chat-verbatim font-mono text-mono">
          <VisibleText text={run.label} />
        </p>
        <p className="text-muted text-small [overflow-wrap:anywhere]">
          <VisibleText text={effectOf(run)} />
        </p>
        <p className="text-dim text-small [overflow-wrap:anywhere]" title={run.file}>
          {handlerWords[run.handler]} of the {ruleSources[run.source].label} settings
          {run.matcher !== '' && run.matcher !== '*' && (
            <>
              {' for '}
              <code className="font-mono text-mono">
                <VisibleText text={run.matcher} />
              </code>
            </>
          )}
        </p>
      </div>
      <Exchange run={run} />
    </li>
  );
}

/** The effect without the word that stands above it already. */
function effectOf({ outcome, effect }: HookRun): string {
  const said = `${outcomeWords[outcome]}: `;
  return effect.startsWith(said) ? effect.slice(said.length) : effect;
}

/** After so long it cannot be told whether a hook still runs: the program may have ended in between. */
const tellableMs = 3_600_000;

function Took({ run, now }: { readonly run: HookRun; readonly now: number }) {
  const exit = run.exitCode === null ? '' : `exit ${run.exitCode} · `;
  const since = now - run.startedAt;
  const took =
    run.endedAt !== null
      ? formatDuration(run.endedAt - run.startedAt)
      : since < tellableMs
        ? `for ${formatElapsed(since)}`
        : 'no end recorded';
  return (
    <span title={new Date(run.startedAt).toISOString()} className="ml-auto shrink-0 text-dim">
      {exit}
      {took}
    </span>
  );
}

/** What the hook was told and what it printed, drawn only when asked for. */
function Exchange({ run }: { readonly run: HookRun }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const told = [
    { name: 'Told', text: run.stdin, shown: indented(run.stdin) },
    { name: 'Printed', text: run.stdout, shown: run.stdout },
    { name: 'Printed as errors', text: run.stderr, shown: run.stderr },
  ].filter(({ text }) => text !== '');
  if (told.length === 0) return null;
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="flex h-6 w-full items-center gap-1 border-line border-t px-2 text-left text-muted text-small -outline-offset-2 hover:bg-hover hover:text-text"
      >
        <ChevronRight
          aria-hidden="true"
          size={14}
          strokeWidth={1.75}
          className={`shrink-0 ${open ? 'rotate-90' : ''}`}
        />
        What it was told and what it said
      </button>
      {open && (
        <div id={id}>
          {told.map((piece) => (
            <Said key={piece.name} {...piece} />
          ))}
          {run.stdout === '' && run.stderr === '' && (
            <p className="border-line border-t px-2.5 py-1 text-dim text-small">
              {run.endedAt === null ? 'It has said nothing yet.' : 'It printed nothing.'}
            </p>
          )}
        </div>
      )}
    </>
  );
}

/** `text` is what is copied, to the letter; `shown` is the same made readable. */
function Said({ name, text, shown }: { readonly name: string; readonly text: string; readonly shown: string }) {
  const { copied, copy } = useCopy();
  return (
    <section aria-label={name} className="border-line border-t">
      <div className="flex items-center justify-between bg-panel py-px pr-1 pl-2.5">
        <h4 className="font-semibold text-head text-muted">
          {name}
          <span className="ml-1.5 font-normal text-dim">{text.length.toLocaleString('en')} characters</span>
        </h4>
        <IconButton
          size="small"
          icon={copied ? Check : Copy}
          label={copied ? 'Copied' : `Copy: ${name.toLowerCase()}`}
          onClick={() => copy(text)}
        />
      </div>
      <ScrollBox label={`${name}, text`} className="max-h-44 overflow-auto border-line border-t">
        <pre className="chat-verbatim px-2.5 py-1.5 font-mono text-mono">
          <VisibleText text={shown} />
        </pre>
      </ScrollBox>
    </section>
  );
}

/** JSON on several lines; anything else, also JSON that was cut, as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
