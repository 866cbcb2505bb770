// What a transcript of Claude Code says of the files of results beside it. Read leniently: what is not understood is passed over.
import { setImmediate as afterOthers } from 'node:timers/promises';
import { isRecord } from '../../history/import/boundInput';
import { callTitle } from '../../history/import/callTitle';
import { LineSplitter } from '../../history/import/lineSplitter';
import { visibleText } from '../../tools/visibleText';
import { OpenedFile } from '../viewer/openedFile';
import { cut } from '../viewer/structured/preview';

const chunkBytes = 1_048_576;
const maxTitleChars = 120;

export interface TranscriptQuestion {
  /** The transcript, absolute. */
  readonly file: string;
  /** Names of the files of results of its session. */
  readonly names: readonly string[];
}

export interface TranscriptCall {
  readonly name: string;
  readonly callId: string;
  readonly tool: string;
  readonly what: string;
  /** Characters of it that came with the result; null where that is not said. */
  readonly previewChars: number | null;
  /** The last call that read the file, with its number in the transcript. */
  readonly readBy: { readonly callId: string; readonly number: number } | null;
}

export interface TranscriptCalls {
  readonly file: string;
  /** Empty where it has none. */
  readonly title: string;
  readonly folder: string;
  readonly calls: readonly TranscriptCall[];
}

/** Answers for each transcript that can be read. Between its pieces, others have their turn. */
export async function readTranscriptCalls(questions: readonly TranscriptQuestion[]): Promise<TranscriptCalls[]> {
  const answers: TranscriptCalls[] = [];
  for (const question of questions) {
    const read = await readOne(question);
    if (read !== null) answers.push(read);
  }
  return answers;
}

async function readOne({ file: path, names }: TranscriptQuestion): Promise<TranscriptCalls | null> {
  let file: OpenedFile;
  try {
    file = OpenedFile.open({ file: path });
  } catch {
    return null;
  }
  try {
    const reader = new Reader(names);
    const splitter = new LineSplitter();
    const chunk = Buffer.allocUnsafeSlow(chunkBytes);
    for (let position = 0; position < file.size; ) {
      const read = file.read(chunk, position);
      if (read === 0) break;
      splitter.push(chunk.subarray(0, read), (line) => line !== null && reader.take(line));
      position += read;
      await afterOthers();
    }
    if (splitter.rest !== null) reader.take(splitter.rest);
    return { file: path, ...reader.answer() };
  } catch {
    return null;
  } finally {
    file.close();
  }
}

const useMark = Buffer.from('"tool_use"');
const resultMark = Buffer.from('tool-results');
const userMark = Buffer.from('"user"');
const titleMarks = ['"summary"', '"custom-title"', '"ai-title"'].map((mark) => Buffer.from(mark));

interface Use {
  readonly number: number;
  readonly tool: string;
  readonly what: string;
  /** The file of results that it reads. */
  readonly reads: string | null;
}

class Reader {
  private readonly uses = new Map<string, Use>();
  private readonly found = new Map<string, { callId: string; previewChars: number | null }>();
  private readonly readBy = new Map<string, { callId: string; number: number }>();
  private readonly waiting = new Set<string>();
  private title = '';
  private firstWords = '';
  private folder = '';
  private count = 0;

  constructor(private readonly names: readonly string[]) {}

  /** Takes a line; most are not about what is wanted and are not parsed. */
  take(bytes: Buffer): void {
    const wanted =
      bytes.includes(useMark) ||
      bytes.includes(resultMark) ||
      (this.firstWords === '' && bytes.includes(userMark)) ||
      (bytes.length < 4_096 && titleMarks.some((mark) => bytes.includes(mark))) ||
      [...this.waiting].some((id) => bytes.includes(id));
    if (!wanted) return;
    let line: unknown;
    try {
      line = JSON.parse(bytes.toString('utf8'));
    } catch {
      return;
    }
    if (isRecord(line)) this.takeLine(line);
  }

  answer(): Omit<TranscriptCalls, 'file'> {
    const calls = this.names.flatMap((name): TranscriptCall[] => {
      const stem = name.replace(/\.[^.]*$/, '');
      const found = this.found.get(name) ?? (this.uses.has(stem) ? { callId: stem, previewChars: null } : null);
      if (found === null) return [];
      const use = this.uses.get(found.callId);
      const about = { tool: use?.tool ?? '', what: use?.what ?? '' };
      return [{ name, ...found, ...about, readBy: this.readBy.get(name) ?? null }];
    });
    return { title: this.title === '' ? this.firstWords : this.title, folder: this.folder, calls };
  }

  private takeLine(line: Readonly<Record<string, unknown>>): void {
    if (this.folder === '' && typeof line.cwd === 'string') this.folder = cut(visibleText(line.cwd), 4_096);
    const title = line.type === 'summary' ? line.summary : (line.customTitle ?? line.aiTitle);
    if (typeof title === 'string' && title.trim() !== '') this.title = shortened(title);
    const { message } = line;
    if (!isRecord(message)) return;
    if (line.type === 'user' && this.firstWords === '' && line.isMeta !== true)
      this.firstWords = wordsOf(message.content);
    if (!Array.isArray(message.content)) return;
    for (const block of message.content) {
      if (!isRecord(block)) continue;
      if (block.type === 'tool_use') this.takeUse(block);
      else if (block.type === 'tool_result') this.takeResult(block);
    }
  }

  private takeUse(block: Readonly<Record<string, unknown>>): void {
    this.count += 1;
    const { id, name, input } = block;
    if (typeof id !== 'string' || typeof name !== 'string' || !isRecord(input)) return;
    const path = name === 'Read' && typeof input.file_path === 'string' ? input.file_path : null;
    const reads = path === null ? null : (this.names.find((one) => path.endsWith(`/tool-results/${one}`)) ?? null);
    if (reads !== null) this.waiting.add(id);
    const what = callTitle(input);
    this.uses.set(id, { number: this.count, tool: cut(visibleText(name), 200), what, reads });
  }

  private takeResult(block: Readonly<Record<string, unknown>>): void {
    const id = block.tool_use_id;
    if (typeof id !== 'string') return;
    this.waiting.delete(id);
    const use = this.uses.get(id);
    if (use?.reads !== null && use?.reads !== undefined && block.is_error !== true)
      this.readBy.set(use.reads, { callId: id, number: use.number });
    const text = textOf(block.content);
    if (!text.includes('tool-results')) return;
    const name = this.names.find((one) => text.includes(`tool-results/${one}`));
    if (name === undefined || this.found.has(name) || use?.reads === name) return;
    const preview =
      /<persisted-output>[\s\S]*?\n\s*preview[^\n]*:\n([\s\S]*?)(?:\n\.\.\.)?\n?<\/persisted-output>/i.exec(text);
    this.found.set(name, { callId: id, previewChars: preview?.[1]?.length ?? null });
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((block) => (isRecord(block) && typeof block.text === 'string' ? block.text : '')).join('\n');
}

/** What a person said first, without what programs put there. */
function wordsOf(content: unknown): string {
  const text = textOf(content).trim();
  return text === '' || text.startsWith('<') ? '' : shortened(text);
}

const shortened = (text: string): string =>
  cut(
    visibleText(
      text
        .slice(0, maxTitleChars * 4)
        .replaceAll(/\s+/g, ' ')
        .trim(),
    ),
    maxTitleChars,
  );
