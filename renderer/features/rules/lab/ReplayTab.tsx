import { Download } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import type { HistoryState, Replay, ReplayFilter, ReplayRow } from '#shared/api/history';
import { host } from '../../../host/client';
import { useRulesPage } from '../../../stores/rulesPage';
import { Button } from '../../../ui/Button';
import { Menu, MenuItem } from '../../../ui/Menu';
import { Select } from '../../../ui/Select';
import { Skeleton } from '../../../ui/Skeleton';
import { TextField } from '../../../ui/TextField';
import { Verdict } from '../../../ui/Verdict';
import { Hint } from '../../chat/inspector/Hint';
import { counted } from '../../frame/words';
import { saveDraft } from '../actions';
import { exportReplay } from './exportReplay';
import { IndexProgress } from './IndexProgress';
import { useLab, useStaged } from './lab';
import { ReplayedCall } from './ReplayedCall';
import { ReplayMatrix } from './ReplayMatrix';
import { ReplayRows } from './ReplayRows';
import { headline } from './replayWords';
import { useAnswer } from './useAnswer';
import { useHistoryState } from './useHistoryState';

/** Milliseconds after the last change before the past is decided anew. */
const settleMs = 80;
/** Rows that are asked for at once. */
const page = 200;

const spans = ['7', '30', '90', '365'] as const;

/** What the unsaved changes would have done in the past. */
export function ReplayTab() {
  const { sessionId, draft } = useStaged();
  const { where, days, filter, set } = useLab();
  const state = useHistoryState();
  const [limit, setLimit] = useState(page);
  const [open, setOpen] = useState<ReplayRow | null>(null);
  const scope = { sessionId: sessionId ?? '', where, days };
  // A finished reading brings other calls; while one is under way the numbers follow it in coarse steps.
  const read =
    state === null ? '' : state.phase === 'reading' ? `reading ${Math.floor(state.calls / 2_000)}` : state.calls;
  const { value, problem, isAsking } = useAnswer({
    key: sessionId === null ? null : JSON.stringify([scope, draft, filter, limit, read]),
    settleMs,
    ask: () => host().call('history.replay', { scope, draft, filter, offset: 0, limit }),
  });
  const more = useCallback(() => setLimit((before) => Math.min(before + page, 500)), []);
  const choose = (change: Pick<ReplayFilter, 'before' | 'after'>) => {
    setLimit(page);
    set({ filter: { text: filter.text, ...change } });
  };
  useEffect(() => {
    if (sessionId === null) setOpen(null);
  }, [sessionId]);
  if (open !== null) return <ReplayedCall row={open} scope={scope} draft={draft} onBack={() => setOpen(null)} />;
  return (
    <div className="flex flex-col gap-3 px-4 py-3.5">
      <div className="grid grid-cols-2 gap-3">
        <Select
          label="Calls made"
          hideLabel
          value={where}
          options={[
            { value: 'folder', label: 'In this folder' },
            { value: 'everywhere', label: 'Everywhere' },
          ]}
          onChange={(value) => set({ where: value })}
        />
        <Select
          label="Time"
          hideLabel
          value={String(days)}
          options={spans.map((value) => ({ value, label: `${value} days` }))}
          onChange={(value) => set({ days: Number(value) })}
        />
      </div>
      <IndexProgress state={state} />
      {problem === '' ? null : (
        <p role="alert" className="break-words text-deny">
          {problem}
        </p>
      )}
      {value === null ? (
        problem === '' && <Skeleton label="Deciding past calls anew" rows={7} />
      ) : value.calls === 0 ? (
        <NoHistory state={state} />
      ) : (
        <Outcome replay={value} isAsking={isAsking} onChoose={choose} onOpen={setOpen} onMore={more} />
      )}
    </div>
  );
}

function NoHistory({ state }: { readonly state: HistoryState | null }) {
  const { where, set } = useLab();
  if (state?.phase === 'reading') return null;
  const elsewhere = state !== null && state.calls > 0;
  return (
    <Hint title={elsewhere ? 'No calls were made here in this time' : 'No past calls yet'}>
      {elsewhere
        ? `${counted(state.calls, 'call')} from other folders or earlier days are known. `
        : `Sessions here and Claude Code’s transcripts ${state === null || state.folder === '' ? '' : `in ${state.folder} `}are read; as soon as there are calls, each change of a rule shows which of them would go otherwise.`}
      {elsewhere && where === 'folder' ? (
        <Button size="small" className="mt-2" onClick={() => set({ where: 'everywhere', days: 365 })}>
          Look everywhere, 365 days
        </Button>
      ) : null}
    </Hint>
  );
}

