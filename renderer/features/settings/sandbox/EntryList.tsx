import type { SandboxEntry } from '#shared/api/sandbox';
import { useApp } from '../../../stores/app';
import { VisibleText } from '../../../ui/VisibleText';
import { SandboxOrigin } from '../../frame/SandboxOrigin';
import { homePath } from '../../frame/words';

export interface EntryListProps {
  readonly title: string;
  /** What holds for each of them. */
  readonly meaning: string;
  readonly entries: readonly SandboxEntry[];
  /** Said where there is none. */
  readonly none: string;
}

/** Longer lists begin closed. */
const shortList = 6;

/** Places, hosts or commands of one kind, each with where it comes from. What people set stands before what is built in. */
export function EntryList({ title, meaning, entries, none }: EntryListProps) {
  const home = useApp((app) => app.hello?.home ?? '');
  const rows = [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).entries()].sort(
    ([, a], [, b]) => rank(a) - rank(b),
  );
  if (rows.length === 0)
    return (
      <div className="px-3 py-2">
        <h4 className="font-medium">{title}</h4>
        <p className="text-small text-muted">{none}</p>
      </div>
    );
  return (
    <details open={rows.length <= shortList} className="group">
      <summary className="cursor-pointer rounded-control px-3 py-2 hover:bg-hover">
        <span className="font-medium">{title}</span>
        <span className="text-muted"> · {rows.length}</span>
        <span className="block pl-4 text-small text-muted">{meaning}</span>
      </summary>
      <ul aria-label={title} className="flex flex-col gap-1 pr-3 pb-2.5 pl-7">
        {rows.map(([key, { text, from }]) => (
          <li key={key} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <code className="min-w-0 font-mono text-mono [overflow-wrap:anywhere]">
              <VisibleText text={homePath(text, home)} />
            </code>
            <span className="min-w-0 text-small text-muted">
              <SandboxOrigin from={from} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function rank({ from }: SandboxEntry): number {
  return from.kind === 'setting' || from.kind === 'rule' ? 0 : from.kind === 'session' ? 1 : 2;
}
