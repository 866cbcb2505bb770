// A call's trace in words.
import type { HookRun } from '#shared/session/hookRun';
import { type StepTrace, stepNames, type ToolCall } from '#shared/session/toolCall';
import { explainForPeople, visible } from '../core/permissions/explainText';
import type { StoredSession } from '../core/sessions/store';

/** Lines of the result's text that are shown; the rest is in the log and, where it was kept, in its file. */
const shownLines = 40;
const longestSummary = 100;

/** `12.3 ms`, `4.21 s`. */
export function duration(ms: number): string {
  return ms < 1_000 ? `${ms.toFixed(1)} ms` : `${(ms / 1_000).toFixed(2)} s`;
}

function oneLine(text: string): string {
  const line = visible(text.split('\n', 1)[0] ?? '');
  return line.length > longestSummary ? `${line.slice(0, longestSummary - 1)}…` : line;
}

/** One line about a session. */
export function sessionLine({ sessionId, title, folder, updatedAt }: StoredSession): string {
  return `${sessionId}  ${new Date(updatedAt).toISOString()}  ${visible(folder)}  ${oneLine(title)}`;
}

/** One line about a call with its number in the list. */
export function callLine(call: ToolCall, number: number): string {
  const took = 'endedAt' in call ? duration(call.endedAt - call.createdAt) : 'not ended';
  const { summary } = call.presentation;
  const by = call.agentId === undefined ? '' : `[${visible(call.agentId)}] `;
  return `${String(number).padStart(3)}  ${call.callId}  ${call.status.padEnd(11)}  ${took.padStart(9)}  ${by}${visible(call.name)} ${oneLine(summary)}`.trimEnd();
}

/** All that is stored of a call. */
export function callText(call: ToolCall, { sessionId, folder }: StoredSession): string {
  const waited = call.steps.reduce((sum, step) => sum + step.waitedMs, 0);
  const whole = 'endedAt' in call ? call.endedAt - call.createdAt : null;
  const head = [
    visible(call.name),
    call.status === 'failed' ? `failed (${call.failure})` : call.status,
    ...(whole === null ? [] : [`${duration(whole - waited)} of work, ${duration(waited)} waiting for a person`]),
  ].join(' · ');
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['input', visible(JSON.stringify(call.input, null, 2)).split('\n')],
    ['steps', stepLines(call)],
    ['decision', call.decision === null ? [] : explainForPeople(call.decision, call.name).split('\n')],
    ['hooks', (call.hooks ?? []).flatMap(hookLines)],
    ['result', resultLines(call)],
  ];
  return [
    head,
    `call ${call.callId}${call.agentId === undefined ? '' : ` · by sub-agent ${visible(call.agentId)}`} · session ${sessionId} · ${visible(folder)}`,
    ...sections.flatMap(([title, lines]) =>
      lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)],
    ),
  ].join('\n');
}

function stepLines(call: ToolCall): readonly string[] {
  const rows = stepNames.map((name, index) => {
    const step = call.steps.find((one) => one.step === name);
    if (step !== undefined) return stepRow(step, index + 1, call.createdAt);
    const now = call.currentStep === name ? 'running' : 'not reached';
    return [`${index + 1} ${name}`, now, '', '', ''];
  });
  const table = [['', '', 'begins at', 'takes', ''], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => (row[column] ?? '').length)));
  return table.map((row) =>
    row
      .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : at < 4 ? cell.padStart(widths[at] ?? 0) : cell))
      .join('  ')
      .trimEnd(),
  );
}

function stepRow(step: StepTrace, number: number, origin: number): readonly string[] {
  const took = step.endedAt - step.startedAt - step.waitedMs;
  const waited = step.waitedMs > 0 ? ` (and ${duration(step.waitedMs)} waiting for a person)` : '';
  return [
    `${number} ${step.step}`,
    step.outcome,
    `+${duration(step.startedAt - origin)}`,
    duration(took),
    `${oneLine(step.note)}${waited}`,
  ];
}

function hookLines(run: HookRun): readonly string[] {
  const place = run.file === undefined ? run.source : `${run.source}, ${run.file}`;
  const took = run.endedAt === null ? 'still running' : duration(run.endedAt - run.startedAt);
  const exit = run.exitCode === null ? '' : `, exit ${run.exitCode}`;
  const matcher = run.matcher === '' ? '' : ` (${run.matcher})`;
  const output = (name: string, text: string): readonly string[] =>
    text.trim() === '' ? [] : [`  ${name}: ${oneLine(text.trim())}`];
  return [
    `${run.event}${visible(matcher)} · ${run.handler} ${oneLine(run.label)} · ${visible(place)}`,
    `  ${run.outcome}${exit}, ${took}: ${oneLine(run.effect)}`,
    ...output('stdout', run.stdout),
    ...output('stderr', run.stderr),
  ];
}

function resultLines(call: ToolCall): readonly string[] {
  if (!('modelText' in call)) return call.status === 'asking' ? ['It waits for a person.'] : [];
  const lines = visible(call.modelText).split('\n');
  const more = lines.length - shownLines;
  const { persisted } = call;
  return [
    ...(call.note === '' ? [] : [oneLine(call.note)]),
    ...lines.slice(0, shownLines).map((line) => `│ ${line}`),
    ...(more > 0 ? [`│ … ${more} more lines; --json has them all`] : []),
    ...(persisted === undefined
      ? []
      : [
          `kept whole in ${persisted.file} (${persisted.bytes.toLocaleString('en')} bytes, the model got ${persisted.previewChars.toLocaleString('en')} characters)`,
        ]),
  ];
}
