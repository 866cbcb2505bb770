import { expect, it } from 'vitest';
import { CancelSource } from '#shared/rpc/cancel';
import { RpcError } from '#shared/rpc/errors';
import type { History } from '../history/createHistory';
import { Connection } from './connection';
import { historyHandlers } from './historyHandlers';

const scope = { sessionId: 's_1', where: 'folder', days: 30 } as const;
const question = { scope, draft: [], filter: { text: '' }, offset: 0, limit: 10 };

/** Handlers over a history whose answers never come, unless nobody waits any more. */
function setUp() {
  const opened: string[] = [];
  const going: string[] = [];
  const untilAborted = (name: string, signal: AbortSignal): Promise<never> => {
    going.push(name);
    return new Promise((_resolve, reject) => {
      const end = (): void => {
        going.splice(going.indexOf(name), 1);
        reject(new RpcError('cancelled', name));
      };
      if (signal.aborted) end();
      else signal.addEventListener('abort', end);
    });
  };
  const unused = async (): Promise<never> => {
    throw new Error('not asked in this test');
  };
  const history: History = {
    state: (signal) => untilAborted('state', signal),
    replay: ({ offset }, signal) => untilAborted(`replay ${offset}`, signal),
    suggest: (_question, signal) => untilAborted('suggest', signal),
    exported: async () => 'a,b\n',
    whenRead: unused,
    pause: unused,
    calls: unused,
    usage: unused,
    explain: unused,
    reach: unused,
    dispose: async () => undefined,
  };
  const handlers = historyHandlers(
    {
      sessions: { exists: (id) => id === 's_1', state: () => ({ folder: '/srv/app' }) },
      engine: {
        async openSession(_id, folder) {
          opened.push(folder);
        },
      },
    },
    history,
  );
  return { handlers, opened, going };
}

const page = () => ({ connection: new Connection(() => undefined), signal: new CancelSource() });
const settled = async (promise: unknown) =>
  await Promise.resolve(promise).then(
    () => 'answered',
    (error: unknown) => (error instanceof RpcError ? error.code : 'bug'),
  );
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('a newer replay of a page ends the older one, and nothing else', async () => {
  const { handlers, opened, going } = setUp();
  const [one, other] = [page(), page()];
  const older = settled(handlers['history.replay'](question, one));
  void settled(handlers['history.suggest']({ scope, draft: [] }, one));
  void settled(handlers['history.replay']({ ...question, offset: 1 }, other));
  await turn();
  expect(going).toEqual(['replay 0', 'suggest', 'replay 1']);
  void settled(handlers['history.replay']({ ...question, offset: 2 }, one));
  expect(await older).toBe('cancelled');
  await turn();
  expect(going).toEqual(['suggest', 'replay 1', 'replay 2']);
  expect(new Set(opened)).toEqual(new Set(['/srv/app']));
});

it('ends with the page’s own wish, and remembers which pages asked', async () => {
  const { handlers, going } = setUp();
  const asking = page();
  expect(asking.connection.followsHistory).toBe(false);
  const state = settled(handlers['history.state']({}, asking));
  expect(asking.connection.followsHistory).toBe(true);
  asking.signal.cancel();
  expect([await state, going]).toEqual(['cancelled', []]);
});

it.each([
  ['csv', 'replay.csv'],
  ['json', 'replay.json'],
  ['markdown', 'replay.md'],
] as const)('names a text in %s after what it is', async (format, name) => {
  const { handlers } = setUp();
  const asked = { scope, draft: [], filter: { text: '' }, format };
  expect(await handlers['history.exportReplay'](asked, page())).toEqual({ name, text: 'a,b\n' });
});

it('does not decide by the rules of a session that is gone', async () => {
  const { handlers, going } = setUp();
  const gone = { ...question, scope: { ...scope, sessionId: 's_2' } };
  expect([await settled(handlers['history.replay'](gone, page())), going]).toEqual(['notFound', []]);
});
