import { FileText, FlaskConical, Layers, ListChecks, Plus, Redo2, Rows3, ShieldCheck, Undo2 } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { draftOf, editsOf, useRuleDraft } from '../../stores/ruleDraft';
import { useRules } from '../../stores/rules';
import { followRulesPage, type RuleGrouping, useRulesPage } from '../../stores/rulesPage';
import { useSession } from '../../stores/session';
import { Banner } from '../../ui/Banner';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { IconButton } from '../../ui/IconButton';
import { Menu, MenuChoices } from '../../ui/Menu';
import { Skeleton } from '../../ui/Skeleton';
import { TextField } from '../../ui/TextField';
import '../chat/chat.css';
import { EmptyState } from '../frame/EmptyState';
import { MasterDetail } from '../tools/MasterDetail';
import { redoLast, saveDraft, undoLast } from './actions';
import { DraftBar } from './DraftBar';
import { FileView } from './file/FileView';
import { LabPane } from './lab/LabPane';
import { PolicyView } from './policy/PolicyView';
import { BulkBar } from './table/BulkBar';
import { Filters } from './table/Filters';
import { NoRules } from './table/NoRules';
import { RuleTable } from './table/RuleTable';
import { filterRows, linesOf, type RuleRow, rowsOf } from './table/rows';

/** The rules of all eight sources: table, text and what is in force, with the laboratory beside them. */
export function RulesPage() {
  const status = useSession((session) => session.status);
  useEffect(() => followRulesPage(), []);
  switch (status) {
    case 'none':
      return <NoSession />;
    case 'loading':
      return <Skeleton label="Opening the session" className="p-8" rows={5} />;
    case 'failed':
    case 'ready':
      return <SessionRules />;
  }
}

/** Project rules belong to a folder. */
function NoSession() {
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <p className="flex items-center gap-2.5 border-line border-b px-4 py-3 text-muted">
        <ListChecks aria-hidden size={17} strokeWidth={1.75} className="shrink-0" />
        Rules count for a folder. Open one to see and change them.
      </p>
      <div className="min-h-0 flex-1">
        <EmptyState />
      </div>
    </div>
  );
}

const groupings: readonly { readonly value: RuleGrouping; readonly label: string }[] = [
  { value: 'source', label: 'Group by source' },
  { value: 'tool', label: 'Group by tool' },
  { value: 'verdict', label: 'Group by verdict' },
  { value: 'none', label: 'No groups' },
];

function SessionRules() {
  const rows = useRows();
  const view = useRulesPage((page) => page.view);
  const problem = useRulesPage((page) => page.problem);
  const active = useRulesPage((page) => page.active);
  const tab = useRulesPage((page) => page.tab);
  const writing = useRulesPage((page) => page.writing);
  const show = useRulesPage((page) => page.show);
  const row = rows?.find(({ key }) => key === active);
  useKeys();
  return (
    <div className="chat-colors flex min-h-0 flex-1">
      <MasterDetail
        list={
          <>
            <Toolbar />
            {problem === '' ? null : (
              <Banner level="error" title="The rules could not be loaded.">
                {problem}
              </Banner>
            )}
            {view === 'table' ? <TableView rows={rows} /> : view === 'text' ? <FileView /> : <PolicyView />}
            <DraftBar />
          </>
        }
        detail={row === undefined && writing === null && tab === 'rule' ? null : <LabPane row={row} />}
        detailLabel="Rule laboratory"
        hint={<LabPane row={row} />}
        back="All rules"
        onBack={() => show({ active: null, writing: null, tab: 'rule' })}
      />
    </div>
  );
}

/** All rows as they would stand after the draft; null until they have come. */
function useRows(): readonly RuleRow[] | null {
  const sessionId = useRulesPage((page) => page.sessionId);
  const preview = useRulesPage((page) => page.preview);
  const findings = useRulesPage((page) => page.findings);
  const usage = useRulesPage((page) => page.usage);
  const notes = useRulesPage((page) => page.notes);
  const draft = useRuleDraft((store) => editsOf(draftOf(store, sessionId)));
  const expiring = useRules((rules) => rules.view?.expiring);
  const managedOnly = useRules((rules) => rules.view?.managedOnly ?? false);
  return useMemo(
    () =>
      preview === null
        ? null
        : rowsOf({ preview, draft, findings: findings ?? [], usage, notes, expiring: expiring ?? [], managedOnly }),
    [preview, draft, findings, usage, notes, expiring, managedOnly],
  );
}

