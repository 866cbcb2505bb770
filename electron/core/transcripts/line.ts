// One line of a transcript as far as its conversation goes. Read leniently; what it does not know is left out, never a fault.
import { isRecord } from '../history/import/boundInput';

export type Fields = Readonly<Record<string, unknown>>;

export interface MessageFields {
  readonly id: string | null;
  readonly role: string;
  readonly model: string;
  readonly content: readonly Fields[];
  readonly stopReason: string | null;
  readonly usage: Fields | null;
}

export interface Line {
  readonly type: string;
  readonly uuid: string | null;
  /** The line that it follows; null: it begins a thread. */
  readonly parent: string | null;
  readonly isSidechain: boolean;
  readonly agentId: string | null;
  /** Epoch milliseconds; null: it does not say. */
  readonly at: number | null;
  readonly isMeta: boolean;
  readonly isSummary: boolean;
  readonly isFault: boolean;
  readonly message: MessageFields | null;
  /** What the tool said to the program, as far as it is shown. */
  readonly result: ResultFacts | null;
  /** By which a refused call is told from a failed one. */
  readonly refusal: Fields;
  readonly system: SystemFacts | null;
}

export interface ResultFacts {
  readonly agentId: string | null;
  readonly patch: readonly unknown[] | null;
  readonly created: boolean;
}

export interface SystemFacts {
  readonly subtype: string;
  readonly text: string;
  readonly trigger: string;
  readonly tokensBefore: number;
}

/** A title that the file gives itself, and how much it counts: the person's own word most. */
export interface TitleFact {
  readonly title: string;
  readonly rank: number;
}

const open = 0x7b;
const close = 0x7d;
const carriageReturn = 0x0d;

/** The parsed object of a line; `null` for one that is blank, `undefined` for one that is damaged. */
export function parseLine(line: Buffer): Fields | null | undefined {
  const bytes = line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
  if (bytes.length === 0) return null;
  if (bytes[0] !== open || bytes.at(-1) !== close) return undefined;
  try {
    const parsed: unknown = JSON.parse(bytes.toString('utf8'));
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** What a line says about the conversation. */
export function lineOf(fields: Fields): Line {
  const { toolUseResult } = fields;
  const type = stringOf(fields.type);
  return {
    type,
    uuid: nameOf(fields.uuid),
    parent: nameOf(fields.parentUuid) ?? nameOf(fields.logicalParentUuid),
    isSidechain: fields.isSidechain === true,
    agentId: nameOf(fields.agentId),
    at: timeOf(fields),
    isMeta: fields.isMeta === true,
    isSummary: fields.isCompactSummary === true,
    isFault: fields.isApiErrorMessage === true,
    message: messageOf(fields.message, type),
    result: isRecord(toolUseResult) ? resultFacts(toolUseResult) : null,
    refusal: {
      toolDenialKind: fields.toolDenialKind,
      non_execution_kind: fields.non_execution_kind,
      ...(typeof toolUseResult === 'string' ? { toolUseResult: toolUseResult.slice(0, 100) } : {}),
    },
    system: type === 'system' ? systemFacts(fields) : null,
  };
}

/** Epoch milliseconds of a line; null: it does not say. */
export function timeOf({ timestamp }: Fields): number | null {
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return Number.isFinite(at) && at > 0 ? at : null;
}

/** The title that a line gives its file; null: none. */
export function titleOf(fields: Fields): TitleFact | null {
  switch (fields.type) {
    case 'custom-title':
      return titled(fields.customTitle ?? fields.title, 3);
    case 'ai-title':
      return titled(fields.aiTitle ?? fields.title, 2);
    case 'summary':
      return titled(fields.summary, 1);
    default:
      return null;
  }
}

/** The folder that a line names; null: none, or no absolute path. */
export function folderOf({ cwd }: Fields): string | null {
  if (typeof cwd !== 'string' || cwd.length > 4_096 || cwd.includes('\0')) return null;
  return /^(\/|\\\\|[A-Za-z]:[\\/])/.test(cwd) ? cwd : null;
}

function titled(value: unknown, rank: number): TitleFact | null {
  return typeof value === 'string' && value.trim() !== '' ? { title: value, rank } : null;
}

function messageOf(value: unknown, type: string): MessageFields | null {
  if (!isRecord(value) || (type !== 'user' && type !== 'assistant')) return null;
  const { content } = value;
  const blocks =
    typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : Array.isArray(content)
        ? content.filter(isRecord)
        : null;
  if (blocks === null) return null;
  return {
    id: nameOf(value.id),
    role: type,
    model: stringOf(value.model),
    content: blocks,
    stopReason: nameOf(value.stop_reason),
    usage: isRecord(value.usage) ? value.usage : null,
  };
}

function resultFacts(value: Fields): ResultFacts {
  return {
    agentId: nameOf(value.agentId),
    patch: Array.isArray(value.structuredPatch) ? value.structuredPatch : null,
    created: value.type === 'create',
  };
}

function systemFacts(fields: Fields): SystemFacts {
  const compact = isRecord(fields.compactMetadata) ? fields.compactMetadata : {};
  return {
    subtype: stringOf(fields.subtype),
    text: stringOf(fields.content),
    trigger: stringOf(compact.trigger),
    tokensBefore: countOf(compact.preTokens),
  };
}

/** A whole number that is not negative; 0 for anything else. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function nameOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= 200 ? value : null;
}
