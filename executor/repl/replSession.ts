// One session's node process: takes one piece of code at a time, and tells its output from what it answers.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Duplex } from 'node:stream';
import { z } from 'zod';
import type { ReplResult } from '#shared/api/executor';
import { type ConfinedOptions, type ConfinedProcess, startConfined } from '../confinedProcess';
import { membersOf } from '../processTree';
import { type WorkerRequest, workerSource } from './worker';

/** Of a value or an error come back at most so many characters. */
const maxValueChars = 20_000;
/** Longest line of an answer: each character may be escaped. */
const longestAnswer = maxValueChars * 12;
/** What is still in the pipe of a process that answered comes at once. */
const drainMs = 2_000;
const memoryLookMs = 250;
/** Which processes there are is found out less often: it takes a look at all of the system's. */
const membersKeptMs = 2_000;

const Answer = z.object({
  id: z.number(),
  value: z.string().nullable().optional(),
  error: z.string().optional(),
});

type Outcome = Pick<ReplResult, 'outcome' | 'text' | 'ended' | 'exitCode'>;
type Cause = NonNullable<ReplResult['ended']>;

export interface ReplStart extends Omit<ConfinedOptions, 'args' | 'channels'> {
  readonly memoryMiB: number;
}

export interface ReplCode {
  readonly code: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly onBytes: (bytes: Buffer) => void;
}

export class ReplSession {
  readonly sandboxed: boolean;
  /** True until it has run something. */
  fresh = true;
  private readonly confined: ConfinedProcess;
  private readonly channel: Duplex;
  private readonly memoryMiB: number;
  private gone = false;
  private id = 0;
  private cause: Cause | undefined;

  constructor(start: ReplStart) {
    const { memoryMiB, ...rest } = start;
    this.memoryMiB = memoryMiB;
    this.confined = startConfined({
      ...rest,
      args: [`--max-old-space-size=${memoryMiB}`, '--no-warnings', '--eval', workerSource],
      channels: 1,
    });
    this.sandboxed = this.confined.sandboxed;
    const channel = this.confined.child.stdio[3];
    if (!(channel instanceof Duplex)) throw new Error('The JavaScript process has no channel.');
    this.channel = channel;
    this.confined.child.stdin?.end();
    void this.confined.exit.then(() => {
      this.gone = true;
    });
  }

  get alive(): boolean {
    return !this.gone && this.cause === undefined;
  }

  /** Ends it, and with it what runs. Idempotent. */
  async stop(cause: Cause): Promise<void> {
    this.cause ??= cause;
    await this.confined.kill();
  }

  /** Runs code to its end. The caller sees to it that there is one at a time. */
  async run({ code, cwd, timeoutMs, onBytes }: ReplCode): Promise<Outcome> {
    this.fresh = false;
    this.id += 1;
    const { child, exit } = this.confined;
    const mark = `\u001b]9;${randomBytes(12).toString('hex')}\u0007`;
    const printed = new MarkedOutput(mark, onBytes);
    const onError = (bytes: Buffer) => onBytes(bytes);
    const onOut = (bytes: Buffer) => printed.add(bytes);
    child.stdout?.on('data', onOut);
    child.stderr?.on('data', onError);
    const timer = setTimeout(() => void this.stop('timeout'), timeoutMs);
    const look = new MemoryLook(this.confined);
    const memory = setInterval(() => {
      if (look.residentMiB() > this.memoryMiB) void this.stop('memory');
    }, memoryLookMs);
    try {
      const request: WorkerRequest = { id: this.id, code, cwd, mark, maxChars: maxValueChars };
      const answer = await Promise.race([this.ask(request), exit.then(() => null)]);
      if (answer === null) return await this.endedOutcome();
      await Promise.race([printed.complete, exit, wait(drainMs)]);
      return answer.error === undefined
        ? { outcome: 'value', text: answer.value ?? null, ended: null, exitCode: null }
        : { outcome: 'error', text: answer.error, ended: null, exitCode: null };
    } finally {
      clearTimeout(timer);
      clearInterval(memory);
      printed.close();
      child.stdout?.off('data', onOut);
      child.stderr?.off('data', onError);
      // What code that goes on prints later must not fill the pipe; nobody waits for it.
      child.stdout?.resume();
      child.stderr?.resume();
    }
  }

