import { useState } from 'react';
import type { McpServerView, McpToolView } from '#shared/api/mcp';
import { useTools } from '../../../stores/tools';
import { useToolsPage } from '../../../stores/toolsPage';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { VisibleText } from '../../../ui/VisibleText';
import { counted } from '../../frame/words';
import { Part } from '../detail/Part';

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
      {changed.length === 0 ? null : <Changed server={server} tools={changed} />}
      <Part title={server.tools.length === 0 ? 'Tools' : `Tools, ${server.tools.length}`}>
        {server.tools.length === 0 ? (
          <p className="text-muted">It brings none.</p>
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

function Changed({ server, tools }: { readonly server: McpServerView; readonly tools: readonly McpToolView[] }) {
  const change = useTools((store) => store.change);
  return (
    <Part title="Definitions that changed since you last agreed">
      <p className="mb-2">
        Rules that allow these tools wait until you confirm what they say now. Until then each call asks.
      </p>
      <ul className="flex flex-col gap-3">
        {tools.map((tool) => (
          <li key={tool.originalName} className="rounded-control border border-ask/60">
            <ChangedDefinition server={server} tool={tool} />
            <div className="border-line border-t px-3 py-2">
              <Button
                size="small"
                onClick={() =>
                  void change({
                    call: 'mcp.confirmTools',
                    id: server.id,
                    tools: [tool.originalName],
                    fact: 'The definition was not confirmed.',
                  })
                }
              >
                Confirm this definition
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function ChangedDefinition({ tool }: { readonly server: McpServerView; readonly tool: McpToolView }) {
  return (
    <div className="px-3 py-2">
      <p className="chat-verbatim font-mono text-mono">
        <VisibleText text={tool.originalName} />
      </p>
      <p className="chat-verbatim text-muted">
        <VisibleText text={tool.description} />
      </p>
    </div>
  );
}
