// A command on a terminal of its own, without the loss that node-pty has on Linux: at hang-up it may drop what the
// kernel still holds. So the other end of the terminal is kept open here, and once the child is gone a random mark is
// written into it; whatever comes before the mark is the whole output.
import { spawn as spawnProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { type IPty, spawn } from 'node-pty';
import { errnoOf } from './failure';
import { findProgram, systemPath } from './programs';

/** How soon the end of the child is looked for again; node-pty itself tells only after the terminal is closed. */
const shortestLookMs = 1;
const longestLookMs = 10;
/** The longer it runs, the less a moment matters. */
const lookShare = 0.02;
/** Between tries to write the mark. */
const markRetryMs = 3;
/** A terminal that was silent for so long after the mark was written swallows it: a program turned its output off. */
const markPatienceMs = 2_000;
const rows = 40;
/** Bytes that are handed on at once at most. */
const blockBytes = 262_144;
/** A read that brings less has emptied the terminal. */
const fullRead = 3_000;

export interface PtyOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  /** Output as it came, in order; the bytes are good during the call only. */
  readonly onBytes: (bytes: Buffer) => void;
  /** Runs once when the child is gone, before the output is closed: ends what else writes to the terminal. */
  readonly onGone: () => Promise<void>;
}

export interface PtyExit {
  readonly exitCode: number;
  /** Signal number, 0 when it exited by itself. */
  readonly signal: number;
}

export interface PtyProcess {
  readonly pid: number;
  /** Resolves after the last text was handed on. */
  readonly exit: Promise<PtyExit>;
  /**
   * Makes a flood quicker: from now on the terminal passes bytes on as they are, instead of looking at each for line feeds
   * to put a return before. Costs a process, so it is of use only when there is much to come.
   */
  quicken(): void;
}

/** Starts a program on a new terminal. Program and folder must exist: node-pty would only print a line about it. */
export function startPty(options: PtyOptions): PtyProcess {
  const pty = spawn(options.file, [...options.args], {
    name: options.env.TERM ?? 'xterm-256color',
    cols: options.columns,
    rows,
    cwd: options.cwd,
    env: { ...options.env },
    encoding: null,
  });
  const reader = new MarkedReader(pty, options.onBytes);
  let gone: Promise<void> | undefined;
  const childGone = () => {
    // Never while this function still runs: a quick child is gone before its number was told to anybody.
    gone ??= Promise.resolve().then(options.onGone);
    return gone;
  };
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    if (isAlive(pty.pid)) timer = setTimeout(look, nextLookMs(performance.now() - startedAt));
    else void childGone().finally(() => reader.writeMark());
  };
  look();
  const exit = new Promise<PtyExit>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      clearTimeout(timer);
      void childGone().finally(() => {
        reader.close();
        resolve({ exitCode, signal: signal ?? 0 });
      });
    });
  });
  return {
    pid: pty.pid,
    exit,
    quicken: () => {
      if (gone === undefined) reader.quicken();
    },
  };
}

/** Used by all terminals in turn: whoever is handed bytes is done with them when the call returns. */
let block: Buffer | undefined;

/** Reads a terminal up to the mark. */
class MarkedReader {
  private readonly mark = Buffer.from(`\u001b]9;${randomBytes(12).toString('hex')}\u0007`, 'latin1');
  private readonly onBytes: (bytes: Buffer) => void;
  private held: number | undefined;
  private readonly allowClose: () => void;
  private patience: NodeJS.Timeout | undefined;
  private marking = false;
  private written = 0;
  private ended = false;
  /** Bytes that may be the start of the mark. */
  private kept: Buffer = Buffer.alloc(0);

  constructor(pty: IPty, onBytes: (bytes: Buffer) => void) {
    this.onBytes = onBytes;
    this.held = holdOpen(pty);
    this.allowClose = this.held === undefined ? () => undefined : deferClose(pty);
    const descriptor: unknown = Reflect.get(pty, 'fd');
    pty.onData((data: unknown) => {
      const bytes = Buffer.isBuffer(data) ? data : Buffer.from(String(data), 'latin1');
      if (bytes.length < fullRead || typeof descriptor !== 'number') this.take(bytes);
      else this.drain(bytes, descriptor);
    });
  }