  private async endedOutcome(): Promise<Outcome> {
    await this.confined.kill();
    const exitCode = await this.confined.exit;
    await closed(this.confined.child.stdout);
    return { outcome: 'ended', text: null, ended: this.cause ?? (exitCode === 134 ? 'memory' : 'exit'), exitCode };
  }

  /** The answer to a request; null when it sent something else, which ends it. */
  private ask(request: WorkerRequest): Promise<z.infer<typeof Answer> | null> {
    return new Promise((resolve) => {
      let rest = '';
      const onData = (bytes: Buffer) => {
        rest += bytes.toString('utf8');
        const lineEnd = rest.indexOf('\n');
        if (lineEnd < 0 && rest.length <= longestAnswer) return;
        this.channel.off('data', onData);
        const answer = lineEnd < 0 ? null : parseAnswer(rest.slice(0, lineEnd));
        if (answer?.id === request.id) resolve(answer);
        else void this.stop('badAnswer').then(() => resolve(null));
      };
      this.channel.on('data', onData);
      this.channel.write(`${JSON.stringify(request)}\n`);
    });
  }
}

function parseAnswer(line: string): z.infer<typeof Answer> | null {
  try {
    return Answer.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

/** Passes bytes on up to the mark. */
class MarkedOutput {
  readonly complete: Promise<void>;
  private kept: Buffer = Buffer.alloc(0);
  private ended = false;
  private finish: () => void = () => undefined;
  private readonly mark: Buffer;

  constructor(
    mark: string,
    private readonly onBytes: (bytes: Buffer) => void,
  ) {
    this.mark = Buffer.from(mark, 'latin1');
    this.complete = new Promise((resolve) => {
      this.finish = resolve;
    });
  }

  add(bytes: Buffer): void {
    if (this.ended) return;
    const all = this.kept.length === 0 ? bytes : Buffer.concat([this.kept, bytes]);
    const at = all.indexOf(this.mark);
    if (at >= 0) {
      this.kept = all.subarray(0, at);
      this.close();
      return;
    }
    // Only what may be the start of the mark is held back.
    const start = all.lastIndexOf(0x1b);
    const from = start >= 0 && all.length - start < this.mark.length ? start : all.length;
    this.pass(all.subarray(0, from));
    this.kept = Buffer.from(all.subarray(from));
  }

  /** No mark will come any more: what was held back was output after all. */
  close(): void {
    if (this.ended) return;
    this.ended = true;
    this.pass(this.kept);
    this.finish();
  }

  private pass(bytes: Buffer): void {
    if (bytes.length > 0) this.onBytes(bytes);
  }
}

/** Looks at the memory of a process with all that it started. */
class MemoryLook {
  private members: readonly number[] = [];
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly confined: ConfinedProcess) {}

  /** In MiB; 0 where that cannot be told. */
  residentMiB(): number {
    if (process.platform !== 'linux') return 0;
    if (performance.now() - this.lookedAt > membersKeptMs) {
      this.members = membersOf(this.confined.run).map(({ pid }) => pid);
      this.lookedAt = performance.now();
    }
    return this.members.reduce((sum, pid) => sum + residentBytes(pid), 0) / 1_048_576;
  }
}

function residentBytes(pid: number): number {
  try {
    const kib = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Number(kib ?? 0) * 1_024;
  } catch {
    // Gone meanwhile.
    return 0;
  }
}

function closed(stream: NodeJS.ReadableStream | null): Promise<void> {
  if (stream === null || !('closed' in stream) || stream.closed === true) return Promise.resolve();
  return Promise.race([new Promise<void>((resolve) => stream.once('close', () => resolve())), wait(drainMs)]);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
