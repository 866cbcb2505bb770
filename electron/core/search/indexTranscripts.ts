// Texts of transcripts: only what came since the last time is read, as long as a file is the one it was.
import { closeSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import { z } from 'zod';
import { continues, type FoundFile, openGrowing, printOf, type ReadFile } from '../history/import/growingFile';
import { LineSplitter } from '../history/import/lineSplitter';
import { resultOutcome } from '../history/import/resultOutcome';
import type { TranscriptFile } from '../history/import/transcriptFiles';
import { assistantBlock, resultBlocks } from '../transcripts/blocks';
import { type Line, lineOf, parseLine, stringOf } from '../transcripts/line';
import { endsOf, persistedIn } from '../transcripts/persistedOutput';
import { besideOf } from '../transcripts/readTranscript';
import type { FoundTranscript } from '../transcripts/shelf';
import { userText } from '../transcripts/userText';
import type { Part, SearchIndex } from './searchIndex';
import { bounds, inputText, keptBytes, searchText } from './searchText';

interface FileRow extends ReadFile {
  readonly id: number;
  readonly conversation: number;
  readonly path: string;
  readonly context: string;
}

const pieceBytes = 512 * 1024;
const removedAtOnce = 300;
/** Messages and calls that lines to come may still belong to. */
const maxMessages = 30;
const maxOpen = 300;

/** What the lines before say of those that come. */
const Context = z.object({
  /** Blocks that a message has so far: calls are named by their place among them. */
  blocks: z.record(z.string(), z.number()).default({}),
  calls: z
    .record(z.string(), z.object({ tool: z.string(), messageId: z.string().nullable(), callId: z.string() }))
    .default({}),
});
type Context = z.infer<typeof Context>;

export class TranscriptIndexer {
  private readonly statements;

  constructor(
    private readonly database: Database.Database,
    private readonly index: SearchIndex,
  ) {
    this.statements = {
      all: database.prepare<[], FileRow>('select * from files'),
      find: database.prepare<[string], FileRow>('select * from files where path = ?'),
      add: database.prepare<[number, string, string]>(
        "insert into files (conversation, path, identity, size, changed_at, done, print, context) values (?, ?, ?, -1, 0, 0, '', '{}')",
      ),
      save: database.prepare<[number, number, number, string, string, number]>(
        'update files set size = ?, changed_at = ?, done = ?, print = ?, context = ? where id = ?',
      ),
      remove: database.prepare<[number]>('delete from files where id = ?'),
      filesOf: database.prepare<[number], { files: number }>(
        'select count(*) as files from files where conversation = ?',
      ),
    };
  }

  isUpToDate(file: TranscriptFile): boolean {
    const row = this.statements.find.get(file.path);
    return (
      row !== undefined && row.identity === file.identity && row.size === file.size && row.changed_at === file.changedAt
    );
  }

  /** Takes out what is no longer there. */
  *removeGone(isThere: (path: string) => boolean): Generator<undefined> {
    for (const row of this.statements.all.all()) if (!isThere(row.path)) yield* this.remove(row);
  }

  /** Reads what is new in a file. Throws the errno error when it cannot be read. */
  *read(file: TranscriptFile, of: Pick<FoundTranscript, 'id' | 'title' | 'folder'>): Generator<undefined> {
    const opened = openGrowing(file.path);
    if (opened === null) return;
    const { handle, found } = opened;
    try {
      let row = this.statements.find.get(file.path);
      if (row !== undefined && !continues(row, found, handle)) {
        yield* this.remove(row);
        row = undefined;
      }
      const { id: key, title, folder } = of;
      const conversation = this.index.conversation({ kind: 'transcript', key, title, folder });
      if (row === undefined) {
        this.statements.add.run(conversation.id, file.path, found.identity);
        row = this.statements.find.get(file.path);
      }
      if (row !== undefined) yield* this.readFrom(row, { file, found, handle });
    } finally {
      closeSync(handle);
    }
  }

  private *remove(row: FileRow): Generator<undefined> {
    while (this.index.removeSome({ conversation: row.conversation, file: row.id }, removedAtOnce)) yield;
    this.statements.remove.run(row.id);
    if ((this.statements.filesOf.get(row.conversation)?.files ?? 0) === 0) this.index.remove(row.conversation);
  }

  private *readFrom(
    row: FileRow,
    about: { readonly file: TranscriptFile; readonly found: FoundFile; readonly handle: number },
  ): Generator<undefined> {
    const { file, found, handle } = about;
    const context = contextOf(row.context);
    const splitter = new LineSplitter();
    const place = { conversation: row.conversation, file: row.id };
    const taker = new LineTaker(context, file);
    for (let at = row.done; ; ) {
      const piece = Buffer.allocUnsafe(pieceBytes);
      const length = at < found.size ? readSync(handle, piece, 0, Math.min(pieceBytes, found.size - at), at) : 0;
      at += length;
      const parts: Part[] = [];
      splitter.push(piece.subarray(0, length), (line) => {
        if (line !== null) parts.push(...taker.take(line));
      });
      const done = row.done + splitter.completeBytes;
      const isEnd = length === 0;
      this.database.transaction(() => {
        this.index.add(place, parts);
        forgetOldest(context);
        // Not up to date before its end: a reading that breaks off goes on from here.
        const [size, changedAt] = isEnd ? [found.size, found.changedAt] : [-1, 0];
        this.statements.save.run(size, changedAt, done, printOf(handle, done), JSON.stringify(context), row.id);
      })();
      yield;
      if (isEnd) return;
    }
  }
}

/** Turns lines into what can be found. */
class LineTaker {
  private readonly resultFolder: string;

  constructor(
    private readonly context: Context,
    private readonly file: TranscriptFile,
  ) {
    const beside = file.isSubagent ? dirname(dirname(file.path)) : besideOf(file.path);
    this.resultFolder = join(beside, 'tool-results');
  }

  take(bytes: Buffer): Part[] {
    const fields = parseLine(bytes);
    if (fields === null || fields === undefined) return [];
    const line = lineOf(fields);
    const { message } = line;
    if (message === null || line.isFault || line.isSummary) return [];
    const about = { at: line.at ?? this.file.changedAt, isAgent: this.file.isSubagent || line.isSidechain };
    return message.role === 'user' ? this.user(line, about) : this.answer(line, about);
  }

  private user(line: Line, { at, isAgent }: About): Part[] {
    return (line.message?.content ?? []).flatMap((block): Part[] => {
      if (block.type === 'tool_result') {
        const id = stringOf(block.tool_use_id);
        const call = Object.hasOwn(this.context.calls, id) ? this.context.calls[id] : undefined;
        if (call === undefined) return [];
        delete this.context.calls[id];
        const { tool, messageId, callId } = call;
        const verdict = resultOutcome(block, line.refusal) === 'refused' ? 'deny' : null;
        return [{ at, part: 'output', tool, verdict, messageId, callId, text: this.outputText(block.content) }];
      }
      if (block.type !== 'text' || typeof block.text !== 'string' || line.isMeta) return [];
      const text = searchText(userText(block.text).said, bounds.message);
      return [{ ...nobody, at, part: 'message', messageId: isAgent ? null : line.uuid, text }];
    });
  }

  private answer(line: Line, { at, isAgent }: About): Part[] {
    const { blocks, calls } = this.context;
    const key = line.message?.id ?? line.uuid;
    if (key === null || line.message === null || line.message.model === '<synthetic>') return [];
    const messageId = isAgent ? null : key;
    return line.message.content.flatMap((given): Part[] => {
      const block = assistantBlock(given);
      if (block === null) return [];
      const index = Object.hasOwn(blocks, key) ? (blocks[key] ?? 0) : 0;
      blocks[key] = index + 1;
      if (block.type === 'text')
        return [{ ...nobody, at, part: 'answer', messageId, text: searchText(block.text, bounds.message) }];
      if (block.type !== 'tool_use') return [];
      const callId = `${key}.${index}`;
      calls[block.id] = { tool: block.name, messageId, callId };
      const text = searchText(inputText(block.name, block.input), bounds.call);
      return [{ at, part: 'call', tool: block.name, verdict: null, messageId, callId, text }];
    });
  }

  private outputText(content: unknown): string {
    const blocks = resultBlocks(content, new Map());
    const persisted = persistedIn(blocks, this.resultFolder);
    const kept = persisted === null ? null : endsOf(persisted.file, keptBytes);
    if (kept !== null) return searchText(`${kept.head}\n…\n${kept.tail}`, keptBytes);
    return searchText(blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'), bounds.output);
  }
}

interface About {
  readonly at: number;
  readonly isAgent: boolean;
}

const nobody = { tool: null, verdict: null, callId: null } as const;

function contextOf(json: string): Context {
  try {
    return Context.parse(JSON.parse(json));
  } catch {
    return { blocks: {}, calls: {} };
  }
}

function forgetOldest({ blocks, calls }: Context): void {
  for (const [record, most] of [
    [blocks, maxMessages],
    [calls, maxOpen],
  ] as const) {
    const ids = Object.keys(record);
    for (const id of ids.slice(0, Math.max(0, ids.length - most))) delete record[id];
  }
}