  /** See PtyProcess. */
  quicken(): void {
    const program = findProgram('stty', systemPath);
    if (this.held === undefined || program === undefined) return;
    const stty = spawnProcess(program, ['-opost'], { stdio: [this.held, 'ignore', 'ignore'] });
    // Without it the output only comes more slowly.
    stty.on('error', () => undefined);
  }

  /** Writes the mark, in several tries when the terminal's buffer is full. */
  writeMark(): void {
    if (this.held === undefined) return;
    // A terminal that takes nothing was stopped by the command, and is waited for no longer than one that gives nothing.
    if (!this.marking) this.wait();
    this.marking = true;
    try {
      this.written += writeSync(this.held, this.mark, this.written);
      this.wait();
    } catch (error) {
      if (errnoOf(error) !== 'EAGAIN') {
        this.release();
        return;
      }
    }
    if (this.written < this.mark.length) setTimeout(() => this.writeMark(), markRetryMs);
  }

  /** The terminal is closed: what was held back was output after all. */
  close(): void {
    if (!this.ended) this.end(this.kept);
  }

  /**
   * A terminal gives at most 4 KiB at a time, and a turn of the event loop for each would cost more than all the rest. So
   * what is there is read at once, up to a block.
   */
  private drain(first: Buffer, descriptor: number): void {
    block ??= Buffer.allocUnsafeSlow(blockBytes);
    first.copy(block);
    let length = first.length;
    while (length + 4_096 <= blockBytes) {
      const got = readNow(descriptor, block, length);
      length += got;
      if (got < fullRead) break;
    }
    this.take(block.subarray(0, length));
  }

  private take(bytes: Buffer): void {
    if (this.ended) return;
    if (!this.marking) {
      this.pass(bytes);
      return;
    }
    this.wait();
    const all = Buffer.concat([this.kept, bytes]);
    const at = all.indexOf(this.mark);
    if (at >= 0) {
      this.end(all.subarray(0, at));
      return;
    }
    const safe = Math.max(0, all.length - (this.mark.length - 1));
    this.pass(all.subarray(0, safe));
    this.kept = Buffer.from(all.subarray(safe));
  }

  private wait(): void {
    clearTimeout(this.patience);
    this.patience = setTimeout(() => this.close(), markPatienceMs);
  }

  private pass(bytes: Buffer): void {
    if (bytes.length > 0) this.onBytes(bytes);
  }

  private end(last: Buffer): void {
    this.ended = true;
    this.pass(last);
    this.release();
  }

  private release(): void {
    clearTimeout(this.patience);
    if (this.held !== undefined) closeSync(this.held);
    this.held = undefined;
    this.allowClose();
  }
}

/**
 * node-pty closes its end 200 ms after the child's end, and on a busy machine not all is read by then (a read brings
 * 4 KB at most). So the closing is put off until the answer is called.
 */
function deferClose(pty: IPty): () => void {
  const socket: unknown = Reflect.get(pty, '_socket');
  if (!(socket instanceof ReadStream)) return () => undefined;
  const destroy = socket.destroy.bind(socket);
  let allowed = false;
  let wanted = false;
  socket.destroy = (error?: Error) => {
    if (allowed || error !== undefined) return destroy(error);
    wanted = true;
    return socket;
  };
  return () => {
    allowed = true;
    if (wanted) destroy();
  };
}

function nextLookMs(runsForMs: number): number {
  return Math.min(longestLookMs, Math.max(shortestLookMs, runsForMs * lookShare));
}

/** Reads what is there; 0 when there is nothing, or when the terminal is closing, which node-pty will see as well. */
function readNow(descriptor: number, target: Buffer, at: number): number {
  try {
    return readSync(descriptor, target, at, target.length - at, null);
  } catch {
    return 0;
  }
}

/** Opens the terminal's other end; undefined where node-pty does not name it, and then its own end has to do. */
function holdOpen(pty: IPty): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const name: unknown = Reflect.get(pty, 'ptsName');
  if (typeof name !== 'string') return undefined;
  return openSync(name, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}
