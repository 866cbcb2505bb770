import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import type { ResultFile } from '#shared/api/results';
import { followResultsPage, useResultsPage } from '../../stores/resultsPage';
import { Banner } from '../../ui/Banner';
import { Button } from '../../ui/Button';
import { Skeleton } from '../../ui/Skeleton';
import '../chat/chat.css';
import { ChooseFolder } from '../folders/FolderDialog';
import { useMedia } from '../frame/useMedia';
import { saveCopy } from './actions';
import { CleanUpDialog } from './cleanUp/CleanUpDialog';
import { TrashDialog } from './cleanUp/TrashDialog';
import { BulkBar } from './list/BulkBar';
import { Facets } from './list/Facets';
import { filterFiles, sortFiles } from './list/files';
import { NoResults } from './list/NoResults';
import { ResultTable } from './list/ResultTable';
import { filePaneId, focusResults } from './list/resultsGrid';
import { ResultsHead } from './ResultsHead';
import { Comparison } from './viewer/Comparison';
import { Viewer, ViewerGone, ViewerHint } from './viewer/Viewer';

/** From this width on the file stands beside the list. */
const besideFits = '(min-width: 1100px)';

/** The files of all results: their list, and the one that is read beside it. */
export function ResultsPage() {
  useEffect(() => followResultsPage(), []);
  const files = useResultsPage((page) => page.files);
  const beside = useMedia(besideFits);
  const active = useResultsPage((page) => page.active);
  const compared = useResultsPage((page) => page.compared);
  const show = useResultsPage((page) => page.show);
  const viewerWidth = useResultsPage((page) => page.viewerWidth);
  const width = useRef(viewerWidth);
  const isReading = active !== null || compared !== null;
  const back = (): void => {
    show(compared === null ? { active: null } : { compared: null });
    focusResults();
  };
  const isBeside = beside && files !== null && files.length > 0;
  const reading = <Reading files={files} isAlone={!isBeside} onClose={back} />;
  const list = <List files={files} />;
  return (
    <div className="chat-colors flex min-h-0 flex-1">
      {isBeside ? (
        <Group
          orientation="horizontal"
          className="min-h-0 min-w-0 flex-1"
          onLayoutChanged={(_layout, { isUserInteraction }) => {
            if (isUserInteraction) show({ viewerWidth: Math.round(width.current) });
          }}
        >
          <Panel id="results-list" minSize={380}>
            <div className="flex h-full min-h-0 min-w-0 flex-col">{list}</div>
          </Panel>
          <Separator
            aria-label="Width of the file"
            className="w-px bg-line outline-none transition-colors duration-100 hover:bg-accent focus-visible:bg-accent"
          />
          <Panel
            id="results-file"
            defaultSize={viewerWidth}
            minSize={360}
            groupResizeBehavior="preserve-pixel-size"
            onResize={({ inPixels }) => {
              width.current = inPixels;
            }}
          >
            <Pane>{reading}</Pane>
          </Panel>
        </Group>
      ) : (
        <>
          <div hidden={isReading} className="flex min-h-0 min-w-0 flex-1 flex-col">
            {list}
          </div>
          {isReading ? (
            // biome-ignore lint/a11y/noStaticElementInteractions: Escape leads back from anywhere in the file.
            <div
              className="flex min-h-0 min-w-0 flex-1 flex-col"
              onKeyDown={(event) => {
                if (event.key !== 'Escape' || event.defaultPrevented || !(event.target instanceof Node)) return;
                // What a dialog or a menu over the page does not use reaches here too.
                if (event.currentTarget.contains(event.target)) back();
              }}
            >
              <Pane>{reading}</Pane>
            </div>
          ) : null}
        </>
      )}
      <Dialogs />
    </div>
  );
}

function Pane({ children }: { readonly children: ReactNode }) {
  return (
    <section
      id={filePaneId}
      aria-label="File"
      data-pane
      tabIndex={-1}
      className="flex h-full min-h-0 min-w-0 flex-1 flex-col bg-panel outline-none"
    >
      {children}
    </section>
  );
}

