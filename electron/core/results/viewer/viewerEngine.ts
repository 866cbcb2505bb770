// Answers the questions about opened files: each page has its own views.
import { RpcError } from '#shared/rpc/errors';
import { readTranscriptCalls } from '../browser/transcriptCalls';
import type { Answer, AnyQuestion, Question, ViewEvent } from '../worker/messages';
import { FileView } from './fileView';
import type { Searcher } from './search/fileSearch';

/** More files are not open at a time; the one that was asked for longest ago is closed. */
const maxViews = 24;

/** Tells what differs between two files, without keeping others from their answers. */
export type Compare = (question: Question<'diff'>) => Promise<Answer<'diff'>>;

export interface EngineOptions {
  readonly searcher: Searcher;
  readonly compare: Compare;
  readonly tell: (event: ViewEvent) => void;
}

export class ViewerEngine {
  /** The one that was used last comes last. */
  private readonly views = new Map<string, FileView>();

  constructor(private readonly options: EngineOptions) {}

  /** Throws RpcError for what the asker can do something about. */
  async answer(asked: AnyQuestion): Promise<unknown> {
    const { name, question } = asked;
    switch (name) {
      case 'open':
        return await this.open(question);
      case 'close':
        await this.close(question.view);
        return {};
      case 'results.rows':
        return this.view(question).rows(question);
      case 'results.rowOfLine':
        return await this.view(question).rowOfLine(question);
      case 'results.line':
        return await this.view(question).line(question);
      case 'results.bytes':
        return this.view(question).bytes(question);
      case 'results.image':
        return this.view(question).image();
      case 'results.search':
        return await this.view(question).search.begin(question);
      case 'results.stopSearch':
        await this.view(question).search.stop();
        return {};
      case 'results.matches':
        return await this.view(question).search.matches(question);
      case 'results.matchesIn':
        return await this.view(question).search.matchesIn(question);
      case 'results.matchingLines':
        return await this.view(question).search.matchingLines(question);
      case 'results.json':
        return await this.view(question).parts.json(question);
      case 'results.jsonText':
        return await this.view(question).parts.jsonText(question);
      case 'results.table':
        return await this.view(question).parts.table(question);
      case 'diff':
        return await this.options.compare(question);
      case 'transcriptCalls':
        return await readTranscriptCalls(question.transcripts);
    }
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.views.keys()].map((view) => this.close(view)));
  }

  private async open({ view, place }: Question<'open'>): Promise<Answer<'open'>> {
    await this.close(view);
    const { searcher, tell } = this.options;
    const opened = new FileView({ view, place, searcher, tell });
    this.views.set(view, opened);
    for (const oldest of this.views.keys()) {
      if (this.views.size <= maxViews) break;
      await this.close(oldest);
    }
    return opened.begin();
  }

  private view({ view }: { readonly view: string }): FileView {
    const found = this.views.get(view);
    if (found === undefined) throw new RpcError('conflict', 'This file is no longer open here. Open it again.');
    this.views.delete(view);
    this.views.set(view, found);
    return found;
  }

  private async close(view: string): Promise<void> {
    const found = this.views.get(view);
    this.views.delete(view);
    await found?.close();
  }
}
