import { useMemo } from 'react';
import type { ToolState } from '#shared/api/tools';
import { useTools } from '../../stores/tools';
import { type OriginFilter, useToolsPage } from '../../stores/toolsPage';
import { Button } from '../../ui/Button';
import { Select } from '../../ui/Select';
import { Skeleton } from '../../ui/Skeleton';
import { TextField } from '../../ui/TextField';
import { Hint } from '../chat/inspector/Hint';
import { ToolDetail } from './detail/ToolDetail';
import { filterTools, serversOf } from './list/filterTools';
import { ToolTable } from './list/ToolTable';
import { Totals } from './list/Totals';
import { MasterDetail } from './MasterDetail';

const states: readonly { readonly value: ToolState | 'all'; readonly label: string }[] = [
  { value: 'all', label: 'Every state' },
  { value: 'loaded', label: 'Loaded' },
  { value: 'deferred', label: 'Deferred' },
  { value: 'disabled', label: 'Disabled' },
];

/** All tools of the session, with the details of the chosen one. */
export function ToolsTab() {
  const tools = useTools((store) => store.tools);
  const figures = useTools((store) => store.figures);
  const problem = useTools((store) => store.toolsProblem);
  const chosen = useToolsPage((page) => page.tool);
  const show = useToolsPage((page) => page.show);
  const tool = tools?.find(({ name }) => name === chosen);
  if (tools === null)
    return problem === '' ? <Skeleton label="Loading the tools" className="flex-1 p-6" rows={8} /> : null;
  return (
    <MasterDetail
      list={
        <>
          {figures === null ? null : <Totals figures={figures} />}
          <Filtered />
        </>
      }
      detail={tool === undefined ? null : <ToolDetail key={tool.name} tool={tool} />}
      detailLabel="Details of the tool"
      hint={<Hint title="Choose a tool">Its description, input, rules, and a way to run it show here.</Hint>}
      back="All tools"
      onBack={() => show({ tool: null })}
    />
  );
}

function Filtered() {
  const tools = useTools((store) => store.tools);
  const { search, origin, state, tool, show } = useToolsPage();
  const shown = useMemo(() => filterTools(tools ?? [], { search, origin, state }), [tools, search, origin, state]);
  const servers = useMemo(() => serversOf(tools ?? []), [tools]);
  // The server of the filter may be gone.
  const origins: readonly { readonly value: OriginFilter; readonly label: string }[] = [
    { value: 'all', label: 'Every origin' },
    { value: 'builtIn', label: 'Built in' },
    ...servers.map((server) => ({ value: `mcp:${server}` as const, label: server })),
    ...(origin.startsWith('mcp:') && !servers.includes(origin.slice(4))
      ? [{ value: origin, label: `${origin.slice(4)} (gone)` }]
      : []),
  ];
  const filtered = search !== '' || origin !== 'all' || state !== 'all';
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-line border-b px-4 py-2">
        <TextField
          label="Search tools"
          hideLabel
          type="search"
          placeholder="Search by name, server or purpose"
          className="min-w-40 flex-1"
          value={search}
          onChange={(text) => show({ search: text })}
        />
        <Select
          label="Origin"
          hideLabel
          className="w-36"
          value={origin}
          options={origins}
          onChange={(value) => show({ origin: value })}
        />
        <Select
          label="State"
          hideLabel
          className="w-32"
          value={state}
          options={states}
          onChange={(value) => show({ state: value })}
        />
      </div>
      <p role="status" className="sr-only">
        {filtered ? `${shown.length} of ${tools?.length ?? 0} tools` : ''}
      </p>
      {shown.length === 0 ? (
        <div>
          <Hint title={filtered ? 'No tool fits' : 'There are no tools'}>
            {filtered
              ? 'Search for something else, or show all.'
              : 'Switches, rules or a plain tool set have taken all away. The settings say which.'}
          </Hint>
          {filtered ? (
            <p className="text-center">
              <Button onClick={() => show({ search: '', origin: 'all', state: 'all' })}>Show all tools</Button>
            </p>
          ) : null}
        </div>
      ) : (
        <ToolTable tools={shown} chosen={tool} onChoose={(name) => show({ tool: name })} />
      )}
    </>
  );
}