interface ReadingProps {
  readonly files: readonly ResultFile[] | null;
  readonly isAlone: boolean;
  readonly onClose: () => void;
}

function Reading({ files, isAlone, onClose }: ReadingProps) {
  const active = useResultsPage((page) => page.active);
  const compared = useResultsPage((page) => page.compared);
  const find = (id: string | null | undefined) => files?.find((file) => file.id === id);
  const left = find(compared?.left);
  const right = find(compared?.right);
  const present = find(active);
  // What is being read can be read on when its file goes.
  const last = useRef(present);
  if (present !== undefined) last.current = present;
  const file = present ?? (last.current?.id === active ? last.current : undefined);
  if (left !== undefined && right !== undefined)
    return <Comparison left={left} right={right} isAlone={isAlone} onClose={onClose} />;
  if (file !== undefined)
    return <Viewer key={file.id} file={file} isGone={present === undefined} isAlone={isAlone} onClose={onClose} />;
  return active === null || files === null ? <ViewerHint /> : <ViewerGone onClose={onClose} />;
}

function List({ files }: { readonly files: readonly ResultFile[] | null }) {
  const { search, facets, order, descending, chosen, problem, wanted, show, reload } = useResultsPage();
  // Typing goes before drawing what it finds.
  const sought = useDeferredValue(search);
  const shown = useMemo(
    () => sortFiles(filterFiles(files ?? [], { search: sought, facets }), { order, descending }),
    [files, sought, facets, order, descending],
  );
  const chosenFiles = useMemo(() => {
    const ids = new Set(chosen);
    return (files ?? []).filter(({ id }) => ids.has(id));
  }, [files, chosen]);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.code !== 'KeyF') return;
    event.preventDefault();
    event.currentTarget.querySelector<HTMLInputElement>('input[type="search"]')?.select();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that count anywhere in the list.
    <div onKeyDown={onKeyDown} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <ResultsHead files={files} />
      {problem === '' ? null : (
        <Banner
          level="error"
          title="The results could not be listed."
          action={
            <Button size="small" onClick={() => void reload()}>
              Try again
            </Button>
          }
        >
          {problem}
        </Banner>
      )}
      {files === null ? (
        problem === '' ? (
          <Skeleton label="Loading the results" className="flex-1 p-6" rows={8} />
        ) : null
      ) : (
        <>
          {wanted === null ? null : (
            <Banner level="warning" title="That result is not here." onDismiss={() => show({ wanted: null })}>
              Its file was cleaned up, moved or deleted. The trash may still have it.
            </Banner>
          )}
          {files.length === 0 ? (
            <NoResults />
          ) : (
            <>
              <Facets files={files} />
              <BulkBar files={chosenFiles} />
              <p role="status" className="sr-only">
                {shown.length === files.length ? '' : `${shown.length} of ${files.length} files`}
              </p>
              {shown.length === 0 ? (
                <div className="px-5 py-8 text-center">
                  <p className="font-medium">No file fits</p>
                  <Button className="mt-3" onClick={() => show({ search: '', facets: [] })}>
                    Show all {files.length.toLocaleString('en')}
                  </Button>
                </div>
              ) : (
                <ResultTable files={shown} />
              )}
            </>
          )}
        </>
      )}
    </div>
  );
}

function Dialogs() {
  const dialog = useResultsPage((page) => page.dialog);
  const show = useResultsPage((page) => page.show);
  const wasOpen = useRef(false);
  useEffect(() => {
    // The dialog had the focus and has just gone.
    if (wasOpen.current && dialog === null) focusResults();
    wasOpen.current = dialog !== null;
  }, [dialog]);
  switch (dialog?.kind) {
    case 'cleanUp':
      return <CleanUpDialog ids={dialog.ids} />;
    case 'trash':
      return <TrashDialog />;
    case 'saveCopy': {
      const { id } = dialog;
      return (
        <ChooseFolder
          title="Save a copy"
          description="The file is copied into the folder that you choose. If its name is taken there, the copy gets a number."
          verb="Save in"
          onChoose={(folder) => saveCopy(id, folder)}
          onClose={() => show({ dialog: null })}
        />
      );
    }
    case undefined:
      return null;
  }
}
