import { ListChecks } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { draftOf, editsOf, useRuleDraft } from '../../stores/ruleDraft';
import { useRules } from '../../stores/rules';
import { followRulesPage, useRulesPage } from '../../stores/rulesPage';
import { useSession } from '../../stores/session';
import { Banner } from '../../ui/Banner';
import { Button } from '../../ui/Button';
import { Skeleton } from '../../ui/Skeleton';
import '../chat/chat.css';
import { NeedsFolder } from '../frame/NeedsFolder';
import { MasterDetail } from '../tools/MasterDetail';
import { DraftBar } from './DraftBar';
import { FileView } from './file/FileView';
import { LabPane } from './lab/LabPane';
import { PolicyView } from './policy/PolicyView';
import { RulesToolbar } from './RulesToolbar';
import { removeRules } from './ruleActions';
import { BulkBar } from './table/BulkBar';
import { Filters } from './table/Filters';
import { NoRules } from './table/NoRules';
import { RuleTable } from './table/RuleTable';
import { filterRows, linesOf, type RuleRow, rowsOf, sortRows } from './table/rows';
import type { RuleGridActions } from './table/useRuleGrid';
import { usePageKeys } from './usePageKeys';

/** The rules of all eight sources: table, text and what is in force, with the laboratory beside them. */
export function RulesPage() {
  const status = useSession((session) => session.status);
  useEffect(() => followRulesPage(), []);
  switch (status) {
    case 'none':
      return <NeedsFolder icon={ListChecks}>Rules count for a folder. Open one to see and change them.</NeedsFolder>;
    case 'loading':
      return <Skeleton label="Opening the session" className="p-8" rows={5} />;
    case 'failed':
    case 'ready':
      return <SessionRules />;
  }
}

function SessionRules() {
  const rows = useRows();
  const view = useRulesPage((page) => page.view);
  const problem = useRulesPage((page) => page.problem);
  const active = useRulesPage((page) => page.active);
  const tab = useRulesPage((page) => page.tab);
  const writing = useRulesPage((page) => page.writing);
  const show = useRulesPage((page) => page.show);
  const row = rows?.find(({ key }) => key === active);
  usePageKeys();
  return (
    <div className="chat-colors flex min-h-0 flex-1">
      <MasterDetail
        list={
          <>
            <RulesToolbar />
            {problem === '' ? null : (
              <Banner level="error" title="The rules could not be loaded.">
                {problem}
              </Banner>
            )}
            {view === 'table' ? (
              <TableView rows={rows} />
            ) : view === 'text' ? (
              <FileView rows={rows ?? []} />
            ) : (
              <PolicyView />
            )}
            <DraftBar />
          </>
        }
        detail={row === undefined && writing === null && tab === 'rule' ? null : <LabPane row={row} />}
        detailLabel="Rule laboratory"
        hint={<LabPane row={row} />}
        back="All rules"
        onBack={() => show({ active: null, editing: false, writing: null, tab: 'rule' })}
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

function TableView({ rows }: { readonly rows: readonly RuleRow[] | null }) {
  const { grouping, order, descending, search, sources, verdicts, chosen, show } = useRulesPage();
  const files = useRules((rules) => rules.view?.files);
  const shown = useMemo(
    () => (rows === null ? [] : filterRows(rows, { sources, verdicts, search })),
    [rows, sources, verdicts, search],
  );
  const lines = useMemo(
    () => linesOf(sortRows(shown, { order, descending }), grouping, { sources, verdicts, search }),
    [shown, order, descending, grouping, sources, verdicts, search],
  );
  const chosenNow = useMemo(() => {
    const keys = new Set(chosen);
    return (rows ?? []).filter(({ key }) => keys.has(key));
  }, [rows, chosen]);
  const open = (key: string, editing: boolean) =>
    show({ active: key, editing, chosen: [], writing: null, tab: 'rule' });
  const actions: RuleGridActions = {
    onOpen: (key) => open(key, false),
    onEdit: (key) => open(key, true),
    onOpenSource: (source) => {
      const file = files?.find((one) => one.source === source);
      if (file !== undefined) show({ view: 'text', file: file.path, line: null });
    },
    onRemove: () => {
      const keys = new Set(useRulesPage.getState().chosen);
      removeRules((rows ?? []).filter(({ key }) => keys.has(key)));
    },
    onMove: () => show({ moving: true }),
  };
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
        <RuleTable lines={lines} rows={rows} actions={actions} />
      )}
    </>
  );
}
