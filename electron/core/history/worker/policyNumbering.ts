// Gives what is in force somewhere a number, so that the same need not be told twice.
import { createHash } from 'node:crypto';
import type { Sources } from '../../permissions/combineSources';
import type { HistoryAnswerer } from './messages';

/** More are forgotten, the longest unused first; a question names at most twice its folders. */
const maxKnown = 400;

export class PolicyNumbering {
  private readonly byObject = new WeakMap<Sources, string>();
  /** By content, the longest unused first. */
  private readonly numbers = new Map<string, number>();
  private last = 0;

  constructor(private readonly answerer: Pick<HistoryAnswerer, 'learnPolicy' | 'forgetPolicy'>) {}

  numberOf(sources: Sources): number {
    const content = this.contentOf(sources);
    const known = this.numbers.get(content);
    if (known !== undefined) {
      this.numbers.delete(content);
      this.numbers.set(content, known);
      return known;
    }
    this.last += 1;
    this.numbers.set(content, this.last);
    this.answerer.learnPolicy(this.last, sources);
    this.forgetOldest();
    return this.last;
  }

  private contentOf(sources: Sources): string {
    const known = this.byObject.get(sources);
    if (known !== undefined) return known;
    // The version says only that it was read again.
    const content = createHash('sha256')
      .update(JSON.stringify({ ...sources, version: 0 }))
      .digest('base64');
    this.byObject.set(sources, content);
    return content;
  }

  private forgetOldest(): void {
    for (const [content, number] of this.numbers) {
      if (this.numbers.size <= maxKnown) return;
      this.numbers.delete(content);
      this.answerer.forgetPolicy(number);
    }
  }
}
