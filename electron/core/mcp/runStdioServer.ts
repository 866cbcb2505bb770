// Starts a stdio server and speaks with it line by line. The server is hostile: what it prints is bounded, stray text on
// the protocol stream is skipped, a flood ends it, and everything that it started ends with it.
import { type ChildProcess, spawn } from 'node:child_process';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { ServerOutput } from './serverOutput';

/** Longest message, in bytes. */
const maxLineBytes = 16 * 1024 * 1024;
/** What may come within `floodWindowMs` beside answers: more is a flood. */
const floodWindowMs = 10_000;
const maxStrayBytes = 16 * 1024 * 1024;
const maxMessages = 50_000;
/** Messages handled before everything else gets its turn again. */
const messagesAtOnce = 200;
/** Bytes that may wait for a server that does not read. */
const maxUnread = 64 * 1024 * 1024;

/** From the end of its input to TERM, and from TERM to KILL, in milliseconds. */
const leaveMs = 500;
const graceMs = 1_000;
/** After its end, what lies in its pipe is still read for so long: a child of it may hold the pipe open for ever. */
const drainMs = 150;

export interface StdioServerOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Everything that the process sees. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly platform: 'linux' | 'darwin' | 'win32' | 'other';
  readonly output: ServerOutput;
  /** Throws for what is no message. Given, because the library is loaded with the first server alone. */
  readonly parse: (value: unknown) => JSONRPCMessage;
}

