import { observeElementRect, useVirtualizer } from '@tanstack/react-virtual';
import { Check, Copy, RefreshCw } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ShownFile } from '#shared/api/files';
import type { ToolCall } from '#shared/session/toolCall';
import { host } from '../../../host/client';
import { useSession } from '../../../stores/session';
import { messageOf } from '../../../stores/toasts';
import { useUi } from '../../../stores/ui';
import { Button } from '../../../ui/Button';
import { classes } from '../../../ui/classes';
import { IconButton } from '../../../ui/IconButton';
import { Skeleton } from '../../../ui/Skeleton';
import { VisibleText } from '../../../ui/VisibleText';
import { hasInvisible } from '../../../ui/visibleCharacters';
import { age, counted } from '../../frame/words';
import { hasEnded } from '../cards/track';
import { CodeLine } from '../conversation/CodeLine';
import { grammarOf } from '../conversation/highlight';
import { useHighlight } from '../conversation/useHighlight';
import { useCopy } from '../views/useCopy';
import { Hint } from './Hint';
import { findTouched, type Marks, touchedBy } from './touched';

/** Pixels of a line. */
const lineHeight = 18;
const assumedHeight = 600;
/** Writing a file and recording the end of its call are not one moment. */
const graceMs = 1_500;

type Reading =
  | { readonly state: 'reading' }
  | { readonly state: 'failed'; readonly problem: string }
  | { readonly state: 'ready'; readonly file: ShownFile };

/** The file that the call is about, or one that a link named, as it is now. */
export function FileTab({ call }: { readonly call: ToolCall | undefined }) {
  const wanted = useUi((ui) => ui.wantedFile);
  const sessionId = useSession((session) => session.sessionId) ?? '';
  const path = wanted?.path ?? call?.presentation.path ?? null;
  if (path === null)
    return (
      <Hint title={call === undefined ? 'Choose a call' : 'This call is about no file'}>
        Calls that read or change a file show it here as it is now. So do links such as src/app.ts:12 in an answer.
      </Hint>
    );
  const own = wanted === null || wanted.path === call?.presentation.path ? call : undefined;
  return <File key={`${sessionId} ${path}`} sessionId={sessionId} path={path} line={wanted?.line ?? null} call={own} />;
}

function File(props: {
  readonly sessionId: string;
  readonly path: string;
  readonly line: number | null;
  readonly call: ToolCall | undefined;
}) {
  const { sessionId, path, line, call } = props;
  const touched = useMemo(() => (call === undefined ? null : touchedBy(call)), [call]);
  const around = line ?? touched?.parts[0]?.from ?? null;
  const [reading, setReading] = useState<Reading>({ state: 'reading' });
  const [round, setRound] = useState(0);
  // A call that ends may just have changed the file.
  const ended = call === undefined || hasEnded(call);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when asked to and when the call has ended.
  useEffect(() => {
    let still = true;
    host()
      .call('files.read', { sessionId, path, ...(around === null ? {} : { line: around }) })
      .then(
        (file) => still && setReading({ state: 'ready', file }),
        (error: unknown) => still && setReading({ state: 'failed', problem: messageOf(error) }),
      );
    return () => {
      still = false;
    };
  }, [sessionId, path, around, round, ended]);
  const again = () => setRound(round + 1);
  switch (reading.state) {
    case 'reading':
      return <Skeleton label="Reading the file" className="p-4" rows={8} />;
    case 'failed':
      return (
        <div className="px-5 py-8 text-center">
          <p className="font-medium">The file is not shown</p>
          <p className="mx-auto mt-1 mb-3 max-w-80 break-words text-muted text-small">{reading.problem}</p>
          <Button size="small" icon={RefreshCw} onClick={again}>
            Try again
          </Button>
        </div>
      );
    case 'ready': {
      const { file } = reading;
      const marks = touched === null || file.content.kind !== 'text' ? null : findTouched(touched, file.content);
      return (
        <div className="flex h-full min-h-0 flex-col bg-code">
          <FileHead file={file} call={call} marks={marks} what={touched?.what ?? null} onAgain={again} />
          {file.content.kind === 'text' ? (
            <Lines path={file.path} content={file.content} marks={marks} line={line ?? marks?.first ?? null} />
          ) : (
            <p className="px-5 py-8 text-center text-muted text-small">
              {file.content.kind === 'binary'
                ? `This is no text: ${counted(file.bytes, 'byte')}. Gatehouse shows text files here.`
                : `The file has ${counted(file.bytes, 'byte')}; up to ${counted(file.content.limit, 'byte')} are shown here.`}
            </p>
          )}
        </div>
      );
    }
  }
}

