import { ChevronRight, Copy, Link } from 'lucide-react';
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { JsonNode } from '#shared/api/results';
import { host } from '../../../host/client';
import { type RowPlace, useResultsPage, viewOf } from '../../../stores/resultsPage';
import { messageOf, reportFailure } from '../../../stores/toasts';
import { classes } from '../../../ui/classes';
import { IconButton } from '../../../ui/IconButton';
import { Skeleton } from '../../../ui/Skeleton';
import { VisibleText } from '../../../ui/VisibleText';
import { counted } from '../../frame/words';
import { copyText } from '../actions';
import { CannotShow } from './CannotShow';
import { type Branch, type JsonPath, layTree, pathWords, type TreeRow } from './jsonTree';
import { LongRows, type LongRowsHandle } from './LongRows';
import { createPages } from './pages';

/** In pixels. */
const rowHeight = 22;
const pageNodes = 100;
const maxNodes = 20_000;
const top: RowPlace = { row: 0, offset: 0 };

type Value = Omit<JsonNode, 'key'>;

/** A JSON file as a tree whose values are read as they are opened. */
export function JsonView({ id }: { readonly id: string }) {
  const [root, setRoot] = useState<Value | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let mine = true;
    host()
      .call('results.json', { id, path: [], from: 0, count: 1 })
      .then(
        (answer) => mine && setRoot({ ...answer.root, children: answer.total }),
        (error: unknown) => mine && setProblem(messageOf(error)),
      );
    return () => {
      mine = false;
    };
  }, [id]);
  if (problem !== '') return <CannotShow id={id} title="It cannot be shown as JSON." problem={problem} />;
  if (root === null) return <Skeleton label="Reading the file" className="p-6" rows={6} />;
  return <Tree id={id} root={root} />;
}

