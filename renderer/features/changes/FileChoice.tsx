import { ChevronRight, TriangleAlert } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { FileRestore, RestoreHunk } from '#shared/api/changes';
import { Badge } from '../../ui/Badge';
import { splitForEllipsis } from '../../ui/MiddleEllipsis';
import { Tooltip } from '../../ui/Tooltip';
import { VisibleText } from '../../ui/VisibleText';
import { DiffView } from '../chat/views/DiffView';
import { ConflictTexts } from './ConflictTexts';
import { doesOf, shortPath, stateOf } from './words';

export interface FileChoiceProps {
  readonly file: FileRestore;
  readonly folder: string;
  readonly chosen: 'all' | readonly string[] | null;
  readonly openAtFirst: boolean;
  readonly onChoose: (what: 'all' | readonly string[]) => void;
}

const tones = { ready: 'neutral', merged: 'accent', conflict: 'ask', same: 'neutral', lost: 'deny' } as const;

/** One file of a restore: the whole of it or some of its places. */
export function FileChoice({ file, folder, chosen, openAtFirst, onChoose }: FileChoiceProps) {
  const [open, setOpen] = useState(openAtFirst);
  const bodyId = useId();
  const { path, state, hunks, problem } = file;
  const choosable = state !== 'same' && state !== 'lost';
  const byHunk = choosable && file.does === 'change' && !file.binary && !file.truncated && hunks.length > 1;
  const ids = hunks.map(({ hunkId }) => hunkId);
  const taken = chosen === null ? [] : chosen === 'all' ? ids : chosen;
  const toggle = (hunkId: string) => {
    const next = taken.includes(hunkId) ? taken.filter((id) => id !== hunkId) : [...taken, hunkId];
    onChoose(next.length === ids.length ? 'all' : next);
  };
  const short = shortPath(path, folder);
  const words = stateOf(file);
  return (
    <li className="border-line border-b">
      <div className="flex min-h-10 items-center gap-2.5 bg-panel px-4 py-1.5">
        <Check
          label={`Restore ${short}`}
          checked={chosen !== null}
          partly={chosen !== null && chosen !== 'all' && taken.length < ids.length}
          disabled={!choosable}
          onChange={() => onChoose(chosen === 'all' || (chosen !== null && taken.length === ids.length) ? [] : 'all')}
        />
        <button
          type="button"
          aria-expanded={open}
          aria-controls={bodyId}
          aria-label={[short, doesOf(file), words].filter((part) => part !== '').join(', ')}
          onClick={() => setOpen(!open)}
          className="flex min-h-7 min-w-0 flex-1 items-center gap-2.5 rounded-small text-left"
        >
          <ChevronRight
            aria-hidden="true"
            size={15}
            strokeWidth={1.75}
            className={`shrink-0 text-muted ${open ? 'rotate-90' : ''}`}
          />
          <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2.5 gap-y-0.5">
            <PathText path={short} />
            <span className="flex shrink-0 items-center gap-2">
              {file.does !== 'nothing' && (file.added > 0 || file.removed > 0) && (
                <span className="font-mono text-mono">
                  <span className="text-added">+{file.added}</span>{' '}
                  <span className="text-removed">−{file.removed}</span>
                </span>
              )}
              {doesOf(file) !== '' && <Badge tone={file.does === 'delete' ? 'deny' : 'neutral'}>{doesOf(file)}</Badge>}
              {words !== '' && <Badge tone={tones[state]}>{words}</Badge>}
            </span>
          </span>
        </button>
      </div>
      {open && (
        <div id={bodyId} className="bg-code">
          {problem !== '' && (
            <p
              className={`flex items-start gap-2 px-4 py-2 text-small ${state === 'lost' ? 'text-muted' : 'text-ask'}`}
            >
              {state !== 'lost' && (
                <TriangleAlert aria-hidden="true" size={14} strokeWidth={1.75} className="mt-0.5 shrink-0" />
              )}
              {problem}
            </p>
          )}
          <Whole file={file} />
          {hunks.map((hunk) => (
            <HunkChoice
              key={hunk.hunkId}
              hunk={hunk}
              path={short}
              checked={byHunk ? taken.includes(hunk.hunkId) : null}
              onToggle={() => toggle(hunk.hunkId)}
            />
          ))}
        </div>
      )}
    </li>
  );
}

