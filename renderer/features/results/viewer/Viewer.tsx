import { Copy, CornerUpLeft, FileSearch, Lock, Pin, PinOff, RefreshCw, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ResultFile, ResultMode } from '#shared/api/results';
import { useApp } from '../../../stores/app';
import { useResultsPage, viewOf } from '../../../stores/resultsPage';
import { Banner } from '../../../ui/Banner';
import { Button } from '../../../ui/Button';
import { Chip } from '../../../ui/Chip';
import { IconButton } from '../../../ui/IconButton';
import { Skeleton } from '../../../ui/Skeleton';
import { VisibleText } from '../../../ui/VisibleText';
import { useNow } from '../../frame/useNow';
import { counted, homePath } from '../../frame/words';
import { copyText, goToCall, keepFiles } from '../actions';
import { ResultPicture } from '../list/ResultPicture';
import { focusResults } from '../list/resultsGrid';
import { SeenState } from '../list/SeenState';
import { goesSentence, resultName, toolLabel, weight } from '../list/words';
import { BackButton } from './BackButton';
import { FileMenu } from './FileMenu';
import { HexView } from './HexView';
import { ImageView } from './ImageView';
import { JsonView } from './JsonView';
import { TableView } from './TableView';
import { TextView } from './TextView';
import { type Opened, useOpened } from './useOpened';

const modeNames: Readonly<Record<ResultMode, string>> = {
  text: 'Text',
  json: 'JSON',
  table: 'Table',
  hex: 'Hex',
  image: 'Image',
};
const modeOrder: readonly ResultMode[] = ['text', 'json', 'table', 'image', 'hex'];

const changeWords = {
  rewritten: 'The file has changed since it was opened.',
  gone: 'The file is gone. What was opened can be read until you close it.',
};

export interface ViewerProps {
  readonly file: ResultFile;
  /** It is no longer in the list. */
  readonly isGone: boolean;
  /** There is no list beside it. */
  readonly isAlone: boolean;
  readonly onClose: () => void;
}

/** One file: in the way that fits it best or that was chosen, and what can be done with it. */
export function Viewer({ file, isGone, isAlone, onClose }: ViewerProps) {
  const { opened, again } = useOpened(file.id);
  const [problem, setProblem] = useState('');
  const round = opened.status === 'open' ? opened.round : -1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was wrong with the earlier reading is over.
  useEffect(() => setProblem(''), [round]);
  const change = opened.status === 'open' ? (isGone ? 'gone' : opened.change) : null;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <Head file={file} opened={opened} isAlone={isAlone} onClose={onClose} />
      {problem !== '' || change !== null ? (
        <Banner
          level={problem === '' ? 'info' : 'error'}
          title={problem === '' ? changeWords[change ?? 'rewritten'] : 'The file could not be read on.'}
          action={
            change === 'gone' ? undefined : (
              <Button size="small" icon={RefreshCw} onClick={again}>
                Open again
              </Button>
            )
          }
        >
          {problem}
        </Banner>
      ) : null}
      <Body file={file} opened={opened} onAgain={again} onProblem={setProblem} />
      <Foot file={file} opened={opened} />
    </div>
  );
}

function modeOf(opened: Opened, wanted: ResultMode | null): ResultMode | null {
  if (opened.status !== 'open') return null;
  const { modes } = opened.file;
  return wanted !== null && modes.includes(wanted) ? wanted : (modes[0] ?? 'hex');
}

function useMode(file: ResultFile, opened: Opened): ResultMode | null {
  return modeOf(
    opened,
    useResultsPage((page) => viewOf(page.views, file.id).mode),
  );
}

interface PartProps {
  readonly file: ResultFile;
  readonly opened: Opened;
}

function Head({ file, opened, isAlone, onClose }: PartProps & Pick<ViewerProps, 'isAlone' | 'onClose'>) {
  const setView = useResultsPage((page) => page.setView);
  const mode = useMode(file, opened);
  const modes = opened.status === 'open' ? modeOrder.filter((one) => opened.file.modes.includes(one)) : [];
  const label = toolLabel(file);
  return (
    <header className="flex min-h-11.5 shrink-0 items-center gap-2 border-line border-b px-3 py-1.5">
      {isAlone ? <BackButton onClick={onClose} /> : null}
      <ResultPicture file={file} />
      <h2
        title={`${resultName(file)}\n${file.file}`}
        className="min-w-0 flex-1 truncate font-medium font-mono text-mono"
      >
        {label === '' ? null : <span className="text-muted">{label} </span>}
        <VisibleText text={file.call?.what ?? resultName(file)} />
      </h2>
      <fieldset aria-label="Shown as" className="flex shrink-0 gap-1">
        {modes.map((one) => (
          <Chip key={one} aria-pressed={one === mode} onClick={() => setView(file.id, { mode: one })}>
            {modeNames[one]}
          </Chip>
        ))}
      </fieldset>
      {isAlone ? null : <IconButton label="Close the file" icon={X} size="small" onClick={onClose} />}
    </header>
  );
}

