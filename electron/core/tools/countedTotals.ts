// Tokens that a model's own server counts for the tools of a first request. Kept, since the page asks again and again.
import type { ToolTotals } from '#shared/api/tools';
import { type ModelClient, ModelFailure } from '../model/client';
import type { FirstRequests } from './toolViews';

/** Counts that are kept; a change of tools makes a new one. */
const mostKept = 20;

export class CountedTotals {
  private readonly kept = new Map<string, Promise<ToolTotals | null>>();

  /** The server's count, or null where it does not count or cannot be reached. */
  async of(
    requests: FirstRequests,
    about: { readonly client: Pick<ModelClient, 'countTokens'>; readonly model: string; readonly signal: AbortSignal },
  ): Promise<ToolTotals | null> {
    if (about.client.countTokens === undefined) return null;
    const key = JSON.stringify([about.model, requests]);
    const known = this.kept.get(key) ?? counted(requests, about);
    this.kept.set(key, known);
    if (this.kept.size > mostKept) for (const oldest of [...this.kept.keys()].slice(0, 1)) this.kept.delete(oldest);
    const totals = await known;
    // A server that could not be reached may be reached the next time.
    if (totals === null) this.kept.delete(key);
    return totals;
  }
}

/** A request needs some text; what it costs without tools is taken off. */
const text = 'Begin.';

async function counted(
  { withDeferral, withoutDeferral }: FirstRequests,
  about: { readonly client: Pick<ModelClient, 'countTokens'>; readonly model: string; readonly signal: AbortSignal },
): Promise<ToolTotals | null> {
  const { client, model, signal } = about;
  const count = async ({ tools, section }: FirstRequests['withDeferral']): Promise<number> => {
    const system = section === '' ? text : `${text}\n\n${section}`;
    const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text }] }];
    return (await client.countTokens?.({ model, system, tools, messages, signal })) ?? 0;
  };
  try {
    const [bare, one, all] = await Promise.all([
      count({ tools: [], section: '' }),
      count(withDeferral),
      count(withoutDeferral),
    ]);
    return {
      withDeferral: Math.max(0, one - bare),
      withoutDeferral: Math.max(0, all - bare),
      source: 'counted',
    };
  } catch (error) {
    if (error instanceof ModelFailure) return null;
    throw error;
  }
}
