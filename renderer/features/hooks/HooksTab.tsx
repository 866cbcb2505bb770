import { Plus, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import type { HookEntry, HooksView } from '#shared/api/hooks';
import { useApp } from '../../stores/app';
import { useHooksPage } from '../../stores/hooksPage';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { classes } from '../../ui/classes';
import { Skeleton } from '../../ui/Skeleton';
import { TextField } from '../../ui/TextField';
import { VisibleText } from '../../ui/VisibleText';
import { Hint } from '../chat/inspector/Hint';
import { homePath } from '../frame/words';
import { useGridKeys } from '../tools/list/useGridKeys';
import { MasterDetail } from '../tools/MasterDetail';
import { HookDetail } from './HookDetail';
import { filterHooks, gravest, groupHooks, originOf, stateWords } from './hookWords';

/** All hooks by event, with the details of the chosen one. */
export function HooksTab({ onAdd }: { readonly onAdd: () => void }) {
  const view = useHooksPage((page) => page.view);
  const problem = useHooksPage((page) => page.problem);
  const search = useHooksPage((page) => page.search);
  const chosen = useHooksPage((page) => page.chosen);
  const show = useHooksPage((page) => page.show);
  const found = useMemo(() => filterHooks(view?.hooks ?? [], search), [view, search]);
  if (view === null)
    return problem === '' ? <Skeleton label="Loading the hooks" className="flex-1 p-6" rows={6} /> : null;
  const hook = view.hooks.find(({ id }) => id === chosen);
  return (
    <MasterDetail
      list={
        view.hooks.length === 0 ? (
          <NoHooks view={view} onAdd={onAdd} />
        ) : (
          <>
            <div className="border-line border-b px-4 py-2">
              <TextField
                label="Search hooks"
                hideLabel
                type="search"
                placeholder="Search event, matcher, command, file or problem"
                value={search}
                onChange={(text) => show({ search: text })}
              />
            </div>
            {found.length === 0 ? (
              <p className="px-4 py-4 text-muted">No hook has that. Use fewer or other words.</p>
            ) : (
              <HookList view={view} hooks={found} chosen={chosen} onChoose={(id) => show({ chosen: id })} />
            )}
          </>
        )
      }
      detail={hook === undefined ? null : <HookDetail key={hook.id} hook={hook} view={view} />}
      detailLabel="Details of the hook"
      hint={
        view.hooks.length === 0 ? (
          <Hint title="What a hook is told">
            One line of JSON on stdin: the event, the session, the call. What it prints and its exit code decide.
          </Hint>
        ) : (
          <Hint title="Choose a hook">What it runs, what is wrong with it, its last runs and a trial show here.</Hint>
        )
      }
      back="All hooks"
      onBack={() => show({ chosen: null })}
    />
  );
}

function NoHooks({ view, onAdd }: { readonly view: HooksView; readonly onAdd: () => void }) {
  const home = useApp((app) => app.hello?.home ?? '');
  const files = view.files.flatMap(({ path }) => (path === null ? [] : [homePath(path, home)]));
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center overflow-y-auto px-6">
      <div className="my-auto w-full max-w-110 py-8">
        <h2 className="font-semibold text-title">No hooks yet</h2>
        <p className="mt-1 text-muted">
          A hook is a command, a web address or a prompt that is asked at a moment you choose: before a call, after an
          edit, when a turn ends. It can refuse, change or add something.
        </p>
        <Button variant="primary" icon={Plus} className="mt-4" onClick={onAdd}>
          Add a hook
        </Button>
        <h3 className="mt-6 font-semibold text-head text-muted">Looked for in</h3>
        <ul className="mt-1">
          {files.map((path) => (
            <li key={path} className="chat-verbatim font-mono text-mono text-muted">
              {path}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

const columns =
  'grid grid-cols-[minmax(0,1fr)_5.5rem] @xl:grid-cols-[minmax(0,9rem)_minmax(0,1fr)_5rem_6.5rem] items-center gap-x-3 px-4';

function HookList(props: {
  readonly view: HooksView;
  readonly hooks: readonly HookEntry[];
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}) {
  const { view, hooks, chosen, onChoose } = props;
  const groups = useMemo(() => groupHooks(hooks, view.events), [hooks, view.events]);
  const ids = useMemo(() => groups.flatMap((group) => group.hooks.map(({ id }) => id)), [groups]);
  const rowProps = useGridKeys({ ids, chosen, onChoose });
  return (
    <div className="@container min-h-0 flex-1 overflow-y-auto">
      {/* biome-ignore lint/a11y/useSemanticElements: a table element cannot keep its heads in place beside grid columns. */}
      <div role="grid" aria-label="Hooks" aria-rowcount={hooks.length + groups.length}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: see above.
          <div key={group.event} role="rowgroup" aria-label={group.event}>
            {/* biome-ignore-start lint/a11y/useSemanticElements: see above. */}
            {/* biome-ignore-start lint/a11y/useFocusableInteractive: heads have nothing to do. */}
            <div
              role="row"
              className="sticky top-0 z-10 border-line border-b bg-background px-4 py-1.5 font-semibold text-head text-muted"
            >
              <div role="columnheader" className="flex items-center gap-2">
                <VisibleText text={group.event} />
                {group.known ? null : <Badge tone="deny">no event</Badge>}
                <span className="font-normal text-dim">{group.hooks.length}</span>
              </div>
            </div>
            {/* biome-ignore-end lint/a11y/useFocusableInteractive: heads have nothing to do. */}
            {/* biome-ignore-end lint/a11y/useSemanticElements: see above. */}
            {group.hooks.map((hook) => (
              <HookRow key={hook.id} hook={hook} selected={hook.id === chosen} row={rowProps(hook.id)} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

function HookRow(props: {
  readonly hook: HookEntry;
  readonly selected: boolean;
  readonly row: ReturnType<ReturnType<typeof useGridKeys>>;
}) {
  const { hook, selected, row } = props;
  const finding = gravest(hook.findings);
  const matcher = hook.matcher === '' || hook.matcher === '*' ? 'everything' : hook.matcher;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: the properties hold its place in the tab order.
    <div
      role="row"
      aria-selected={selected}
      {...row}
      className={classes(
        columns,
        'min-h-8.5 border-line/60 border-b py-1 -outline-offset-2',
        selected ? 'bg-selected' : 'hover:bg-hover',
        hook.state !== 'active' && hook.state !== 'elsewhere' && 'text-muted',
      )}
    >
      {/* biome-ignore-start lint/a11y/useSemanticElements: see the grid. */}
      {/* biome-ignore-start lint/a11y/useFocusableInteractive: the row has the focus. */}
      <div role="gridcell" className="hidden min-w-0 truncate font-mono text-mono @xl:block" title={hook.matcher}>
        <VisibleText text={matcher} />
      </div>
      <div role="gridcell" className="min-w-0">
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate font-mono text-mono" title={hook.label}>
            <VisibleText text={hook.label} />
          </span>
          {finding === null || finding.level === 'hint' ? null : (
            <span title={finding.text} className={finding.level === 'error' ? 'text-deny' : 'text-ask'}>
              <TriangleAlert aria-hidden size={14} strokeWidth={1.75} />
              <span className="sr-only">{finding.text}</span>
            </span>
          )}
        </span>
        <span className="block truncate font-mono text-dim text-mono @xl:hidden">
          <VisibleText text={matcher} />
        </span>
      </div>
      <div role="gridcell" className="hidden @xl:block">
        <Badge tone={hook.at.source === 'policySettings' ? 'accent' : 'neutral'}>{originOf(hook.at.source)}</Badge>
      </div>
      <div
        role="gridcell"
        className={classes('truncate text-right text-small', stateLooks[hook.state])}
        title={hook.because}
      >
        {stateWords[hook.state]}
      </div>
      {/* biome-ignore-end lint/a11y/useFocusableInteractive: the row has the focus. */}
      {/* biome-ignore-end lint/a11y/useSemanticElements: see the grid. */}
    </div>
  );
}

const stateLooks: Readonly<Record<HookEntry['state'], string>> = {
  active: 'text-hook',
  waits: 'text-ask',
  off: 'text-dim',
  broken: 'text-deny',
  elsewhere: 'text-muted',
};