function Tree({ id, root }: { readonly id: string; readonly root: Value }) {
  const opened = useResultsPage((page) => viewOf(page.views, id).opened);
  const cursorWanted = useResultsPage((page) => viewOf(page.views, id).cursors.json ?? 0);
  const setView = useResultsPage((page) => page.setView);
  const rows = useRef<LongRowsHandle>(null);
  const [begin] = useState(() => viewOf(useResultsPage.getState().views, id).places.json ?? top);
  const [version, setVersion] = useState(0);
  const [drawn, setDrawn] = useState({ from: 0, to: 0 });
  const [problem, setProblem] = useState('');
  const known = useRef(new Map<string, Branch>());

  /** Opened values of which it is known where they are. */
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that came may tell the key of an opened value.
  const branches = useMemo(() => {
    const make = (place: string, path: JsonPath, total: number): Branch => {
      const before = known.current.get(place);
      if (before !== undefined) return before;
      const pages = createPages<JsonNode>({
        size: pageNodes,
        fetch: async (from, count) => (await host().call('results.json', { id, path: [...path], from, count })).nodes,
        maxWeight: maxNodes,
        onProblem: (error) => setProblem(messageOf(error)),
      });
      pages.subscribe(() => setVersion((before) => before + 1));
      const branch = { place, path, total, pages };
      known.current.set(place, branch);
      return branch;
    };
    const all = new Map<string, Branch>();
    // Parents come before what is in them.
    for (const place of [...opened].sort((a, b) => a.split('/').length - b.split('/').length || a.length - b.length)) {
      if (place === '') {
        all.set('', make('', [], root.children));
        continue;
      }
      const slash = place.lastIndexOf('/');
      const parent = all.get(slash === -1 ? '' : place.slice(0, slash));
      const node = parent?.pages.at(Number(place.slice(slash + 1)));
      if (parent !== undefined && node !== undefined && node.children > 0)
        all.set(place, make(place, [...parent.path, node.key], node.children));
    }
    return all;
  }, [id, opened, root, version]);
  const tree = useMemo(() => layTree(branches), [branches]);
  const cursor = Math.min(cursorWanted, tree.rows - 1);

  useEffect(() => {
    const wanted = new Map<string, { from: number; to: number }>();
    for (let row = drawn.from; row < Math.min(drawn.to, tree.rows); row += 1) {
      const { parent, index } = tree.rowAt(row);
      if (parent === null) continue;
      const range = wanted.get(parent);
      if (range === undefined) wanted.set(parent, { from: index, to: index + 1 });
      else {
        range.from = Math.min(range.from, index);
        range.to = Math.max(range.to, index + 1);
      }
    }
    for (const [place, range] of wanted) {
      const branch = branches.get(place);
      branch?.pages.want({ ...range, count: branch.total });
    }
  }, [tree, branches, drawn]);

  const valueAt = (row: TreeRow): { readonly value: Value; readonly path: JsonPath } | undefined => {
    if (row.parent === null) return { value: root, path: [] };
    const parent = branches.get(row.parent);
    const node = parent?.pages.at(row.index);
    return parent === undefined || node === undefined ? undefined : { value: node, path: [...parent.path, node.key] };
  };
  const goTo = (row: number): void => {
    const { cursors } = viewOf(useResultsPage.getState().views, id);
    setView(id, { cursors: { ...cursors, json: row } });
    rows.current?.show(row, 'nearest');
  };
  const toggle = (row: TreeRow): void => {
    if (opened.includes(row.place)) setView(id, { opened: opened.filter((place) => place !== row.place) });
    else if ((valueAt(row)?.value.children ?? 0) > 0) setView(id, { opened: [...opened, row.place] });
  };
  const copyValue = async (path: JsonPath): Promise<void> => {
    try {
      const { text, truncated } = await host().call('results.jsonText', { id, path: [...path] });
      copyText(text, truncated ? 'The first million characters of the value' : 'Value');
    } catch (error) {
      reportFailure('Nothing was copied.', error);
    }
  };
  const present = tree.rowAt(cursor);
  const chosen = valueAt(present);

  const onKey = (event: KeyboardEvent): boolean => {
    if ((event.ctrlKey || event.metaKey) && event.code === 'KeyC') {
      if (!(window.getSelection()?.isCollapsed ?? true) || chosen === undefined) return false;
      if (event.shiftKey) copyText(pathWords(chosen.path), 'Path of the value');
      else void copyValue(chosen.path);
      return true;
    }
    const isOpen = branches.has(present.place);
    switch (event.key) {
      case 'ArrowRight':
        if (isOpen) goTo(Math.min(tree.rows - 1, cursor + 1));
        else toggle(present);
        return true;
      case 'ArrowLeft':
        if (isOpen) toggle(present);
        else if (present.parent !== null) goTo(tree.rowOf(present.parent));
        return true;
      case 'Enter':
      case ' ':
        toggle(present);
        return true;
      default:
        return false;
    }
  };
  const onPlace = useCallback(
    (place: RowPlace) => {
      const { places } = viewOf(useResultsPage.getState().views, id);
      setView(id, { places: { ...places, json: place } });
    },
    [id, setView],
  );
  const onDrawn = useCallback((from: number, to: number) => setDrawn({ from, to }), []);

  return (
    <>
      <div className="flex min-h-9 shrink-0 items-center gap-1.5 border-line border-b px-3">
        <span className="min-w-0 flex-1 truncate font-mono text-mono text-muted" title={pathWords(chosen?.path ?? [])}>
          <VisibleText text={pathWords(chosen?.path ?? [])} />
        </span>
        <IconButton
          label="Copy the path of the value"
          keys="Mod+Shift+C"
          icon={Link}
          size="small"
          onClick={() => copyText(pathWords(chosen?.path ?? []), 'Path of the value')}
        />
        <IconButton
          label="Copy the value"
          keys="Mod+C"
          icon={Copy}
          size="small"
          onClick={() => void copyValue(chosen?.path ?? [])}
        />
      </div>
      {problem === '' ? null : (
        <p role="alert" className="border-line border-b px-3 py-1.5 text-deny text-small">
          {problem}
        </p>
      )}
      <div className="flex min-h-0 flex-1 flex-col bg-code">
        <LongRows
          ref={rows}
          label="Values"
          role="tree"
          count={tree.rows}
          rowHeight={rowHeight}
          place={begin}
          onPlace={onPlace}
          onDrawn={onDrawn}
          cursor={cursor}
          onCursor={goTo}
          onKey={onKey}
          rowProps={(index) => {
            const row = tree.rowAt(index);
            const value = valueAt(row)?.value;
            return {
              'aria-level': row.level,
              'aria-setsize': row.parent === null ? 1 : (branches.get(row.parent)?.total ?? 1),
              'aria-posinset': row.index + 1,
              ...(value !== undefined && value.children > 0 ? { 'aria-expanded': branches.has(row.place) } : {}),
              'aria-selected': index === cursor,
              className: classes('flex items-center', index === cursor ? 'bg-selected' : 'hover:bg-hover'),
              onClick: () => {
                goTo(index);
                if (window.getSelection()?.isCollapsed ?? true) toggle(row);
              },
            };
          }}
        >
          {(index) => {
            const row = tree.rowAt(index);
            const at = valueAt(row);
            return (
              <span
                className="flex items-center gap-1 whitespace-pre pr-4 font-mono text-mono"
                style={{ paddingLeft: 10 + (row.level - 1) * 14 }}
              >
                <ChevronRight
                  aria-hidden
                  size={14}
                  className={classes(
                    'shrink-0 text-dim',
                    branches.has(row.place) && 'rotate-90',
                    (at?.value.children ?? 0) === 0 && 'invisible',
                  )}
                />
                {at === undefined ? (
                  <span aria-hidden className="block h-1 w-32 rounded-small bg-hover" />
                ) : (
                  <Line name={at.path.at(-1)} value={at.value} />
                )}
              </span>
            );
          }}
        </LongRows>
      </div>
    </>
  );
}

const colours: Readonly<Record<JsonNode['type'], string>> = {
  object: 'text-muted',
  array: 'text-muted',
  string: 'text-added',
  number: 'text-allow',
  boolean: 'text-allow',
  null: 'text-allow',
};

function Line({ name, value }: { readonly name: string | number | undefined; readonly value: Value }) {
  const isBranch = value.type === 'object' || value.type === 'array';
  return (
    <>
      {name === undefined ? null : (
        <span className="text-text">
          <VisibleText text={String(name)} />
          <span className="text-muted">: </span>
        </span>
      )}
      {isBranch ? (
        <span className="text-muted">
          {value.type === 'array' ? '[ ] ' : '{ } '}
          {counted(value.children, value.type === 'array' ? 'item' : 'field')}
        </span>
      ) : null}
      <span className={classes(isBranch ? 'text-dim' : colours[value.type])}>
        {isBranch ? '  ' : ''}
        <VisibleText text={value.preview} />
      </span>
    </>
  );
}
