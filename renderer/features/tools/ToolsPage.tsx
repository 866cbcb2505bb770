import { Blocks, Plus } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { activityOf } from '#shared/session/state';
import { useApp } from '../../stores/app';
import { useSession } from '../../stores/session';
import { followTools, useTools } from '../../stores/tools';
import { type ToolsTab, useToolsPage } from '../../stores/toolsPage';
import { Banner } from '../../ui/Banner';
import { Button } from '../../ui/Button';
import { Skeleton } from '../../ui/Skeleton';
import { TabPanel, Tabs } from '../../ui/Tabs';
import { SessionAsks } from '../chat/ask/SessionAsks';
import '../chat/chat.css';
import { NeedsFolder } from '../frame/NeedsFolder';
import { baseName, counted } from '../frame/words';
import { ServerDialog } from './servers/ServerDialog';
import { ServersTab } from './servers/ServersTab';
import { needsPerson } from './servers/serverWords';
import { ToolsTab as ToolsTabBody } from './ToolsTab';

/** What the model can call, what it costs, which rules name it; and the servers that bring more. */
export function ToolsPage() {
  const status = useSession((session) => session.status);
  useEffect(() => followTools(), []);
  switch (status) {
    case 'none':
      return (
        <NeedsFolder icon={Blocks}>
          Tools, their rules and MCP servers belong to a folder. Open one to see them.
        </NeedsFolder>
      );
    case 'loading':
      return <Skeleton label="Opening the session" className="p-8" rows={5} />;
    case 'failed':
    case 'ready':
      return <SessionTools />;
  }
}

function SessionTools() {
  const tab = useToolsPage((page) => page.tab);
  const show = useToolsPage((page) => page.show);
  const folder = useSession((session) => session.state.folder);
  const waiting = useTools(({ servers }) => (servers?.servers ?? []).filter(needsPerson).length);
  const serverCount = useTools(({ servers }) => servers?.servers.length ?? 0);
  const toolCount = useTools(({ tools }) => tools?.length ?? 0);
  const [adding, setAdding] = useState(false);
  const servers = serverCount === 0 ? 'Servers' : `Servers ${serverCount}`;
  return (
    <div className="chat-colors flex min-h-0 flex-1 flex-col">
      <h1 className="sr-only">Tools & MCP</h1>
      <Problems />
      <Tabs<ToolsTab>
        label="Tools & MCP"
        value={tab}
        onChange={(chosen) => show({ tab: chosen })}
        tabs={[
          { value: 'tools', label: toolCount === 0 ? 'Tools' : `Tools ${toolCount}` },
          {
            value: 'servers',
            label: waiting === 0 ? servers : `${servers} · ${counted(waiting, 'needs', 'need')} you`,
          },
        ]}
        extra={
          <span className="flex items-center gap-3">
            <span className="max-w-48 truncate text-muted text-small max-sidebar:hidden" title={folder}>
              {baseName(folder)}
            </span>
            <Button size="small" icon={Plus} onClick={() => setAdding(true)}>
              Add server
            </Button>
          </span>
        }
      >
        <Panel value="tools">
          <ToolsTabBody />
        </Panel>
        <Panel value="servers">
          <ServersTab onAdd={() => setAdding(true)} />
        </Panel>
      </Tabs>
      <Asks />
      {adding ? <ServerDialog server={null} onClose={() => setAdding(false)} /> : null}
    </div>
  );
}

/** The panels hold panes that scroll by themselves. */
function Panel({ value, children }: { readonly value: ToolsTab; readonly children: ReactNode }) {
  return (
    <TabPanel value={value}>
      <div className="flex h-full min-h-0">{children}</div>
    </TabPanel>
  );
}

function Problems() {
  const tools = useTools((store) => store.toolsProblem);
  const servers = useTools((store) => store.serversProblem);
  const reload = useTools((store) => store.reload);
  const retry = (
    <Button size="small" onClick={() => void reload()}>
      Try again
    </Button>
  );
  return (
    <>
      {tools === '' ? null : (
        <Banner level="error" title="The tools could not be loaded." action={retry}>
          {tools}
        </Banner>
      )}
      {servers === '' ? null : (
        <Banner level="error" title="The servers could not be loaded." action={retry}>
          {servers}
        </Banner>
      )}
    </>
  );
}

/** A call that was started here asks here. */
function Asks() {
  const sessionId = useSession((session) => session.sessionId) ?? '';
  const state = useSession((session) => session.state);
  const home = useApp((app) => app.hello?.home ?? '');
  const waiting = activityOf(state) === 'waiting';
  return (
    <div className={waiting ? 'shrink-0 border-line border-t px-4 py-3' : undefined}>
      <div className="mx-auto flex min-h-0 w-full max-w-[860px] flex-col">
        <SessionAsks sessionId={sessionId} state={state} home={home} onEmpty={() => undefined} />
      </div>
    </div>
  );
}
