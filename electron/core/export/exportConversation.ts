// A conversation to take along: of a session or of a transcript, in one of three forms, redacted unless asked otherwise.
import type Database from 'better-sqlite3';
import type { Exported } from '#shared/api/trace';
import { RpcError } from '#shared/rpc/errors';
import { reduceInto } from '#shared/session/reduce';
import { emptyState, type SessionState } from '#shared/session/state';
import { SessionStore } from '../sessions/store';
import { type LeftOut, writeConversation } from './conversationDocument';
import { htmlOf } from './conversationHtml';
import { jsonOf } from './conversationJson';
import { markdownOf } from './conversationMarkdown';
import { longestOutputs } from './conversationText';
import { createRedactor, type Redactor } from './redact';

export const conversationFormats = ['markdown', 'json', 'html'] as const;
export type ConversationFormat = (typeof conversationFormats)[number];

const forms = {
  markdown: { ending: 'md', mediaType: 'text/markdown' },
  json: { ending: 'json', mediaType: 'application/json' },
  html: { ending: 'html', mediaType: 'text/html' },
} as const;

/** Characters of an export; a page must take it at once. */
const mostChars = 16_000_000;
/** Characters of a log that are read for one. */
const mostLogChars = 200_000_000;

const untouched: Pick<Redactor, 'text' | 'value' | 'redactions'> = {
  text: (text) => text,
  value: (value) => value,
  redactions: () => [],
};

export interface ExportWish {
  readonly format: ConversationFormat;
  readonly redact: boolean;
  /** The person's home folder. */
  readonly home: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Called between steps; may wait. */
  readonly breathe: () => void | Promise<void>;
}

/** Makes an export. Throws RpcError `refused` when it would be too long, with what to do. */
export async function exportConversation(
  conversation: { readonly state: SessionState; readonly leftOut: ReadonlyMap<string, number> },
  wish: ExportWish,
): Promise<Exported> {
  const { state } = conversation;
  const { format, redact, home, now, breathe } = wish;
  const longest = longestOutput(state, format);
  if (longest === null) throw tooLong(format);
  const clean = redact ? createRedactor({ home, folders: [state.folder] }) : untouched;
  const leftOut: LeftOut = new Map(conversation.leftOut);
  const written = await writeConversation({ state, clean, leftOut, breathe });
  const day = new Date(now).toISOString().slice(0, 10);
  const remark = `Exported with Gatehouse on ${day}. ${redact ? 'Secrets, addresses and the home folder were taken out as far as they were recognised.' : 'Nothing was taken out.'}`;
  const text = {
    markdown: () => markdownOf(written, { remark, longest }),
    html: () => htmlOf(written, { remark, longest }),
    json: () => jsonOf(written, { redacted: redact, now }),
  }[format]();
  if (text.length > mostChars) throw tooLong(format);
  const { ending, mediaType } = forms[format];
  return {
    name: `${[slug(written.title) || 'conversation', day].join('-')}.${ending}`,
    mediaType,
    text,
    redactions: clean.redactions(),
    leftOut: [...leftOut].map(([what, count]) => ({ what, count })),
  };
}

/** How long an output may be so that all of it fits; null: it does not fit at all. */
function longestOutput(state: SessionState, format: ConversationFormat): number | null {
  const said = state.items.reduce((sum, item) => {
    if (item.kind === 'assistant')
      return sum + item.blocks.reduce((chars, block) => chars + (block.type === 'text' ? block.text.length : 0), 0);
    return sum + (item.kind === 'compaction' ? item.summary.length : item.text.length);
  }, 0);
  const outputs = Object.values(state.calls).map((call) => ('modelText' in call ? call.modelText.length : 0));
  const fits = (longest: number): boolean =>
    said + outputs.reduce((sum, chars) => sum + Math.min(chars, longest), 0) <= mostChars;
  const { usual, short } = longestOutputs;
  const lengths = format === 'json' ? [Number.POSITIVE_INFINITY] : [usual, short];
  return lengths.find(fits) ?? null;
}

/** The whole state of a session, read in pieces. Throws RpcError `notFound`, or `refused` when it is too long. */
export async function readSession(
  database: Database.Database,
  sessionId: string,
  breathe: () => void | Promise<void>,
): Promise<SessionState> {
  const store = new SessionStore(database, () => undefined);
  if (store.find(sessionId) === undefined) throw new RpcError('notFound', 'This session no longer exists.');
  const size = database
    .prepare<[string], { chars: number | null }>('select sum(length(body)) as chars from events where session_id = ?')
    .get(sessionId);
  if ((size?.chars ?? 0) > mostLogChars) throw tooLong('log');
  const state = emptyState();
  for (let since = 0; ; ) {
    let left = 200;
    const { events, through } = store.eventsWhile({ sessionId, since }, () => --left > 0);
    for (const event of events) reduceInto(state, event);
    if (through === since) return state;
    since = through;
    await breathe();
  }
}

function tooLong(what: ConversationFormat | 'log'): RpcError {
  const shorter = what === 'json' ? 'Export it as Markdown, which cuts long outputs, or' : 'To export a part of it,';
  return new RpcError(
    'refused',
    `This conversation is too long for one file. ${shorter} branch from one of its earlier messages and export the branch.`,
  );
}

function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/-+$/, '');
}
