// Lines of transcripts and a folder to put them in, for tests.
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** An id as the model's server gives them. */
export const callId = (name: string): string => `toolu_sample_00_${name}`;

export const time = (second: number): string => new Date(Date.UTC(2026, 8, 1, 12, 0, second)).toISOString();

export interface LineOptions {
  readonly session?: string;
  readonly cwd?: string;
  readonly second?: number;
  readonly more?: Readonly<Record<string, unknown>>;
}

const envelope = ({ session = 's1', cwd = '/srv/app', second = 0, more = {} }: LineOptions) => ({
  sessionId: session,
  cwd,
  timestamp: time(second),
  ...more,
});

/** A line in which a call is made. */
export const callLine = (
  call: { readonly id: string; readonly tool?: string; readonly input?: unknown },
  options: LineOptions = {},
): string =>
  JSON.stringify({
    type: 'assistant',
    ...envelope(options),
    message: {
      role: 'assistant',
      content: [{ type: 'tool_use', id: call.id, name: call.tool ?? 'Bash', input: call.input ?? { command: 'ls' } }],
    },
  });

/** A line that answers a call. */
export const resultLine = (
  result: { readonly id: string; readonly content?: unknown; readonly isError?: boolean },
  options: LineOptions = {},
): string =>
  JSON.stringify({
    type: 'user',
    ...envelope(options),
    message: {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: result.id,
          content: result.content ?? 'ok',
          ...(result.isError === undefined ? {} : { is_error: result.isError }),
        },
      ],
    },
  });

/** A Claude Code folder of its own. */
export class TranscriptFolder {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-history-')));
  readonly claudeConfig = join(this.root, 'claude');
  readonly data = join(this.root, 'data');

  constructor() {
    mkdirSync(join(this.claudeConfig, 'projects'), { recursive: true });
    mkdirSync(this.data);
  }

  path(name: string): string {
    return join(this.claudeConfig, 'projects', name);
  }

  /** Writes a file of whole lines below `projects`. */
  write(name: string, lines: readonly string[]): string {
    const path = this.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
    return path;
  }

  append(name: string, text: string): void {
    appendFileSync(this.path(name), text);
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
