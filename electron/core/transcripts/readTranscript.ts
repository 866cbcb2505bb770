// Reads a whole transcript with the files of its sub-agents: in pieces, so that others have their turn.
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../history/import/boundInput';
import { LineSplitter } from '../history/import/lineSplitter';
import { type Line, lineOf, parseLine } from './line';
import { newestThread, sidechains } from './thread';
import { type AgentLines, type TranscriptParts, transcriptEvents } from './transcriptEvents';

const pieceBytes = 512 * 1024;
/** Images and outputs are part of a line; a line that is longer is none. */
const maxLineBytes = 64 * 1024 * 1024;
/** More than this of one conversation is not held in memory. */
const maxBytes = 1024 * 1024 * 1024;
const maxAgentFiles = 2_000;
const maxMetaBytes = 64 * 1024;

/** Called between pieces; may wait. */
export type Breathe = () => void | Promise<void>;

export interface ReadTranscript extends ReturnType<typeof transcriptEvents> {
  /** Lines that could not be understood. */
  readonly skipped: number;
}

export interface TranscriptPlace {
  /** Absolute, of a file that was found below the folder of transcripts. */
  readonly path: string;
  readonly session: string;
  readonly title: string;
  readonly folder: string;
  readonly changedAt: number;
}

/** The folder beside a transcript that holds what belongs to it. */
export const besideOf = (path: string): string => path.replace(/\.jsonl$/, '');

/** Reads a transcript. Rejects with the errno error when it cannot be read. */
export async function readTranscript(place: TranscriptPlace, breathe: Breathe): Promise<ReadTranscript> {
  const own = await readLines(place.path, breathe);
  const agents: AgentLines[] = sidechains(own.lines).map((lines) => ({
    lines,
    agentId: lines[0]?.agentId ?? null,
    mentions: new Set<string>(),
  }));
  let { skipped } = own;
  for (const { file, name, mentions } of agentFiles(place)) {
    const read = await readLines(file, breathe).catch(() => null);
    if (read === null) continue;
    skipped += read.skipped;
    // In a file of its own everything is the agent's.
    const lines = newestThread(read.lines.map((line) => ({ ...line, isSidechain: false })));
    agents.push({ lines, agentId: name, mentions });
  }
  const parts: TranscriptParts = {
    title: place.title,
    folder: place.folder,
    lines: newestThread(own.lines),
    agents,
    resultFolder: join(besideOf(place.path), 'tool-results'),
    at: place.changedAt,
  };
  await breathe();
  return { ...transcriptEvents(parts), skipped };
}

async function readLines(path: string, breathe: Breathe): Promise<{ lines: Line[]; skipped: number }> {
  // Neither a link nor a pipe that came in its place meanwhile.
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) return { lines: [], skipped: 0 };
    const size = Math.min(stats.size, maxBytes);
    const splitter = new LineSplitter(maxLineBytes);
    const lines: Line[] = [];
    let skipped = 0;
    const take = (bytes: Buffer | null): void => {
      const fields = bytes === null ? undefined : parseLine(bytes);
      if (fields === undefined) skipped += 1;
      else if (fields !== null) lines.push(lineOf(fields));
    };
    for (let at = 0; at < size; ) {
      const piece = Buffer.allocUnsafe(Math.min(pieceBytes, size - at));
      const length = readSync(handle, piece, 0, piece.length, at);
      if (length === 0) break;
      at += length;
      splitter.push(piece.subarray(0, length), take);
      await breathe();
    }
    const { rest } = splitter;
    // The last line may still be being written.
    const last = rest === null || rest.length === 0 ? null : (parseLine(rest) ?? null);
    if (last !== null) lines.push(lineOf(last));
    return { lines, skipped };
  } finally {
    closeSync(handle);
  }
}

interface AgentFile {
  readonly file: string;
  readonly name: string;
  readonly mentions: ReadonlySet<string>;
}

/** Files of sub-agents beside the transcript; links count for nothing. */
function agentFiles({ path }: TranscriptPlace): AgentFile[] {
  const folder = join(besideOf(path), 'subagents');
  try {
    if (!lstatSync(folder).isDirectory()) return [];
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && /^agent-.+\.jsonl$/.test(entry.name))
      .slice(0, maxAgentFiles)
      .map((entry) => {
        const file = join(folder, entry.name);
        const name = entry.name.slice('agent-'.length, -'.jsonl'.length);
        return { file, name, mentions: mentionsIn(file.replace(/\.jsonl$/, '.meta.json')) };
      });
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}

/** All short texts in a small JSON file: one of them may be the id of a call. */
function mentionsIn(file: string): ReadonlySet<string> {
  const texts = new Set<string>();
  try {
    const stats = lstatSync(file);
    if (!stats.isFile() || stats.size > maxMetaBytes) return texts;
    const meta: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isRecord(meta))
      for (const value of Object.values(meta)) if (typeof value === 'string' && value.length <= 200) texts.add(value);
  } catch {
    // Without it the text of the task tells whose it is.
  }
  return texts;
}