function Outcome(props: {
  readonly replay: Replay;
  readonly isAsking: boolean;
  readonly onChoose: (change: Pick<ReplayFilter, 'before' | 'after'>) => void;
  readonly onOpen: (row: ReplayRow) => void;
  readonly onMore: () => void;
}) {
  const { replay, isAsking, onChoose, onOpen, onMore } = props;
  const { sessionId, draft } = useStaged();
  const { where, days, filter, set } = useLab();
  const preview = useRulesPage((store) => store.preview);
  const show = useRulesPage((store) => store.show);
  const shared = preview?.files.some((file) => file.shared) ?? false;
  const undetermined = replay.undetermined.reduce((sum, { calls }) => sum + calls, 0);
  // Files that others share are looked at before they are written.
  const save = () => (shared ? show({ reviewing: true }) : void saveDraft());
  return (
    <div aria-busy={isAsking} className="flex flex-col gap-3">
      <div>
        <h2 className="font-semibold text-title">
          {draft.length === 0 ? `Your rules against ${days} days of calls` : `Your draft against ${days} days of calls`}
        </h2>
        <p role="status">{headline(replay, days)}</p>
        <p className="text-muted text-small">
          from {counted(replay.sessions, 'session')} · computed from the documented rules
        </p>
      </div>
      {draft.length === 0 ? (
        <p className="rounded-control bg-panel px-3 py-2 text-muted">
          Nothing is changed yet. Add, change or remove a rule, and the calls that would go otherwise show here before
          anything is saved.
        </p>
      ) : null}
      <ReplayMatrix matrix={replay.matrix} filter={filter} onChoose={onChoose} />
      {undetermined === 0 ? null : (
        <div>
          <button
            type="button"
            aria-pressed={filter.after === 'undetermined'}
            onClick={() => onChoose(filter.after === 'undetermined' ? {} : { after: 'undetermined' })}
            className="rounded-small px-1 hover:bg-hover aria-pressed:bg-selected"
          >
            <Verdict verdict="undetermined" word={`${undetermined.toLocaleString('en')} undetermined`} />
          </button>
          <ul className="mt-0.5 pl-6 text-muted text-small">
            {replay.undetermined.map(({ reason, calls }) => (
              <li key={reason}>
                {calls.toLocaleString('en')}: {reason}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <TextField
          label="Filter calls"
          hideLabel
          type="search"
          placeholder="Filter: command, path, tool"
          className="min-w-36 flex-1"
          value={filter.text}
          onChange={(text) => set({ filter: { ...filter, text } })}
        />
        <Menu
          label="Export"
          trigger={
            <Button icon={Download} disabled={replay.rowsInAll === 0}>
              Export
            </Button>
          }
        >
          {(['csv', 'json', 'markdown'] as const).map((format) => (
            <MenuItem
              key={format}
              onSelect={() =>
                void exportReplay({ scope: { sessionId: sessionId ?? '', where, days }, draft, filter, format })
              }
            >
              {{ csv: 'CSV', json: 'JSON', markdown: 'Markdown' }[format]}
            </MenuItem>
          ))}
        </Menu>
        {draft.length === 0 ? null : (
          <Button variant="primary" disabled={(preview?.problems.length ?? 0) > 0} onClick={save}>
            Save draft{shared ? '…' : ''}
          </Button>
        )}
      </div>
      <Rows replay={replay} onOpen={onOpen} onMore={onMore} onAll={() => onChoose({})} />
    </div>
  );
}

function Rows(props: {
  readonly replay: Replay;
  readonly onOpen: (row: ReplayRow) => void;
  readonly onMore: () => void;
  readonly onAll: () => void;
}) {
  const { replay, onOpen, onMore, onAll } = props;
  const filter = useLab((lab) => lab.filter);
  const isFiltered = filter.before !== undefined || filter.after !== undefined;
  const first = replay.rows[0];
  const title =
    filter.after !== undefined
      ? `${filter.before === undefined ? '' : `Was ${filter.before}, `}now ${filter.after}`
      : first?.after === 'allow' && first.before !== 'allow'
        ? 'Newly allowed first, most dangerous on top'
        : 'Calls that would go otherwise';
  return (
    <section aria-label="Calls">
      <div className="flex items-center gap-2">
        <h3 className="min-w-0 flex-1 font-semibold text-head text-muted">
          {title.charAt(0).toUpperCase()}
          {title.slice(1)}
          {replay.rowsInAll === 0 ? '' : ` · ${replay.rowsInAll.toLocaleString('en')}`}
        </h3>
        {isFiltered ? (
          <Button size="small" variant="ghost" onClick={onAll}>
            Show all changes
          </Button>
        ) : null}
      </div>
      {replay.rows.length === 0 ? (
        <p className="mt-1 text-muted">
          {filter.text !== '' ? 'No call has that in its command, path or tool.' : 'No call would go otherwise.'}
        </p>
      ) : (
        <ReplayRows rows={replay.rows} inAll={replay.rowsInAll} onOpen={onOpen} onEnd={onMore} />
      )}
      {replay.rows.length < replay.rowsInAll && replay.rows.length >= 500 ? (
        <p className="mt-1 text-dim text-small">
          The first {replay.rows.length} of {counted(replay.rowsInAll, 'row')}. Filter, or export all.
        </p>
      ) : null}
    </section>
  );
}
