import type { AppContract } from '#shared/api/app';
import type { resultCalls } from '#shared/api/results';
import type { Handlers } from '#shared/rpc/contract';
import type { ResultsBrowser, ResultViews } from '../results/browser/resultsBrowser';
import type { ViewEvent } from '../results/worker/messages';
import { defaultMaxResultSizeChars } from '../tools/buildTool';
import type { Connection } from './connection';

type ResultHandlers = Pick<Handlers<AppContract, { readonly connection: Connection }>, keyof typeof resultCalls>;

export function resultHandlers({ results }: { readonly results: ResultsBrowser }): ResultHandlers {
  const views = new WeakMap<Connection, ResultViews>();

  function viewsOf(connection: Connection): ResultViews {
    const known = views.get(connection);
    if (known !== undefined) return known;
    const opened = results.viewsOf((id, event) => tell(connection, id, event));
    views.set(connection, opened);
    connection.whenGone(() => opened.dispose());
    return opened;
  }

  return {
    async 'results.list'() {
      return { ...(await results.list()), limitChars: defaultMaxResultSizeChars };
    },
    'results.open': ({ id }, { connection }) => viewsOf(connection).open(id),
    async 'results.close'({ id }, { connection }) {
      await viewsOf(connection).close(id);
      return {};
    },
    'results.rows': (params, { connection }) => viewsOf(connection).ask('results.rows', params),
    'results.rowOfLine': (params, { connection }) => viewsOf(connection).ask('results.rowOfLine', params),
    'results.line': (params, { connection }) => viewsOf(connection).ask('results.line', params),
    'results.search': (params, { connection }) => viewsOf(connection).ask('results.search', params),
    'results.stopSearch': (params, { connection }) => viewsOf(connection).ask('results.stopSearch', params),
    'results.matches': (params, { connection }) => viewsOf(connection).ask('results.matches', params),
    'results.matchesIn': (params, { connection }) => viewsOf(connection).ask('results.matchesIn', params),
    'results.matchingLines': (params, { connection }) => viewsOf(connection).ask('results.matchingLines', params),
    'results.bytes': (params, { connection }) => viewsOf(connection).ask('results.bytes', params),
    'results.image': (params, { connection }) => viewsOf(connection).ask('results.image', params),
    'results.json': (params, { connection }) => viewsOf(connection).ask('results.json', params),
    'results.jsonText': (params, { connection }) => viewsOf(connection).ask('results.jsonText', params),
    'results.table': (params, { connection }) => viewsOf(connection).ask('results.table', params),
    'results.diff': ({ left, right }) => results.diff(left, right),
    async 'results.keep'({ ids, kept }) {
      await results.keep(ids, kept);
      return {};
    },
    'results.cleanUpPreview': (choice) => results.cleanUpPreview(choice),
    'results.cleanUp': ({ ids }) => results.cleanUp(ids),
    async 'results.trash'() {
      return { batches: await results.trashBatches() };
    },
    'results.restore': ({ batchId }) => results.restore(batchId),
    async 'results.saveCopy'({ id, folder }) {
      return { file: await results.saveCopy(id, folder) };
    },
    async 'results.reveal'({ id }) {
      await results.reveal(id);
      return {};
    },
  };
}

function tell(connection: Connection, id: string, event: ViewEvent): void {
  switch (event.kind) {
    case 'indexed':
      connection.emit('results.indexed', { id, index: event.index });
      return;
    case 'searching':
      connection.emit('results.searching', { id, state: event.state });
      return;
    case 'fileChanged':
      connection.emit('results.fileChanged', { id, how: event.how, bytes: event.bytes });
      return;
  }
}
