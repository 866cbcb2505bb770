import { Plus, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import type { McpServerView } from '#shared/api/mcp';
import { useTools } from '../../../stores/tools';
import { useToolsPage } from '../../../stores/toolsPage';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { classes } from '../../../ui/classes';
import { Skeleton } from '../../../ui/Skeleton';
import { VisibleText } from '../../../ui/VisibleText';
import { Hint } from '../../chat/inspector/Hint';
import { counted } from '../../frame/words';
import { useGridKeys } from '../list/useGridKeys';
import { MasterDetail } from '../MasterDetail';
import { ServerDetail } from './ServerDetail';
import { ServerState } from './ServerState';
import { scopeWords } from './serverWords';

/** The servers of the folder, with the details of the chosen one. */
export function ServersTab({ onAdd }: { readonly onAdd: () => void }) {
  const view = useTools((store) => store.servers);
  const problem = useTools((store) => store.serversProblem);
  const chosen = useToolsPage((page) => page.server);
  const show = useToolsPage((page) => page.show);
  if (view === null)
    return problem === '' ? <Skeleton label="Loading the servers" className="flex-1 p-6" rows={6} /> : null;
  const server = view.servers.find(({ id }) => id === chosen);
  return (
    <MasterDetail
      list={
        <>
          <Skipped problems={view.problems} />
          {view.servers.length === 0 ? (
            <NoServers onAdd={onAdd} />
          ) : (
            <ServerList servers={view.servers} chosen={chosen} onChoose={(id) => show({ server: id })} />
          )}
        </>
      }
      detail={server === undefined ? null : <ServerDetail key={server.id} server={server} />}
      detailLabel="Details of the server"
      hint={
        view.servers.length === 0 ? (
          <Hint title="What a server brings">
            Its tools stand among the others, under rules like mcp__name__tool, and ask like the others.
          </Hint>
        ) : (
          <Hint title="Choose a server">What it runs, its tools, and what it printed show here.</Hint>
        )
      }
      back="All servers"
      onBack={() => show({ server: null })}
    />
  );
}

function NoServers({ onAdd }: { readonly onAdd: () => void }) {
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center overflow-y-auto px-6">
      <div className="my-auto w-full max-w-100 py-8">
        <h2 className="font-semibold text-title">No MCP servers yet</h2>
        <p className="mt-1 text-muted">
          A server is a program, or an address, that gives the model more tools. Gatehouse reads those of the folder’s
          .mcp.json and of your ~/.claude.json, and keeps the ones that you add.
        </p>
        <Button variant="primary" icon={Plus} className="mt-4" onClick={onAdd}>
          Add a server
        </Button>
      </div>
    </div>
  );
}

/** Entries that were left out. */
function Skipped({ problems }: { readonly problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <section aria-label="Left out" className="max-h-40 overflow-y-auto border-line border-b bg-ask-tint px-4 py-2">
      <ul className="flex flex-col gap-1">
        {problems.map((problem) => (
          <li key={problem} className="flex items-start gap-2">
            <TriangleAlert aria-hidden size={15} strokeWidth={1.75} className="mt-0.5 shrink-0 text-ask" />
            <span className="chat-verbatim min-w-0">
              <VisibleText text={problem} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const columns =
  'grid grid-cols-[minmax(0,1fr)_11rem] @2xl:grid-cols-[minmax(0,1fr)_11rem_6rem_4rem] items-center gap-x-3 px-4';

function ServerList(props: {
  readonly servers: readonly McpServerView[];
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}) {
  const { servers, chosen, onChoose } = props;
  const ids = useMemo(() => servers.map(({ id }) => id), [servers]);
  const rowProps = useGridKeys({ ids, chosen, onChoose });
  return (
    <div className="@container min-h-0 flex-1 overflow-y-auto">
      {/* biome-ignore lint/a11y/useSemanticElements: a table element cannot keep this head in place beside grid columns. */}
      <div role="grid" aria-label="Servers" aria-rowcount={servers.length + 1}>
        {/* biome-ignore lint/a11y/useSemanticElements: see above. */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: heads have nothing to do. */}
        <div
          role="row"
          className={classes(
            columns,
            'sticky top-0 z-10 border-line border-b bg-background py-1.5 font-semibold text-head text-muted',
          )}
        >
          {['Server', 'State', 'Scope', 'Tools'].map((head, index) => (
            // biome-ignore lint/a11y/useSemanticElements: see above.
            // biome-ignore lint/a11y/useFocusableInteractive: heads have nothing to do.
            <div
              key={head}
              role="columnheader"
              className={classes(index > 1 && 'hidden @2xl:block', index === 3 && 'text-right')}
            >
              {head}
            </div>
          ))}
        </div>
        {servers.map((server) => (
          <ServerRow key={server.id} server={server} selected={server.id === chosen} row={rowProps(server.id)} />
        ))}
      </div>
    </div>
  );
}

function ServerRow(props: {
  readonly server: McpServerView;
  readonly selected: boolean;
  readonly row: ReturnType<ReturnType<typeof useGridKeys>>;
}) {
  const { server, selected, row } = props;
  const changed = server.tools.filter((tool) => tool.changed).length;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: the properties hold its place in the tab order.
    <div
      role="row"
      aria-selected={selected}
      {...row}
      className={classes(
        columns,
        'border-line/60 border-b py-1.5 -outline-offset-2',
        selected ? 'bg-selected' : 'hover:bg-hover',
      )}
    >
      {/* biome-ignore-start lint/a11y/useSemanticElements: see the grid. */}
      {/* biome-ignore-start lint/a11y/useFocusableInteractive: the row has the focus. */}
      <div role="gridcell" className="min-w-0">
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium" title={server.name}>
            <VisibleText text={server.name} />
          </span>
          {changed === 0 ? null : <Badge tone="ask">{counted(changed, 'tool')} changed</Badge>}
        </span>
        <span className="block truncate font-mono text-mono text-muted" title={server.target}>
          <VisibleText text={server.target} />
        </span>
      </div>
      <div role="gridcell" className="min-w-0">
        <ServerState state={server.state} />
      </div>
      <div role="gridcell" className="hidden text-muted @2xl:block">
        {scopeWords[server.scope].label}
      </div>
      <div role="gridcell" className="hidden text-right @2xl:block">
        {server.state === 'connected' ? server.tools.length : '–'}
      </div>
      {/* biome-ignore-end lint/a11y/useFocusableInteractive: the row has the focus. */}
      {/* biome-ignore-end lint/a11y/useSemanticElements: see the grid. */}
    </div>
  );
}
