import { ArrowDown, ArrowUp, Columns2, FileText, FoldVertical, Pilcrow } from 'lucide-react';
import { Fragment, useEffect, useMemo, useRef, useState } from 'react';
import type { ToolCall } from '#shared/session/toolCall';
import type { View } from '#shared/tools/presentation';
import { useUi } from '../../../stores/ui';
import { classes } from '../../../ui/classes';
import { IconButton } from '../../../ui/IconButton';
import { VisibleText } from '../../../ui/VisibleText';
import { TakeBack } from '../../changes/TakeBack';
import { counted } from '../../frame/words';
import { isPressOf, useKeys } from '../../palette/keysInForce';
import { viewOf } from '../cards/openCards';
import { type DiffModel, type DiffRow, diffModel, type Side } from '../views/diffModel';
import { useDiffLook } from './diffLook';
import { Hint } from './Hint';

type Diff = Extract<View, { kind: 'diff' }>;

/** What the call changes in its file. */
export function DiffTab({ call }: { readonly call: ToolCall }) {
  const view = viewOf(call);
  if (view?.kind !== 'diff')
    return <Hint title="No change to a file">Calls that edit or create a file show what they change here.</Hint>;
  return <Change key={call.callId} call={call} view={view} />;
}

function Change({ call, view }: { readonly call: ToolCall; readonly view: Diff }) {
  const look = useDiffLook();
  const { split, ignoreBlanks, fold } = look;
  const model = useMemo(() => diffModel(view.hunks, { split, ignoreBlanks, fold }), [view, split, ignoreBlanks, fold]);
  const [at, setAt] = useState(-1);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const box = useRef<HTMLDivElement>(null);
  const go = (by: 1 | -1) => {
    if (model.changes === 0) return;
    const next = at === -1 ? (by === 1 ? 0 : model.changes - 1) : (at + by + model.changes) % model.changes;
    setAt(next);
    box.current?.querySelector(`[data-change="${next}"]`)?.scrollIntoView?.({ block: 'center' });
  };
  const goNow = useRef(go);
  goNow.current = go;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const by = isPressOf(event, 'nextChange') ? 1 : isPressOf(event, 'previousChange') ? -1 : 0;
      if (by === 0 || event.defaultPrevented) return;
      event.preventDefault();
      goNow.current(by);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  const nextKeys = useKeys('nextChange');
  const previousKeys = useKeys('previousChange');
  const position = at === -1 ? counted(model.changes, 'change') : `${at + 1} of ${model.changes}`;
  return (
    <div ref={box} className="bg-code">
      <div className="sticky top-0 z-10 border-line border-b bg-panel">
        <PathLine call={call} view={view} />
        <div className="flex flex-wrap items-center gap-1 px-3 pb-1.5">
          <Choice
            icon={Columns2}
            label="Both sides beside each other"
            on={split}
            onChange={(on) => look.set({ split: on })}
          />
          <Choice
            icon={Pilcrow}
            label="Ignore blanks"
            on={ignoreBlanks}
            onChange={(on) => look.set({ ignoreBlanks: on })}
          />
          <Choice
            icon={FoldVertical}
            label="Fold unchanged lines"
            on={fold}
            onChange={(on) => look.set({ fold: on })}
          />
          <span role="status" className="ml-auto text-muted text-small">
            {position}
          </span>
          <IconButton
            size="small"
            icon={ArrowUp}
            label="Previous change"
            keys={previousKeys}
            disabled={model.changes === 0}
            onClick={() => go(-1)}
          />
          <IconButton
            size="small"
            icon={ArrowDown}
            label="Next change"
            keys={nextKeys}
            disabled={model.changes === 0}
            onClick={() => go(1)}
          />
        </div>
      </div>
      {model.ends !== null && <Remark>{model.ends}</Remark>}
      {model.changes === 0 && !view.truncated && (
        <Remark>{ignoreBlanks && view.hunks.length > 0 ? 'Only blanks change.' : 'No lines change.'}</Remark>
      )}
      <Rows
        model={model}
        view={view}
        split={split}
        at={at}
        opened={opened}
        onOpen={(key) => setOpened(new Set([...opened, key]))}
      />
      {view.truncated && (
        <p className="border-line border-t px-3.5 py-1.5 text-ask text-small">
          The change is longer than is shown here. The tab Call has the whole input.
        </p>
      )}
    </div>
  );
}

function PathLine({ call, view }: { readonly call: ToolCall; readonly view: Diff }) {
  const showFile = useUi((ui) => ui.showFile);
  return (
    <div className="flex min-w-0 items-center gap-2 py-1.5 pr-3 pl-4">
      <p className="chat-verbatim min-w-0 flex-1 font-mono text-mono">
        <VisibleText text={view.path} />
      </p>
      <span className="shrink-0 text-small">
        {view.created ? <span className="text-muted">new · </span> : null}
        <span className="text-added">+{view.added}</span> <span className="text-removed">−{view.removed}</span>
      </span>
      <IconButton
        size="small"
        icon={FileText}
        label="Show the file as it is now"
        onClick={() => showFile({ path: view.path, line: view.hunks[0]?.newStart ?? null })}
      />
      <TakeBack call={call} />
    </div>
  );
}

function Choice(props: {
  readonly icon: typeof Columns2;
  readonly label: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}) {
  const { icon, label, on, onChange } = props;
  return <IconButton size="small" icon={icon} label={label} aria-pressed={on} onClick={() => onChange(!on)} />;
}

function Remark({ children }: { readonly children: string }) {
  return <p className="border-line border-b px-4 py-1 text-muted text-small">{children}</p>;
}