function FileHead(props: {
  readonly file: ShownFile;
  readonly call: ToolCall | undefined;
  readonly marks: Marks | null;
  readonly what: 'changed' | 'read' | null;
  readonly onAgain: () => void;
}) {
  const { file, call, marks, what, onAgain } = props;
  const { copied, copy } = useCopy();
  const { content } = file;
  const since = call !== undefined && hasEnded(call) && file.modifiedAt > call.endedAt + graceMs;
  const facts = [
    content.kind === 'text' ? counted(content.total, 'line') : null,
    content.kind === 'text' && content.eol !== 'lf' && content.eol !== 'none'
      ? content.eol === 'crlf'
        ? 'CRLF'
        : 'mixed line ends'
      : null,
    content.kind === 'text' && content.total > 0 && !content.endsWithBreak ? 'no line end at the end' : null,
    content.kind === 'text' && content.cutLines ? 'long lines are cut' : null,
  ].filter((fact) => fact !== null);
  return (
    <div className="shrink-0 border-line border-b bg-panel py-1.5 pr-2 pl-4">
      <div className="flex min-w-0 items-center gap-1">
        <p className="chat-verbatim min-w-0 flex-1 font-mono text-mono">
          <VisibleText text={file.path} />
        </p>
        <IconButton
          size="small"
          icon={copied ? Check : Copy}
          label={copied ? 'Copied' : 'Copy path'}
          onClick={() => copy(file.path)}
        />
        <IconButton size="small" icon={RefreshCw} label="Read again" onClick={onAgain} />
      </div>
      <p className="text-muted text-small">
        <span title={new Date(file.modifiedAt).toISOString()}>changed {age(file.modifiedAt, Date.now())}</span>
        {facts.map((fact) => ` · ${fact}`)}
      </p>
      {since && (
        <p role="status" className="text-ask text-small">
          Changed since this call.{' '}
          {marks === null
            ? ''
            : marks.lost > 0
              ? `${marks.lost === 1 ? 'What' : `${marks.lost} parts of what`} it ${what === 'read' ? 'read' : 'wrote'} is not there as it was.`
              : marks.moved > 0
                ? 'Its lines stand elsewhere now.'
                : 'Its lines are as it left them.'}
        </p>
      )}
    </div>
  );
}

type TextContent = Extract<ShownFile['content'], { kind: 'text' }>;

function Lines(props: {
  readonly path: string;
  readonly content: TextContent;
  readonly marks: Marks | null;
  readonly line: number | null;
}) {
  const { path, content, marks, line } = props;
  const { lines, firstLine, total } = content;
  const box = useRef<HTMLDivElement>(null);
  const text = useMemo(() => lines.join('\n'), [lines]);
  const extension = /\.([^./\\]+)$/.exec(path)?.[1] ?? '';
  const tokens = useHighlight(text, grammarOf(extension) === null ? undefined : extension);
  const longest = useMemo(() => lines.reduce((most, one) => Math.max(most, one.length), 0), [lines]);
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => lineHeight,
    overscan: 20,
    // Where nothing is laid out, as in tests, there are lines all the same.
    observeElementRect: (instance, take) =>
      observeElementRect(instance, (rect) => take(rect.height === 0 ? { ...rect, height: assumedHeight } : rect)),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: leads to the line when another one is wanted.
  useEffect(() => {
    if (line !== null) virtualizer.scrollToIndex(Math.max(0, line - firstLine), { align: 'center' });
  }, [line, firstLine]);
  const digits = String(firstLine + lines.length).length;
  if (lines.length === 0) return <p className="px-5 py-8 text-center text-muted text-small">The file is empty.</p>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields.
    <div
      ref={box}
      role="group"
      aria-label={`Lines of ${path}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls by mouse must scroll by keys too.
      tabIndex={0}
      className="min-h-0 flex-1 overflow-auto py-1 font-mono text-mono -outline-offset-2"
    >
      {(firstLine > 1 || firstLine + lines.length - 1 < total) && (
        <p className="sticky left-0 px-4 pb-1 font-sans text-muted text-small">
          Lines {firstLine.toLocaleString('en')} to {(firstLine + lines.length - 1).toLocaleString('en')} of{' '}
          {total.toLocaleString('en')}
        </p>
      )}
      <div
        style={{ height: virtualizer.getTotalSize(), minWidth: `calc(${longest + digits}ch + 56px)` }}
        className="relative"
      >
        {virtualizer.getVirtualItems().map((item) => {
          const number = firstLine + item.index;
          const marked = marks?.lines.has(number) ?? false;
          const sought = number === line;
          return (
            <div
              key={item.key}
              data-line={number}
              style={{ transform: `translateY(${item.start}px)`, height: lineHeight }}
              className={classes(
                'absolute top-0 left-0 flex w-full whitespace-pre',
                marked ? 'bg-accent-tint' : sought && 'bg-selected',
              )}
            >
              <span
                className={classes(
                  'sticky left-0 shrink-0 select-none border-l-2 bg-code pr-3 pl-2.5 text-right text-dim',
                  marked ? 'border-accent' : 'border-transparent',
                )}
                style={{ minWidth: `calc(${digits}ch + 28px)` }}
              >
                {number}
                {marked && <span className="sr-only"> touched by the call</span>}
              </span>
              <span className="pr-4">
                <Line text={lines[item.index] ?? ''} tokens={tokens?.[item.index]} />
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Signs that nobody sees stand as their names; such a line has no colours. */
function Line(props: { readonly text: string; readonly tokens: Parameters<typeof CodeLine>[0]['tokens'] }) {
  const { text, tokens } = props;
  return hasInvisible(text) ? <VisibleText text={text} /> : <CodeLine text={text} tokens={tokens} />;
}
