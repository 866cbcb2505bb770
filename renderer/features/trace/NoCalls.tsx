import { MessageSquare } from 'lucide-react';
import { useApp } from '../../stores/app';
import { Button } from '../../ui/Button';

/** Sample bars, as a session would draw them. */
const sample: readonly {
  readonly tool: string;
  readonly what: string;
  readonly bars: readonly (readonly [kind: string, left: number, width: number])[];
}[] = [
  {
    tool: 'Read',
    what: 'src/tides.ts',
    bars: [
      ['early', 0, 1],
      ['execution', 1.4, 3],
    ],
  },
  {
    tool: 'Bash',
    what: 'npm test',
    bars: [
      ['early', 6, 1],
      ['preHook', 7.4, 2],
      ['permission', 9.8, 1],
      ['execution', 11.2, 26],
    ],
  },
  {
    tool: 'Bash',
    what: 'git push',
    bars: [
      ['early', 40, 1],
      ['waiting', 41.4, 38],
      ['execution', 80, 12],
    ],
  },
];

/** No call yet: shows what would be here, and the one thing to do. */
export function NoCalls({ sessionId }: { readonly sessionId: string }) {
  const openSession = useApp((app) => app.openSession);
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center overflow-y-auto px-6">
      <div className="my-auto w-full max-w-130 py-8">
        <div aria-hidden className="mb-5 rounded-card border border-line bg-panel px-4 py-2">
          {sample.map(({ tool, what, bars }) => (
            <div key={what} className="grid h-8 grid-cols-[52px_110px_1fr] items-center gap-2">
              <span className="font-semibold text-small">{tool}</span>
              <span className="truncate font-mono text-mono text-muted">{what}</span>
              <span className="relative h-full">
                {bars.map(([kind, left, width]) => (
                  <span
                    key={kind}
                    data-kind={kind}
                    className="trace-bar"
                    style={{ left: `${left}%`, width: `${width}%` }}
                  />
                ))}
              </span>
            </div>
          ))}
        </div>
        <h2 className="font-semibold text-page">Nothing has run here yet</h2>
        <p className="mt-1 text-conversation text-muted">
          Every call of a tool leaves a line: its seven steps, who decided, what the hooks said, and how long it waited
          for you. Ask for something that needs a tool, and watch it here.
        </p>
        <Button variant="primary" icon={MessageSquare} className="mt-4" onClick={() => openSession(sessionId)}>
          Write a message
        </Button>
      </div>
    </div>
  );
}