function Toolbar() {
  const sessionId = useRulesPage((page) => page.sessionId);
  const view = useRulesPage((page) => page.view);
  const grouping = useRulesPage((page) => page.grouping);
  const search = useRulesPage((page) => page.search);
  const steps = useRulesPage((page) => page.steps);
  const show = useRulesPage((page) => page.show);
  const draft = useRuleDraft((store) => draftOf(store, sessionId));
  const undo = draft.steps.length > 0 ? 'Undo the last change of the draft' : (steps.undo?.label ?? null);
  const redo = draft.undone.length > 0 ? 'Make it again' : (steps.redo?.label ?? null);
  return (
    <header className="flex min-h-11.5 shrink-0 flex-wrap items-center gap-2 border-line border-b px-3 py-1.5">
      <h1 className="mr-1 font-semibold text-title">Rules</h1>
      <fieldset aria-label="View" className="flex gap-1">
        <Chip icon={Rows3} aria-pressed={view === 'table'} onClick={() => show({ view: 'table' })}>
          Table
        </Chip>
        <Chip icon={FileText} aria-pressed={view === 'text'} onClick={() => show({ view: 'text', line: null })}>
          Text
        </Chip>
        <Chip icon={ShieldCheck} aria-pressed={view === 'policy'} onClick={() => show({ view: 'policy' })}>
          In force
        </Chip>
      </fieldset>
      {view === 'table' ? (
        <>
          <Menu
            label="Grouping"
            trigger={<Chip icon={Layers}>{groupings.find(({ value }) => value === grouping)?.label ?? 'Groups'}</Chip>}
          >
            <MenuChoices value={grouping} choices={groupings} onChoose={(value) => show({ grouping: value })} />
          </Menu>
          <TextField
            label="Filter rules"
            hideLabel
            type="search"
            placeholder="Filter: tool, text, remark"
            className="min-w-36 flex-1"
            value={search}
            onChange={(text) => show({ search: text })}
          />
        </>
      ) : (
        <span className="flex-1" />
      )}
      <IconButton
        label={undo === null ? 'Nothing to undo' : `Undo: ${undo}`}
        keys="Mod+Z"
        icon={Undo2}
        disabled={undo === null}
        onClick={() => void undoLast()}
      />
      <IconButton
        label={redo === null ? 'Nothing to make again' : `Make again: ${redo}`}
        keys="Mod+Shift+Z"
        icon={Redo2}
        disabled={redo === null}
        onClick={() => void redoLast()}
      />
      <IconButton
        label="Laboratory"
        icon={FlaskConical}
        className="min-[1000px]:hidden"
        onClick={() => show({ tab: 'try' })}
      />
      <Button
        variant="primary"
        icon={Plus}
        onClick={() =>
          show({ tab: 'rule', active: null, writing: { behavior: 'allow', text: '', source: 'localSettings' } })
        }
      >
        Add rule
      </Button>
    </header>
  );
}

function TableView({ rows }: { readonly rows: readonly RuleRow[] | null }) {
  const { grouping, search, sources, verdicts, chosen, show } = useRulesPage();
  const shown = useMemo(
    () => (rows === null ? [] : filterRows(rows, { sources, verdicts, search })),
    [rows, sources, verdicts, search],
  );
  const lines = useMemo(
    () => linesOf(shown, grouping, { sources, verdicts, search }),
    [shown, grouping, sources, verdicts, search],
  );
  const chosenNow = useMemo(() => {
    const keys = new Set(chosen);
    return (rows ?? []).filter(({ key }) => keys.has(key));
  }, [rows, chosen]);
  if (rows === null) return <Skeleton label="Loading the rules" className="flex-1 p-6" rows={8} />;
  if (rows.length === 0) return <NoRules />;
  return (
    <>
      <Filters rows={rows} />
      <BulkBar rows={chosenNow} />
      <p role="status" className="sr-only">
        {shown.length === rows.length ? '' : `${shown.length} of ${rows.length} rules`}
      </p>
      {shown.length === 0 ? (
        <div className="px-5 py-8 text-center">
          <p className="font-medium">No rule fits</p>
          <Button className="mt-3" onClick={() => show({ search: '', sources: [], verdicts: [] })}>
            Show all {rows.length}
          </Button>
        </div>
      ) : (
        <RuleTable
          lines={lines}
          rows={rows}
          onOpen={(key) => show({ active: key, chosen: [], writing: null, tab: 'rule' })}
        />
      )}
    </>
  );
}

/** Keys of the page: undo, redo and save wherever the focus is, but in a text field it undoes its own text. */
function useKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return;
      const typing =
        event.target instanceof HTMLElement &&
        (event.target.isContentEditable || /^(INPUT|TEXTAREA)$/.test(event.target.tagName));
      if (event.code === 'KeyS' && !event.shiftKey && useRulesPage.getState().view === 'table') {
        event.preventDefault();
        const { sessionId, preview } = useRulesPage.getState();
        const staged = draftOf(useRuleDraft.getState(), sessionId).steps.length > 0;
        // Shared files are shown first: their button does that.
        if (staged && preview !== null && preview.problems.length === 0 && !preview.files.some(({ shared }) => shared))
          void saveDraft();
        else if (staged) useRulesPage.getState().show({ reviewing: true });
      } else if (event.code === 'KeyZ' && !typing) {
        event.preventDefault();
        void (event.shiftKey ? redoLast() : undoLast());
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
