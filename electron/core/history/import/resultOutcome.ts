// What became of a call, from the line that answers it. Only refusals leave a text; that a person approved leaves none.
import type { PastCall } from '#shared/api/history';
import { isRecord } from './boundInput';

type Outcome = PastCall['outcome'];

/** Beginnings of the texts that stand where a result would, when a person, a rule or a hook stopped the call. */
const refusals = [
  "The user doesn't want to proceed with this tool use",
  "The user doesn't want to take this action",
  'Permission to use ',
  'Permission for this action ',
  'Claude requested permissions to ',
  'This command requires approval',
  'PreToolUse:',
  'Hook PreToolUse:',
  'Execution stopped by PreToolUse hook',
];

/** Calls that ended with others, or because the turn was stopped: nobody judged them. */
const notJudged: ReadonlySet<string> = new Set(['interrupted', 'cancelled']);

/** Text of a result's content, as much as is needed to know a refusal. */
function beginning(content: unknown): string {
  const first: unknown = Array.isArray(content) ? content[0] : content;
  const text = isRecord(first) ? first.text : first;
  return typeof text === 'string' ? text.slice(0, 300) : '';
}

/** `block`: the tool_result; `line`: the whole object that it stands in. */
export function resultOutcome(
  block: Readonly<Record<string, unknown>>,
  line: Readonly<Record<string, unknown>>,
): Outcome {
  const kind = line.toolDenialKind ?? line.non_execution_kind;
  if (typeof kind === 'string' && kind !== '') return notJudged.has(kind) ? 'unknown' : 'refused';
  if (block.is_error !== true) return 'ran';
  if (line.toolUseResult === 'User rejected tool use') return 'refused';
  const text = beginning(block.content)
    .replace(/^<tool_use_error>/, '')
    .replace(/^Error: /, '');
  if (text.startsWith('[Request interrupted by user')) return 'unknown';
  return refusals.some((start) => text.startsWith(start)) ? 'refused' : 'failed';
}
