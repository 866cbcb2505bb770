// The recorded changes for people, and the calls of which nothing is recorded.
import type { NotCovered, TimelineEntry } from '#shared/api/changes';
import type { SessionState } from '#shared/session/state';
import type { ToolCall } from '#shared/session/toolCall';
import { oneLine } from '../tools/wording';
import type { RecordedChange } from './changeLog';

const longestTitle = 300;

/** Entries in the order in which they happened. `kept` holds the hashes whose bytes are still there. */
export function timelineOf(options: {
  readonly recorded: readonly RecordedChange[];
  readonly calls: SessionState['calls'];
  readonly kept: ReadonlySet<string>;
}): TimelineEntry[] {
  const { recorded, calls, kept } = options;
  const byId = new Map(recorded.map(({ change }) => [change.changeId, change]));
  const content = (side: TimelineEntry['change']['before']) =>
    side === null ? null : { ...side, kept: side.kept && kept.has(side.hash) };
  return recorded.map(({ seq, at, change }) => {
    const { by } = change;
    const call = by.kind === 'call' ? calls[by.callId] : undefined;
    const ofRestores = by.kind === 'restore' && by.of.every((id) => byId.get(id)?.by.kind === 'restore');
    const title =
      by.kind === 'restore'
        ? ofRestores
          ? 'Restore undone'
          : 'Restored by you'
        : call === undefined
          ? 'Changed by a call'
          : callTitle(call);
    return {
      seq,
      at,
      change: { ...change, before: content(change.before), after: content(change.after) },
      title,
      agentId: call?.agentId ?? null,
    };
  });
}

/** Tools that run what nobody can look into. */
const shells: Readonly<Record<string, string>> = {
  Bash: 'a command',
  PowerShell: 'a command',
  REPL: 'code',
};

/** Calls that ran and whose changes nobody records, in order; those that only read are among them. */
export function mayChangeFiles(calls: SessionState['calls']): ToolCall[] {
  return Object.values(calls).filter(
    (call) =>
      (call.status === 'succeeded' || call.status === 'failed' || call.status === 'interrupted') &&
      whatOf(call) !== undefined &&
      hasRun(call),
  );
}

/** The call as people are told of it. */
export function asNotCovered(call: ToolCall): NotCovered {
  return { callId: call.callId, at: call.createdAt, title: callTitle(call), what: whatOf(call) ?? 'a call' };
}

function whatOf({ name }: ToolCall): string | undefined {
  if (Object.hasOwn(shells, name)) return shells[name];
  return name.startsWith('mcp__') ? 'a server’s tool' : undefined;
}

/** An interrupted call has no step that ended; one that was allowed may have done something. */
function hasRun(call: ToolCall): boolean {
  if (call.status === 'interrupted' && call.decision?.behavior === 'allow') return true;
  return call.steps.some(({ step, outcome }) => step === 'execution' && outcome !== 'skipped');
}

function callTitle({ presentation: { title, summary } }: ToolCall): string {
  return oneLine(summary === '' ? title : `${title} ${summary}`, longestTitle);
}
