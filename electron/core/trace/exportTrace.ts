// A session's trace as a file to take along: everything in our own JSON, or spans for OpenTelemetry.
import { setImmediate as afterOthers } from 'node:timers/promises';
import type { Exported } from '#shared/api/trace';
import { fail, ok, type Result } from '#shared/util/result';
import { createRedactor, type Redactor, redact } from '../export/redact';
import { jsonCall, jsonHead } from './jsonTrace';
import { type Cleaner, otlpSpans, otlpTrace } from './otlpTrace';
import { type TraceDocument, type TraceSession, traceDocument } from './traceDocument';
import type { TraceLog } from './traceLog';

export const traceFormats = ['json', 'otlp'] as const;
export type TraceFormat = (typeof traceFormats)[number];

/** Characters of the log that one export reads; more would not fit into memory beside everything else. */
const mostChars = 200_000_000;

class TooLong extends Error {}

const untouched: Pick<Redactor, 'text' | 'value' | 'redactions'> = {
  text: (text) => text,
  value: (value) => value,
  redactions: () => [],
};

/** Makes an export. The error says why there is none. `callIds` null: all calls. */
export async function exportTrace(options: {
  readonly log: TraceLog;
  readonly session: TraceSession;
  readonly callIds: readonly string[] | null;
  readonly format: TraceFormat;
  readonly redact: boolean;
  /** The person's home folder. */
  readonly home: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly version: string;
}): Promise<Result<Exported>> {
  const { log, session, callIds, format, redact: redacted, home, now, version } = options;
  const places = { home, folders: [session.folder] };
  let chars = 0;
  try {
    const events = log.events(session.sessionId, (read) => {
      chars += read;
      if (chars > mostChars) throw new TooLong();
    });
    const document = await traceDocument({ session, events, callIds, now });
    const clean = redacted ? createRedactor(places) : untouched;
    const text = await (format === 'json' ? jsonText(document, clean) : otlpText(document, clean, version));
    const pictures = document.calls.filter(({ call }) => 'view' in call && call.view?.kind === 'image').length;
    return ok({
      name: fileName(redacted ? redact(session.title, places).text : session.title, { format, now }),
      mediaType: 'application/json',
      text,
      redactions: clean.redactions(),
      leftOut: pictures === 0 ? [] : [{ what: pictures === 1 ? 'picture' : 'pictures', count: pictures }],
    });
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    return fail(
      `The contents of this session's calls are longer than ${mostChars / 1_000_000} million characters, too long for one file. Filter its calls and export what is left.`,
    );
  }
}

async function jsonText(document: TraceDocument, clean: Cleaner): Promise<string> {
  const head = clean.value(jsonHead(document));
  const calls = await inTurns(document.calls, (call) => [clean.value(jsonCall(call, document.exportedAt))]);
  return `${JSON.stringify({ ...(typeof head === 'object' ? head : {}), calls }, null, 2)}\n`;
}

async function otlpText(document: TraceDocument, clean: Cleaner, version: string): Promise<string> {
  const spans = otlpSpans(document, clean);
  const all = [...spans.around(), ...(await inTurns(document.calls, spans.ofCall))];
  return `${JSON.stringify(otlpTrace(all, version))}\n`;
}

/** How long others may be held up, in milliseconds. */
const turnMs = 12;

/** Works through a list and lets others have their turn in between. */
async function inTurns<Item, Made>(items: readonly Item[], make: (item: Item) => readonly Made[]): Promise<Made[]> {
  const made: Made[] = [];
  let turn = performance.now();
  for (const item of items) {
    made.push(...make(item));
    if (performance.now() - turn < turnMs) continue;
    await afterOthers();
    turn = performance.now();
  }
  return made;
}

function fileName(title: string, { format, now }: { readonly format: TraceFormat; readonly now: number }): string {
  const about = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 50);
  const day = new Date(now).toISOString().slice(0, 10);
  return ['trace', about, day].filter((part) => part !== '').join('-') + (format === 'otlp' ? '.otlp.json' : '.json');
}
