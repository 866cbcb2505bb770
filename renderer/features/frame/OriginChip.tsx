import { GitBranch } from 'lucide-react';
import { useApp } from '../../stores/app';
import { Chip } from '../../ui/Chip';
import { Tooltip } from '../../ui/Tooltip';
import { openOrigin } from './openOrigin';

/** In the head of a session that did not begin empty: where it began, and the way there. */
export function OriginChip({ sessionId }: { readonly sessionId: string }) {
  const origin = useApp((app) => app.sessions?.find((session) => session.sessionId === sessionId)?.origin ?? null);
  if (origin === null) return null;
  const words = origin.kind === 'branch' ? 'branched from' : 'continued from';
  return (
    <Tooltip text={`${words} “${origin.title}”${origin.kind === 'transcript' ? ', Claude Code’s transcript' : ''}`}>
      <Chip icon={GitBranch} className="shrink" onClick={() => openOrigin(origin)}>
        <span className="max-w-56 truncate">
          {words} {origin.title}
        </span>
      </Chip>
    </Tooltip>
  );
}
