// Hooks: what is set up where, what is wrong with it, what ran, and trying one out.
import { Plus, RefreshCw, Webhook } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { ruleSources } from '#shared/permissions/sources';
import { useApp } from '../../stores/app';
import { followHooks, type HooksTab, useHooksPage } from '../../stores/hooksPage';
import { useRules } from '../../stores/rules';
import { useSession } from '../../stores/session';
import { Banner } from '../../ui/Banner';
import { Button } from '../../ui/Button';
import { Skeleton } from '../../ui/Skeleton';
import { TabPanel, Tabs } from '../../ui/Tabs';
import '../chat/chat.css';
import { NeedsFolder } from '../frame/NeedsFolder';
import { TrustDialog } from '../frame/TrustDialog';
import { baseName, counted, homePath } from '../frame/words';
import { HookForm } from './HookForm';
import { HooksTab as HooksTabBody } from './HooksTab';
import { hasFailed } from './hookWords';
import { RunsTab } from './RunsTab';

export function HooksPage() {
  const status = useSession((session) => session.status);
  useEffect(() => followHooks(), []);
  switch (status) {
    case 'none':
      return (
        <NeedsFolder icon={Webhook}>
          Hooks belong to a folder and to you. Open a folder to see those that count there.
        </NeedsFolder>
      );
    case 'loading':
      return <Skeleton label="Opening the session" className="p-8" rows={5} />;
    case 'failed':
    case 'ready':
      return <SessionHooks />;
  }
}

function SessionHooks() {
  const tab = useHooksPage((page) => page.tab);
  const show = useHooksPage((page) => page.show);
  const view = useHooksPage((page) => page.view);
  const failed = useHooksPage((page) => page.runs.filter(({ run }) => hasFailed(run)).length);
  const folder = useSession((session) => session.state.folder);
  const [adding, setAdding] = useState(false);
  const count = view?.hooks.length ?? 0;
  return (
    <div className="chat-colors flex min-h-0 flex-1 flex-col">
      <h1 className="sr-only">Hooks</h1>
      <States />
      <Tabs<HooksTab>
        label="Hooks"
        value={tab}
        onChange={(chosen) => show({ tab: chosen })}
        tabs={[
          { value: 'hooks', label: count === 0 ? 'Hooks' : `Hooks ${count}` },
          { value: 'runs', label: failed === 0 ? 'Runs' : `Runs · ${failed} failed` },
        ]}
        extra={
          <span className="flex items-center gap-3">
            <span className="max-w-48 truncate text-muted text-small max-sidebar:hidden" title={folder}>
              {baseName(folder)}
            </span>
            <Button size="small" icon={Plus} disabled={view === null} onClick={() => setAdding(true)}>
              Add hook
            </Button>
          </span>
        }
      >
        <Panel value="hooks">
          <HooksTabBody onAdd={() => setAdding(true)} />
        </Panel>
        <Panel value="runs">
          <RunsTab />
        </Panel>
      </Tabs>
      {adding && view !== null ? <HookForm view={view} hook={null} onClose={() => setAdding(false)} /> : null}
    </div>
  );
}

/** The panels hold panes that scroll by themselves. */
function Panel({ value, children }: { readonly value: HooksTab; readonly children: ReactNode }) {
  return (
    <TabPanel value={value}>
      <div className="flex h-full min-h-0">{children}</div>
    </TabPanel>
  );
}

/** What holds for all hooks at once. */
function States() {
  const view = useHooksPage((page) => page.view);
  const problem = useHooksPage((page) => page.problem);
  const load = useHooksPage((page) => page.load);
  const home = useApp((app) => app.hello?.home ?? '');
  const trust = useRules((rules) => rules.view?.trust);
  const waiting = view?.hooks.filter(({ state }) => state === 'waits').length ?? 0;
  const off = view?.disabledBy ?? null;
  return (
    <>
      {problem === '' ? null : (
        <Banner
          level="error"
          title="The hooks could not be loaded."
          action={
            <Button size="small" icon={RefreshCw} onClick={() => void load()}>
              Try again
            </Button>
          }
        >
          {problem}
        </Banner>
      )}
      {off === null ? null : (
        <Banner level="warning" title="All hooks are off.">
          disableAllHooks is on in the {ruleSources[off.source].label} settings
          {off.file === null ? '' : ` (${homePath(off.file, home)}${off.line === null ? '' : `:${off.line}`})`}.
          {off.source === 'policySettings' ? '' : ' Those of the policy still run.'}
        </Banner>
      )}
      {view?.managedOnly === true ? (
        <Banner level="info" title="Only hooks of the policy run.">
          allowManagedHooksOnly is on in the policy settings, or nobody can read them.
        </Banner>
      ) : null}
      {view !== null && !view.trusted && waiting > 0 ? (
        <Banner
          level="warning"
          action={trust === undefined ? null : <TrustDialog trust={trust} onLater={() => undefined} />}
          title={`${counted(waiting, 'hook waits', 'hooks wait')} for trust.`}
        >
          What came with this folder does not run, not even on this page, until you trust it.
        </Banner>
      ) : null}
      {view?.problems.map((text) => (
        <Banner key={text} level="warning" title="Left out:">
          {text}
        </Banner>
      ))}
    </>
  );
}