/** What is to be said where no lines can be shown. */
function Whole({ file }: { readonly file: FileRestore }) {
  const says = wholeWords(file);
  return says === '' ? null : <p className="px-4 py-2 text-muted text-small">{says}</p>;
}

function wholeWords({ state, does, binary, hunks, truncated }: FileRestore): string {
  if (state === 'same') return 'The file is already as it would become.';
  if (state === 'lost') return '';
  if (binary) {
    return state === 'conflict'
      ? 'Not text, and changed since. Restoring puts the old bytes in place of what is there now.'
      : 'Not text: the file is restored as a whole, to the byte.';
  }
  if (truncated) {
    const conflict = state === 'conflict' ? ' What was changed since in the same places would be overwritten.' : '';
    return `There is more than can be shown here, so the file is restored as a whole.${conflict}`;
  }
  if (state === 'conflict' && does === 'delete') return 'Changed since it was made. Deleting it loses that.';
  if (state === 'conflict' && does === 'create') return 'Deleted since. Restoring makes it again.';
  if (hunks.length === 0)
    return does === 'delete' || does === 'create' ? 'The file is empty.' : 'Only the permissions of the file change.';
  return '';
}

function HunkChoice(props: {
  readonly hunk: RestoreHunk;
  readonly path: string;
  /** Null: it cannot be chosen by itself. */
  readonly checked: boolean | null;
  readonly onToggle: () => void;
}) {
  const { hunk, path, checked, onToggle } = props;
  const count = (sign: string) => hunk.lines.filter((line) => line.sign === sign).length;
  const view = {
    kind: 'diff' as const,
    path,
    created: false,
    hunks: [hunk],
    added: count('+'),
    removed: count('-'),
    truncated: false,
  };
  const label = `Restore this place in ${path}, line ${hunk.oldStart}`;
  return (
    <div className="border-line border-t [contain-intrinsic-size:auto_120px] [content-visibility:auto]">
      {hunk.conflict !== null && <ConflictTexts conflict={hunk.conflict} />}
      <div className="flex min-w-0">
        {checked === null ? null : (
          <span className="flex shrink-0 items-start border-line border-r py-1.5 pr-2.5 pl-4">
            <Check label={label} checked={checked} partly={false} disabled={false} onChange={onToggle} />
          </span>
        )}
        <div className="min-w-0 flex-1 overflow-x-auto">
          <DiffView view={view} />
        </div>
      </div>
    </div>
  );
}

function Check(props: {
  readonly label: string;
  readonly checked: boolean;
  readonly partly: boolean;
  readonly disabled: boolean;
  readonly onChange: () => void;
}) {
  const { label, checked, partly, disabled, onChange } = props;
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = partly;
  }, [partly]);
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={label}
      checked={checked}
      disabled={disabled}
      onChange={onChange}
      className="size-4 shrink-0 accent-(--accent-fill)"
    />
  );
}

/** A long path on one line: its middle gives way. */
function PathText({ path }: { readonly path: string }) {
  const { head, tail } = splitForEllipsis(path, 28);
  return (
    <Tooltip text={path}>
      <span className="flex min-w-0 whitespace-pre font-mono text-mono">
        <span className="min-w-0 overflow-hidden text-ellipsis whitespace-pre">
          <VisibleText text={head} />
        </span>
        <span className="min-w-0 max-w-full shrink-0 overflow-hidden text-ellipsis">
          <VisibleText text={tail} />
        </span>
      </span>
    </Tooltip>
  );
}
