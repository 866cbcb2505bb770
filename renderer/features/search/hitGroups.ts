// Hits by the conversation they stand in.
import type { ConversationRef, SearchHit } from '#shared/api/search';
import { sameConversation } from '../../stores/place';

export interface HitGroup {
  readonly in: ConversationRef;
  readonly title: string;
  readonly folder: string;
  /** Each with its place among all hits. */
  readonly hits: readonly { readonly hit: SearchHit; readonly at: number }[];
}

/** Groups in the order of their first hit. */
export function groupHits(hits: readonly SearchHit[]): HitGroup[] {
  const groups: (HitGroup & { hits: { hit: SearchHit; at: number }[] })[] = [];
  hits.forEach((hit, at) => {
    const known = groups.find((group) => sameConversation(group.in, hit.in));
    if (known === undefined) groups.push({ in: hit.in, title: hit.title, folder: hit.folder, hits: [{ hit, at }] });
    else known.hits.push({ hit, at });
  });
  return groups;
}

/** The words of a hit that were sought, each once, as they stand there. */
export function wordsOf(hit: SearchHit): string[] {
  return [...new Set(hit.snippet.filter((piece) => piece.hit).map((piece) => piece.text.trim()))].filter(
    (word) => word !== '',
  );
}
