import { useState } from 'react';
import type { McpServerView, McpToolView } from '#shared/api/mcp';
import { useToolsPage } from '../../../stores/toolsPage';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { VisibleText } from '../../../ui/VisibleText';
import { counted } from '../../frame/words';
import { Part } from '../detail/Part';
import { ChangedTools } from './ChangedTools';

/** Shown at once; the tools tab has all. */
const shownFirst = 40;

/** What a server brings; definitions that changed stand first and wait for a word. */
export function ServerTools({ server }: { readonly server: McpServerView }) {
  const [all, setAll] = useState(false);
  if (server.tools.length === 0 && server.state !== 'connected') return null;
  const changed = server.tools.filter((tool) => tool.changed);
  const others = server.tools.filter((tool) => !tool.changed);
  const shown = all ? others : others.slice(0, shownFirst);
  return (
    <>
      {changed.length === 0 ? null : <ChangedTools server={server} tools={changed} />}
      <Part title={titleOf(changed.length, others.length)}>
        {others.length === 0 ? (
          <p className="text-muted">
            {server.tools.length === 0 ? 'It brings none.' : 'All of them have changed and stand above.'}
          </p>
        ) : (
          <ul className="-mx-2">
            {shown.map((tool) => (
              <li key={tool.originalName}>
                <ToolLink tool={tool} />
              </li>
            ))}
          </ul>
        )}
        {shown.length === others.length ? null : (
          <Button size="small" variant="ghost" onClick={() => setAll(true)}>
            Show {counted(others.length - shown.length, 'more tool')}
          </Button>
        )}
      </Part>
    </>
  );
}

/** The number is that of the list below it. */
function titleOf(changed: number, others: number): string {
  if (others === 0) return 'Tools';
  return changed === 0 ? `Tools, ${others}` : `Tools that did not change, ${others}`;
}

function ToolLink({ tool }: { readonly tool: McpToolView }) {
  const show = useToolsPage((page) => page.show);
  return (
    <button
      type="button"
      title={tool.originalName}
      onClick={() => show({ tab: 'tools', tool: tool.name, search: '', origin: 'all', state: 'all' })}
      className="flex min-h-8 w-full min-w-0 items-center gap-3 rounded-control px-2 text-left hover:bg-hover"
    >
      <span className="max-w-[50%] shrink-0 truncate font-mono text-mono">
        <VisibleText text={tool.originalName} />
      </span>
      <span className="min-w-0 flex-1 truncate text-muted text-small">
        <VisibleText text={tool.description.slice(0, 200)} />
      </span>
      {tool.hints.destructive === true ? <Badge tone="ask">destructive</Badge> : null}
    </button>
  );
}