interface BodyProps extends PartProps {
  readonly onAgain: () => void;
  readonly onProblem: (problem: string) => void;
}

function Body({ file, opened, onAgain, onProblem }: BodyProps) {
  const mode = useMode(file, opened);
  switch (opened.status) {
    case 'loading':
      return <Skeleton label="Opening the file" className="flex-1 p-6" rows={8} />;
    case 'failed':
      return (
        <div role="alert" className="min-h-0 flex-1 overflow-y-auto p-6">
          <p className="font-medium">{opened.gone ? 'The file is gone' : 'The file cannot be opened'}</p>
          <p className="chat-verbatim mt-1 text-muted">
            <VisibleText text={opened.problem} />
          </p>
          <Button className="mt-3" icon={RefreshCw} onClick={onAgain}>
            Try again
          </Button>
        </div>
      );
    case 'open': {
      const key = `${file.id} ${opened.round}`;
      switch (mode) {
        case 'json':
          return <JsonView key={key} id={file.id} />;
        case 'table':
          return <TableView key={key} id={file.id} />;
        case 'hex':
          return <HexView key={key} id={file.id} bytes={opened.file.bytes} />;
        case 'image':
          return <ImageView key={key} id={file.id} name={resultName(file)} />;
        case 'text':
        case null:
          return <TextView key={key} file={file} opened={opened.file} index={opened.index} onProblem={onProblem} />;
      }
    }
  }
}

function Foot({ file, opened }: PartProps) {
  const mode = useMode(file, opened);
  const now = useNow(60_000);
  const home = useApp((app) => app.hello?.home ?? '');
  const isForeign = file.origin === 'claudeCode';
  return (
    <footer className="@container flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-3 py-1 text-muted text-small">
      <span className="tabular-nums">{facts(file, opened)}</span>
      <span className="hidden @3xl:block">
        <SeenState seen={file.seen} />
      </span>
      <span className="ml-auto flex flex-wrap items-center gap-1">
        {isForeign ? (
          <span
            title="It is Claude Code's own file: it is read here and never changed. Keep copies it before its own clean-up."
            className="flex items-center gap-1 px-1"
          >
            <Lock aria-hidden size={13} strokeWidth={1.75} />
            only read
          </span>
        ) : null}
        <Button
          size="small"
          variant="ghost"
          icon={CornerUpLeft}
          disabled={file.session === null}
          title={file.session === null ? 'The session of this call is gone.' : `In ${file.session.title}`}
          onClick={() => void goToCall(file)}
        >
          Go to call
        </Button>
        <Button size="small" variant="ghost" icon={Copy} onClick={() => copyText(file.file, 'Path')}>
          Copy path
        </Button>
        <Button
          size="small"
          variant="ghost"
          icon={file.kept ? PinOff : Pin}
          title={goesSentence(file, now)}
          onClick={() => void keepFiles([file], !file.kept)}
        >
          {file.kept ? 'Keep no longer' : 'Keep'}
        </Button>
        <FileMenu file={file} isText={mode === 'text'} />
      </span>
      <span className="sr-only">{homePath(file.file, home)}</span>
    </footer>
  );
}

/** "4.8 MB · 61,204 lines · UTF-8". */
function facts(file: ResultFile, opened: Opened): string {
  if (opened.status !== 'open') return weight(file.bytes);
  const { encoding, bytes } = opened.file;
  const { lines, done, bytesDone } = opened.index;
  if (encoding === 'binary') return `${weight(bytes)} · binary`;
  const counting = done || bytes === 0 ? '' : `, ${Math.floor((bytesDone / bytes) * 100)} % counted`;
  return `${weight(bytes)} · ${counted(lines, 'line')}${counting} · UTF-8`;
}

/** Stands in the place of a file while none is chosen. */
export function ViewerHint() {
  return (
    <div className="m-auto max-w-72 p-6 text-center text-muted">
      <FileSearch aria-hidden size={26} strokeWidth={1.5} className="mx-auto" />
      <p className="mt-2">Choose a file to read all of it. Files of a gigabyte open as fast as small ones.</p>
    </div>
  );
}

/** The file that is shown is no longer in the list. */
export function ViewerGone({ onClose }: { readonly onClose: () => void }) {
  return (
    <div role="status" className="p-6">
      <p className="font-medium">The file is gone</p>
      <p className="mt-1 text-muted">It was cleaned up, moved or deleted. The trash may still have it.</p>
      <div className="mt-3 flex gap-2">
        <Button onClick={() => useResultsPage.getState().show({ dialog: { kind: 'trash' } })}>Open the trash</Button>
        <Button
          onClick={() => {
            onClose();
            focusResults();
          }}
        >
          Close
        </Button>
      </div>
    </div>
  );
}