function Rows(props: {
  readonly model: DiffModel;
  readonly view: Diff;
  readonly split: boolean;
  readonly at: number;
  readonly opened: ReadonlySet<string>;
  readonly onOpen: (key: string) => void;
}) {
  const { model, view, split, at, opened, onOpen } = props;
  const columns = split ? 6 : 4;
  return (
    <table className={classes('w-full border-collapse font-mono text-mono', split && 'table-fixed')}>
      <caption className="sr-only">
        Change to {view.path}: {counted(view.added, 'line')} added, {view.removed} removed
      </caption>
      {split && (
        <colgroup>
          <col className="w-10" />
          <col className="w-4" />
          <col />
          <col className="w-10" />
          <col className="w-4" />
          <col />
        </colgroup>
      )}
      <tbody>
        {model.rows.map((row) =>
          row.kind === 'lines' ? (
            split ? (
              <SplitRow key={row.key} row={row} current={row.change === at && at !== -1} />
            ) : (
              <UnifiedRow key={row.key} row={row} current={row.change === at && at !== -1} />
            )
          ) : (
            <tr key={row.key} className="bg-panel">
              <td colSpan={columns} className="border-line border-y px-3.5 text-dim leading-[18px]">
                {row.kind === 'gap' ? (
                  <span title="Lines left out">⋯</span>
                ) : opened.has(row.key) ? (
                  <Unfolded view={view} place={row.key} />
                ) : (
                  <button
                    type="button"
                    className="font-sans text-small hover:text-text"
                    onClick={() => onOpen(row.key)}
                  >
                    {counted(row.count, 'unchanged line')}
                  </button>
                )}
              </td>
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
}

/** Lines that were folded away, by the hunk and the place in it that their key names. */
function Unfolded({ view, place }: { readonly view: Diff; readonly place: string }) {
  const [hunk = 0, from = 0] = place.split('-').map(Number);
  const lines = view.hunks[hunk]?.lines.slice(from) ?? [];
  const end = lines.findIndex((line) => line.sign !== ' ');
  return (
    <>
      {lines.slice(0, end === -1 ? undefined : end).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text have no other identity and never move.
        <div key={index} className="chat-verbatim min-h-[18px] text-muted">
          <VisibleText text={line.text} />
        </div>
      ))}
    </>
  );
}

type LinesRow = Extract<DiffRow, { kind: 'lines' }>;

const looks = { '+': 'bg-added-tint text-added', '-': 'bg-removed-tint text-removed', ' ': 'text-muted' } as const;

function anchor(row: LinesRow) {
  return row.first ? { 'data-change': row.change } : {};
}

function UnifiedRow({ row, current }: { readonly row: LinesRow; readonly current: boolean }) {
  const side = row.new ?? row.old;
  if (side === null) return null;
  const { sign } = side.line;
  return (
    <tr {...anchor(row)} className={classes(looks[sign], current && 'outline-1 outline-accent -outline-offset-1')}>
      <LineNumber value={sign === '+' ? null : (row.old?.number ?? null)} />
      <LineNumber value={sign === '-' ? null : (row.new?.number ?? null)} />
      <SideCells side={side} />
    </tr>
  );
}

function SplitRow({ row, current }: { readonly row: LinesRow; readonly current: boolean }) {
  return (
    <tr {...anchor(row)} className={classes(current && 'outline-1 outline-accent -outline-offset-1')}>
      {[row.old, row.new].map((side, index) => {
        const key = index === 0 ? 'old' : 'new';
        if (side === null) return <td key={key} colSpan={3} className="border-line bg-panel not-first:border-l" />;
        const look = looks[row.change < 0 ? ' ' : side.line.sign];
        return (
          <Fragment key={key}>
            <LineNumber value={side.number} look={classes(look, index === 1 && 'border-line border-l')} />
            <SideCells side={side} look={look} />
          </Fragment>
        );
      })}
    </tr>
  );
}

function LineNumber({ value, look }: { readonly value: number | null; readonly look?: string }) {
  return (
    <td
      className={classes('w-10 min-w-10 select-none pr-2 text-right align-top text-muted', look)}
      aria-hidden={value === null}
    >
      {value}
    </td>
  );
}

function SideCells({ side, look }: { readonly side: Side; readonly look?: string }) {
  const { line, mark } = side;
  const words = line.sign === '+' ? 'added' : line.sign === '-' ? 'removed' : '';
  return (
    <>
      <td className={classes('w-4 select-none text-center align-top', look)}>
        <span aria-hidden="true">{line.sign === '-' ? '−' : line.sign}</span>
        <span className="sr-only">{words}</span>
      </td>
      <td className={classes('chat-verbatim pr-3 pl-1.5 align-top', look)}>
        {mark === undefined ? (
          <VisibleText text={line.text} />
        ) : (
          <>
            <VisibleText text={line.text.slice(0, mark.from)} />
            <mark className="rounded-[3px] bg-[color-mix(in_srgb,currentColor_20%,transparent)] text-inherit">
              <VisibleText text={line.text.slice(mark.from, mark.to)} />
            </mark>
            <VisibleText text={line.text.slice(mark.to)} />
          </>
        )}
        {line.text === '' && ' '}
        {line.sign !== ' ' && line.end !== undefined && (
          <span
            title={
              line.end === 'crlf'
                ? 'The line ends with carriage return and line feed'
                : 'The file ends without a line break'
            }
            className="ml-1.5 select-none rounded-small border border-current/40 px-1 text-head"
          >
            {line.end === 'crlf' ? 'CRLF' : 'no line end'}
          </span>
        )}
      </td>
    </>
  );
}
