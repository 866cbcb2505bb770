import { Square } from 'lucide-react';
import { useState } from 'react';
import type { BackgroundTask } from '#shared/session/backgroundTask';
import type { TaskProgress } from '../../../stores/session';
import { Button } from '../../../ui/Button';
import { Tooltip } from '../../../ui/Tooltip';
import { VisibleText } from '../../../ui/VisibleText';
import { formatElapsed } from '../cards/duration';
import { useNow } from '../cards/useNow';

interface Props {
  readonly tasks: readonly BackgroundTask[];
  readonly progress: Readonly<Record<string, TaskProgress>>;
  /** Resolves when it is over; false when it was not stopped. */
  readonly onStop: (taskId: string) => Promise<boolean>;
}

/** Commands that go on in the background, each with a way to end it. Nothing while there are none. */
export function TaskStrip({ tasks, progress, onStop }: Props) {
  const running = tasks.filter((task) => task.status === 'running');
  const now = useNow(running.length > 0);
  if (running.length === 0) return null;
  return (
    <section aria-label="Background tasks" className="rounded-card border border-line bg-panel">
      {/* Three rows; more are scrolled to. */}
      <ul className="max-h-[102px] overflow-y-auto">
        {running.map((task) => (
          <TaskRow key={task.taskId} task={task} progress={progress[task.taskId]} now={now} onStop={onStop} />
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  readonly task: BackgroundTask;
  readonly progress: TaskProgress | undefined;
  readonly now: number;
  readonly onStop: Props['onStop'];
}

function TaskRow({ task, progress, now, onStop }: RowProps) {
  const [stopping, setStopping] = useState(false);
  const { taskId, command, description, startedAt } = task;
  const chars = progress?.outputChars ?? 0;
  const stop = async () => {
    setStopping(true);
    if (!(await onStop(taskId))) setStopping(false);
  };
  return (
    <li className="flex h-8.5 min-w-0 items-center gap-2.5 pr-1.5 pl-3 text-small">
      <span className="shrink-0 font-mono text-dim text-mono">{taskId}</span>
      <Tooltip text={command}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: focus shows the whole command, as hover does. */}
        <span tabIndex={0} className="max-w-[50%] shrink-0 truncate font-mono text-mono">
          <VisibleText text={command.replaceAll(/\s*\n\s*/g, ' ⏎ ')} />
        </span>
      </Tooltip>
      <span className="min-w-0 flex-1 truncate text-muted">
        {progress === undefined || progress.lastLine === '' ? (
          description
        ) : (
          <span className="font-mono text-mono">
            <VisibleText text={progress.lastLine} />
          </span>
        )}
      </span>
      <span className="shrink-0 text-dim tabular-nums">
        {formatElapsed(now - startedAt)} · {chars === 0 ? 'no output yet' : `${chars.toLocaleString('en')} characters`}
      </span>
      <Button
        size="small"
        icon={Square}
        disabled={stopping}
        aria-label={`Stop background task ${taskId}`}
        onClick={() => void stop()}
      >
        {stopping ? 'Stopping' : 'Stop'}
      </Button>
    </li>
  );
}
