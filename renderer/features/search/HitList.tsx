import { FileClock, MessageSquare, ScrollText, Sparkles, Terminal } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import type { SearchHit } from '#shared/api/search';
import { Badge } from '../../ui/Badge';
import { Verdict } from '../../ui/Verdict';
import { VisibleText } from '../../ui/VisibleText';
import { age, counted, homePath } from '../frame/words';
import type { HitGroup } from './hitGroups';
import { parts } from './searchFilter';

interface Props {
  readonly groups: readonly HitGroup[];
  /** All hits are here, so that they can be counted. */
  readonly complete: boolean;
  readonly home: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly onOpen: (hit: SearchHit) => void;
}

const pictures = { message: MessageSquare, answer: Sparkles, call: Terminal, output: ScrollText };

const verdictWords = { allow: 'allowed', ask: 'asked', deny: 'denied' };

/** Hits under their conversations; the arrow keys go from one to the next over all of them. */
export function HitList({ groups, complete, home, now, onOpen }: Props) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the hits inside.
    <div onKeyDown={moveFocus}>
      {groups.map((group) => (
        <section
          key={group.in.kind === 'session' ? group.in.sessionId : group.in.id}
          aria-label={group.title}
          className="[contain-intrinsic-size:auto_200px] [content-visibility:auto]"
        >
          <h2 className="flex items-center gap-2.5 px-2 pt-4 pb-1">
            <span className="min-w-0 truncate font-semibold" title={group.title}>
              <VisibleText text={group.title} />
            </span>
            {group.in.kind === 'transcript' ? (
              <Badge>
                <FileClock aria-hidden size={12} strokeWidth={1.75} className="mr-1" />
                Claude Code
              </Badge>
            ) : null}
            <span className="min-w-0 shrink-10 truncate font-mono text-dim text-mono" title={group.folder}>
              {homePath(group.folder, home)}
            </span>
            {complete ? (
              <span className="ml-auto shrink-0 font-normal text-dim text-small">
                {counted(group.hits.length, 'find')}
              </span>
            ) : null}
          </h2>
          <ul className="overflow-hidden rounded-card border border-line bg-panel">
            {group.hits.map(({ hit, at }) => (
              <li key={at} className="border-line border-t first:border-0">
                <Hit hit={hit} now={now} onOpen={() => onOpen(hit)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Hit({ hit, now, onOpen }: { readonly hit: SearchHit; readonly now: number; readonly onOpen: () => void }) {
  const Picture = pictures[hit.part];
  return (
    <button
      type="button"
      data-hit
      onClick={onOpen}
      className="flex w-full items-start gap-3 px-3 py-2 text-left -outline-offset-2 hover:bg-hover focus-visible:bg-hover"
    >
      <span className="flex w-24 shrink-0 items-center gap-2 text-muted text-small">
        <Picture aria-hidden size={15} strokeWidth={1.75} className="shrink-0" />
        <span className="truncate">{hit.tool ?? parts.find(({ value }) => value === hit.part)?.one}</span>
        {hit.tool === null ? null : <span className="sr-only">{hit.part}</span>}
      </span>
      <span
        className={`line-clamp-3 min-w-0 flex-1 [overflow-wrap:anywhere] ${hit.part === 'call' || hit.part === 'output' ? 'font-mono text-mono' : ''}`}
      >
        <Snippet pieces={hit.snippet} />
      </span>
      {hit.part === 'message' || hit.part === 'answer' ? null : (
        <span className="w-20 shrink-0 text-small">
          {hit.verdict === null ? null : <Verdict verdict={hit.verdict} word={verdictWords[hit.verdict]} />}
        </span>
      )}
      <time
        dateTime={new Date(hit.at).toISOString()}
        title={new Date(hit.at).toISOString()}
        className="w-14 shrink-0 text-right text-dim text-small"
      >
        {age(hit.at, now)}
      </time>
    </button>
  );
}

function Snippet({ pieces }: { readonly pieces: SearchHit['snippet'] }) {
  let from = 0;
  return pieces.map((piece) => {
    const key = from;
    from += piece.text.length + 1;
    return piece.hit ? (
      <mark key={key} className="rounded-[3px] bg-ask-tint px-0.5 font-semibold text-ask">
        <VisibleText text={piece.text} />
      </mark>
    ) : (
      <VisibleText key={key} text={piece.text} />
    );
  });
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const hits = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-hit]')];
  const here = document.activeElement instanceof HTMLElement ? hits.indexOf(document.activeElement) : -1;
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: here + 1,
    ArrowUp: here - 1,
    Home: 0,
    End: hits.length - 1,
  };
  const target = targets[event.key];
  const next = target === undefined ? undefined : hits[target];
  if (here === -1 || next === undefined) return;
  event.preventDefault();
  next.focus();
}
