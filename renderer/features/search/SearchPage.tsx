// Full text of all conversations: what was said, run and printed, and the way to where it stands.
import { Search, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import type { SearchHit } from '#shared/api/search';
import { useApp } from '../../stores/app';
import { goToPlace } from '../../stores/place';
import { longestSearch, useSearch } from '../../stores/search';
import { Button } from '../../ui/Button';
import { classes } from '../../ui/classes';
import { IconButton } from '../../ui/IconButton';
import { Skeleton } from '../../ui/Skeleton';
import { isComposing } from '../frame/shortcuts';
import { useNow } from '../frame/useNow';
import { counted } from '../frame/words';
import { HitList } from './HitList';
import { groupHits, wordsOf } from './hitGroups';
import { IndexLine } from './IndexLine';
import { SearchFilters } from './SearchFilters';
import { filterCount } from './searchFilter';

export function SearchPage() {
  const text = useSearch((search) => search.text);
  const setText = useSearch((search) => search.setText);
  const run = useSearch((search) => search.run);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    field.current?.focus();
    field.current?.select();
    // What has been said meanwhile is to be found too.
    void run();
  }, [run]);

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Escape') setText('');
    else if (event.key === 'ArrowDown') {
      event.preventDefault();
      list.current?.querySelector<HTMLElement>('[data-hit]')?.focus();
    } else if (event.key === 'Enter') {
      const first = useSearch.getState().hits[0];
      if (first !== undefined && useSearch.getState().status === 'found') open(first);
    }
  };

  return (
    <>
      <header className="shrink-0 border-line border-b bg-panel px-5 pt-4 pb-3">
        <div className="mx-auto w-full max-w-[980px]">
          <h1 className="sr-only">Search</h1>
          <div className="flex h-10 items-center rounded-control border border-control bg-raised focus-within:border-accent">
            <Search aria-hidden size={18} strokeWidth={1.75} className="ml-3 shrink-0 text-dim" />
            <input
              ref={field}
              type="text"
              aria-label="Search in all conversations"
              placeholder="Messages, answers, calls, outputs"
              value={text}
              maxLength={longestSearch}
              spellCheck={false}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={onKeyDown}
              className="min-w-0 flex-1 bg-transparent px-3 text-title outline-none"
            />
            {text === '' ? null : (
              <IconButton label="Clear the search" icon={X} className="mr-1" onClick={() => setText('')} />
            )}
          </div>
          <SearchFilters />
        </div>
      </header>
      <div ref={list} className="min-h-0 flex-1 overflow-y-auto px-5 pb-8">
        <div className="mx-auto w-full max-w-[980px]">
          <Outcome />
        </div>
      </div>
    </>
  );
}

function open(hit: SearchHit): void {
  goToPlace({ in: hit.in, messageId: hit.messageId, callId: hit.callId, words: wordsOf(hit) });
}

function Outcome() {
  const { text, status, problem, hits, total, conversations, filter } = useSearch();
  const run = useSearch((search) => search.run);
  const more = useSearch((search) => search.more);
  const clearFilter = useSearch((search) => search.clearFilter);
  const home = useApp((app) => app.hello?.home ?? '');
  const now = useNow(60_000);
  const groups = useMemo(() => groupHits(hits), [hits]);
  const searched = text.trim();
  if (searched === '') return <Teach />;
  if (status === 'failed') {
    return (
      <div role="alert" className="pt-8">
        <p className="font-semibold text-deny">The search failed.</p>
        <p className="mt-1 text-muted [overflow-wrap:anywhere]">{problem}</p>
        <Button size="small" className="mt-3" onClick={() => void run()}>
          Search again
        </Button>
      </div>
    );
  }
  if (hits.length === 0) {
    if (status !== 'found') return <Skeleton label="Searching" rows={6} className="pt-6" />;
    const filtered = filterCount(filter);
    return (
      <div className="pt-8">
        <IndexLine />
        <p role="status" className="font-semibold [overflow-wrap:anywhere]">
          Nothing has “{searched}”{filtered === 0 ? '' : ' within these filters'}.
        </p>
        <p className="mt-1 text-muted">
          All words must stand in one message, command or output. Use fewer words, or only the beginning of the last
          one.
        </p>
        {filtered === 0 ? null : (
          <Button size="small" className="mt-3" onClick={clearFilter}>
            Search without filters
          </Button>
        )}
      </div>
    );
  }
  return (
    <div className={classes('pt-3', status === 'searching' && 'opacity-70')}>
      <IndexLine />
      <p role="status" className="pb-1 text-muted text-small">
        {counted(total, 'find')} in {counted(conversations, 'conversation')}
      </p>
      <HitList groups={groups} complete={hits.length >= total} home={home} now={now} onOpen={open} />
      {hits.length >= total ? null : (
        <Button size="small" className="mt-3" disabled={status === 'searching'} onClick={() => void more()}>
          {counted(total - hits.length, 'more find')}
        </Button>
      )}
    </div>
  );
}

function Teach() {
  return (
    <div className="pt-8 text-muted">
      <IndexLine />
      <p className="font-semibold text-text">Find what was said, run or printed in any conversation.</p>
      <p className="mt-1">
        Words are found in any order; <span className="font-mono text-mono">"in quotes"</span> as they stand. Claude
        Code’s transcripts are searched too.
      </p>
    </div>
  );
}
