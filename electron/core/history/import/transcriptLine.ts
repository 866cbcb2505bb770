// One line of a Claude Code transcript, read leniently: what is not about calls is passed over, whatever it is.
import { createHash } from 'node:crypto';
import type { PastCall } from '#shared/api/history';
import { PermissionMode } from '#shared/permissions/modes';
import { canonicalJson } from '#shared/util/canonicalJson';
import { boundInput, isRecord } from './boundInput';
import { callTitle } from './callTitle';
import { resultOutcome } from './resultOutcome';

/** What the lines before say of those that come. */
export interface LineContext {
  /** From the file's name; counts where a line names none. */
  readonly fileSession: string;
  readonly isSubagentFile: boolean;
  /** The folder of the first line that names one. */
  cwd: string | null;
  mode: PermissionMode | null;
  /** Epoch milliseconds of the youngest line so far. */
  at: number;
}

/** A call as it is kept. `input` is JSON. */
export interface ReadCall {
  readonly id: string;
  readonly session: string;
  readonly cwd: string;
  readonly at: number;
  readonly tool: string;
  readonly input: string;
  readonly key: string;
  readonly title: string;
  readonly isSubagent: boolean;
  readonly mode: PermissionMode | null;
}

export interface ReadResult {
  readonly id: string;
  readonly outcome: PastCall['outcome'];
}

export interface LineFacts {
  readonly calls: readonly ReadCall[];
  readonly results: readonly ReadResult[];
  /** The line, or a call in it, could not be understood. */
  readonly damaged: boolean;
}

const nothing: LineFacts = { calls: [], results: [], damaged: false };
const damagedLine: LineFacts = { calls: [], results: [], damaged: true };

const maxNameChars = 200;
const maxPathChars = 4_096;
/** Longest input as JSON that is kept. */
const maxInputChars = 200_000;
/** Ids of the model's own server are longer; shorter ones may be counted anew in each session. */
const worldWideChars = 16;

const open = 0x7b;
const close = 0x7d;
const carriageReturn = 0x0d;

const marks = ['"tool_use"', '"tool_result"', 'ermissionMode"'].map((mark) => Buffer.from(mark));
const cwdMark = Buffer.from('"cwd"');

/** Reads one line without its end; `context` is brought up to date. Never throws, whatever the bytes are. */
export function readTranscriptLine(line: Buffer, context: LineContext): LineFacts {
  const bytes = line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
  if (bytes.length === 0) return nothing;
  // Cheaper than parsing, and most damage is a line that was cut.
  if (bytes[0] !== open || bytes.at(-1) !== close) return damagedLine;
  const wanted = marks.some((mark) => bytes.includes(mark)) || (context.cwd === null && bytes.includes(cwdMark));
  if (!wanted) return nothing;
  let parsed: unknown;
  try {
    parsed = JSON.parse(bytes.toString('utf8'));
  } catch {
    return damagedLine;
  }
  return isRecord(parsed) ? factsOf(parsed, context) : damagedLine;
}

function factsOf(line: Readonly<Record<string, unknown>>, context: LineContext): LineFacts {
  const cwd = pathOf(line.cwd);
  context.cwd ??= cwd;
  const mode = PermissionMode.safeParse(line.permissionMode);
  if (mode.success) context.mode = mode.data;
  // A mode that is not known is not the one before it.
  else if (typeof line.permissionMode === 'string') context.mode = null;
  const at = typeof line.timestamp === 'string' ? Date.parse(line.timestamp) : Number.NaN;
  if (Number.isFinite(at) && at > 0) context.at = at;

  const { message } = line;
  if (!isRecord(message) || !Array.isArray(message.content)) return nothing;
  const calls: ReadCall[] = [];
  const results: ReadResult[] = [];
  let damaged = false;
  for (const block of message.content) {
    if (!isRecord(block)) continue;
    const session = nameOf(line.sessionId) ?? context.fileSession;
    if (block.type === 'tool_result') {
      const id = idOf(block.tool_use_id, session);
      if (id !== null) results.push({ id, outcome: resultOutcome(block, line) });
    } else if (block.type === 'tool_use') {
      const call = callOf(block, {
        session,
        cwd: cwd ?? context.cwd,
        at: context.at,
        isSubagent: context.isSubagentFile || line.isSidechain === true || typeof line.agentId === 'string',
        mode: context.mode,
      });
      if (call === null) damaged = true;
      else calls.push(call);
    }
  }
  return { calls, results, damaged };
}

type Around = Pick<ReadCall, 'session' | 'at' | 'isSubagent' | 'mode'> & { readonly cwd: string | null };

function callOf(block: Readonly<Record<string, unknown>>, around: Around): ReadCall | null {
  const { cwd } = around;
  const id = idOf(block.id, around.session);
  const tool = nameOf(block.name);
  const input = boundInput(block.input);
  if (id === null || tool === null || input === null || cwd === null) return null;
  const json = JSON.stringify(input);
  if (json.length > maxInputChars) return null;
  return { ...around, cwd, id, tool, input: json, key: callKey({ tool, input, cwd }), title: callTitle(input) };
}

/** The same for equal calls in equal places, however they were written. */
export function callKey(call: {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd: string;
}): string {
  return createHash('sha256')
    .update(`${call.tool}\0${call.cwd}\0${canonicalJson(call.input)}`)
    .digest('base64url')
    .slice(0, 32);
}

function nameOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= maxNameChars ? value : null;
}

/** The call's own id where that is one of its kind in the world, otherwise with its session. */
function idOf(value: unknown, session: string): string | null {
  const id = nameOf(value);
  if (id === null) return null;
  return id.length >= worldWideChars ? id : `${session}:${id}`;
}

function pathOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > maxPathChars || value.includes('\0')) return null;
  return /^(\/|\\\\|[A-Za-z]:[\\/])/.test(value) ? value : null;
}
