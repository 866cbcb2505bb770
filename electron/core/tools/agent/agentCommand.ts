// A sub-agent that goes on in the background, as a command under way: what it writes is its output.
import type { OperationAnswers } from '#shared/api/executor';
import type { AgentEnd } from '../../agent/subAgents';
import { BoundedOutput } from '../../executor/boundedOutput';
import type { RunningCommand } from '../tool';

type RunAgent = (signal: AbortSignal, onProgress: (text: string) => void) => Promise<AgentEnd>;

export class AgentCommand implements RunningCommand {
  readonly capture = new BoundedOutput();
  readonly ended: Promise<OperationAnswers['shell.run']>;
  private readonly abort = new AbortController();

  constructor(run: RunAgent) {
    const write = (text: string): void => {
      if (text !== '') this.capture.append(`${text}\n`);
    };
    this.ended = run(this.abort.signal, write).then((end) => this.finish(end, write));
  }

  stop(): void {
    this.abort.abort();
  }

  detach(): void {
    // It never hung on the call.
  }

  private finish({ agent }: AgentEnd, write: (text: string) => void): OperationAnswers['shell.run'] {
    if (agent.note !== '') write(`[${agent.status}: ${agent.note}]`);
    this.capture.finish(undefined);
    return {
      kind: 'exit',
      exitCode: agent.status === 'completed' ? 0 : 1,
      signal: null,
      timedOut: false,
      aborted: this.abort.signal.aborted,
      outputChars: this.capture.totalChars,
      durationMs: (agent.endedAt ?? agent.startedAt) - agent.startedAt,
      sandboxed: false,
      finalCwd: null,
    };
  }
}