export class StdioServer implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  /** Why it ended, in words; empty while it runs or when it was asked to end. */
  endedBecause = '';

  private child: ChildProcess | null = null;
  private lines: Buffer[] = [];
  private lineBytes = 0;
  private readonly waiting: Buffer[] = [];
  private handling = false;
  private closing: Promise<void> | null = null;
  private closed = false;
  private window = { from: 0, stray: 0, messages: 0 };

  constructor(private readonly options: StdioServerOptions) {}

  get pid(): number | null {
    return this.child?.pid ?? null;
  }

  start(): Promise<void> {
    const { command, args, env, cwd, platform } = this.options;
    return new Promise((resolve, reject) => {
      let child: ChildProcess;
      try {
        child = spawn(command, [...args], {
          cwd,
          env: { ...env },
          // A session and process group of its own: one signal reaches all that it started.
          detached: platform !== 'win32',
          windowsHide: true,
          stdio: ['pipe', 'pipe', 'pipe'],
        });
      } catch (error) {
        reject(error);
        return;
      }
      this.child = child;
      child.once('spawn', () => resolve());
      child.once('error', (error) => {
        const missing = 'code' in error && error.code === 'ENOENT';
        const cause = missing
          ? `there is no program “${command}”${platform === 'win32' ? '; scripts such as npx need cmd /c before them' : ''}`
          : error.message;
        this.endedBecause ||= `it could not be started: ${cause}`;
        reject(new Error(this.endedBecause));
        this.finish();
      });
      child.once('exit', (code, signal) => {
        this.endedBecause ||= signal === null ? `it exited with code ${code ?? 0}` : `it was ended by ${signal}`;
        const drained = setTimeout(() => this.finish(), drainMs);
        child.stdout?.once('end', () => {
          clearTimeout(drained);
          setImmediate(() => this.finish());
        });
      });
      child.stdin?.on('error', () => undefined);
      child.stderr?.on('error', () => undefined);
      child.stderr?.on('data', (chunk: Buffer) => this.options.output.add(chunk));
      child.stdout?.on('error', () => undefined);
      child.stdout?.on('data', (chunk: Buffer) => this.read(chunk));
      child.stdout?.once('end', () => {
        // Most often it is about to exit; without its output there is nothing else to wait for.
        setTimeout(() => {
          if (child.exitCode === null && child.signalCode === null) this.endedBecause ||= 'it closed its output';
          void this.close();
        }, drainMs);
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.child?.stdin;
    if (this.closed || this.closing !== null || stdin == null || !stdin.writable)
      return Promise.reject(new Error('connection closed'));
    if (stdin.writableLength > maxUnread) {
      this.stop('it does not read what it is sent');
      return Promise.reject(new Error('connection closed'));
    }
    stdin.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  /** Ends it with everything that it started. Idempotent; resolves when its process is gone. */
  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    const { child } = this;
    if (child === null || child.pid === undefined) {
      this.finish();
      return;
    }
    const gone = new Promise<void>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) resolve();
      else child.once('exit', () => resolve());
    });
    child.stdin?.end();
    if (!(await within(gone, leaveMs))) {
      endGroup(child, this.options.platform, 'SIGTERM');
      await within(gone, graceMs);
    }
    // Whatever is left of the group goes, too.
    endGroup(child, this.options.platform, 'SIGKILL');
    await within(gone, graceMs);
    this.finish();
  }

  private stop(why: string): void {
    this.endedBecause ||= why;
    this.waiting.length = 0;
    this.lines = [];
    this.lineBytes = 0;
    this.child?.stdout?.destroy();
    if (this.child !== null) endGroup(this.child, this.options.platform, 'SIGKILL');
    void this.close();
    this.finish();
  }

  private finish(): void {
    if (this.closed) return;
    if (this.waiting.length > 0) {
      this.handle(Number.POSITIVE_INFINITY);
    }
    this.closed = true;
    void this.close();
    this.onclose?.();
  }

  private read(chunk: Buffer): void {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(10, from);
      if (end === -1) break;
      this.lines.push(chunk.subarray(from, end));
      this.waiting.push(this.lines.length === 1 ? (this.lines[0] ?? chunk) : Buffer.concat(this.lines));
      this.lines = [];
      this.lineBytes = 0;
      from = end + 1;
    }
    if (from < chunk.length) {
      this.lines.push(chunk.subarray(from));
      this.lineBytes += chunk.length - from;
      if (this.lineBytes > maxLineBytes) this.stop('it sent a message of more than 16 MB');
    }
    this.handleSoon();
  }

  private handleSoon(): void {
    if (this.handling || this.waiting.length === 0) return;
    this.handling = true;
    this.handle(messagesAtOnce);
    // Until these are through nothing more is read, so that a flood fills no memory and everything else gets its turn.
    if (this.waiting.length > 0) this.child?.stdout?.pause();
    setImmediate(() => {
      this.handling = false;
      if (this.waiting.length > 0) this.handleSoon();
      else if (!this.closed) this.child?.stdout?.resume();
    });
  }

  private handle(atMost: number): void {
    for (const line of this.waiting.splice(0, Math.min(atMost, this.waiting.length))) {
      if (this.closed) return;
      if (this.isFlood()) return;
      const message = messageOf(line, this.options.parse);
      if (message !== null) this.onmessage?.(message);
      else if (line.length > 0) {
        this.window.stray += line.length;
        this.options.output.stray(line);
      }
    }
  }

  private isFlood(): boolean {
    const now = performance.now();
    if (now - this.window.from > floodWindowMs) this.window = { from: now, stray: 0, messages: 0 };
    this.window.messages += 1;
    if (this.window.messages <= maxMessages && this.window.stray <= maxStrayBytes) return false;
    this.stop('it printed without end and was stopped');
    return true;
  }
}

function messageOf(line: Buffer, parse: StdioServerOptions['parse']): JSONRPCMessage | null {
  // A message is an object; most stray text is told apart by its first character.
  if (line[0] !== 0x7b && line.toString('utf8', 0, 64).trimStart().charAt(0) !== '{') return null;
  try {
    return parse(JSON.parse(line.toString('utf8')));
  } catch {
    return null;
  }
}

async function within(done: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const first = await Promise.race([done.then(() => true), late]);
  clearTimeout(timer);
  return first;
}

function endGroup(child: ChildProcess, platform: StdioServerOptions['platform'], signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  if (platform === 'win32') {
    if (child.exitCode !== null || child.signalCode !== null) return;
    // Only this ends the children too.
    spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => undefined,
    );
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Nobody of the group is left.
  }
}
