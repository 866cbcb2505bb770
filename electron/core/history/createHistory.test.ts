import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HistoryState } from '#shared/api/history';
import { RpcError } from '#shared/rpc/errors';
import { noSources, type Sources } from '../permissions/combineSources';
import type { RuleDrafts } from '../permissions/drafted';
import { createHistory, type History } from './createHistory';
import type { CreateReplayer, Pace, ReplayPolicies } from './pastCalls';
import { callId, callLine, TranscriptFolder } from './testing/transcripts';

let folder: TranscriptFolder;
let history: History;
let states: HistoryState[];
/** Folders that drafts were made for, with the number of their edits. */
let asked: [string, number][];
let seen: { readonly question: unknown; readonly policies: ReplayPolicies }[];
let whileReplaying: (pace: Pace) => Promise<void>;

const never = new AbortController().signal;
const scope = { sessionId: 's_1', where: 'folder', days: 3_650 } as const;
const filter = { text: '' };
const emptyRow = { allow: 0, ask: 0, deny: 0 };
const emptyReplay = {
  calls: 0,
  sessions: 0,
  matrix: { allow: emptyRow, ask: emptyRow, deny: emptyRow },
  undetermined: [],
  rows: [],
  rowsInAll: 0,
  took: 0,
};

/** Stands for what decides: it notes what it was asked and counts the calls of the scope. */
const createReplayer: CreateReplayer = (index) => ({
  async replay(question, policies, pace) {
    seen.push({ question, policies });
    await whileReplaying(pace);
    return { ...emptyReplay, calls: [...index.calls(question.scope)].length };
  },
  async rows() {
    const [call] = index.calls({ folder: null, since: 0 });
    if (call === undefined) return [];
    const title = '=echo "a" | b,\nc';
    const { input, key: _key, project: _project, ...rest } = call;
    const row = {
      count: 2,
      before: 'ask',
      after: 'allow',
      danger: { score: 7, reason: 'writes' },
      because: 'a rule',
    } as const;
    return [{ ...row, call: { ...rest, title, input: JSON.stringify(input) } }];
  },
  usage: async (_question, policies) => {
    seen.push({ question: null, policies });
    return [];
  },
  explain: async (id, policies) => {
    seen.push({ question: id, policies });
    return index.find(id) === null ? null : { behavior: 'ask', reason: { type: 'noPermissionNeeded' }, parts: [] };
  },
  reach: async () => ({ covers: 0, overReach: 0, covered: [], worst: [] }),
  suggest: async () => ({ suggestions: [], asked: 0 }),
});

const drafts: Pick<RuleDrafts, 'sourcesFor'> = {
  async sourcesFor(at, { draft }): Promise<Sources> {
    asked.push([at, draft.length]);
    if (at === '/srv/broken') throw new Error('no');
    // Another object each time, as after every reading of the files.
    return { ...noSources(at), additional: draft.length > 0 ? ['/srv/more'] : [], version: asked.length };
  },
};

beforeEach(() => {
  folder = new TranscriptFolder();
  states = [];
  asked = [];
  seen = [];
  whileReplaying = async () => undefined;
  history = createHistory({
    claudeConfig: folder.claudeConfig,
    nativeBinding: undefined,
    place: { home: '/srv', platform: 'linux', data: folder.data, privateFiles: [] },
    threadFile: null,
    createReplayer,
    drafts,
    folderOf(sessionId) {
      if (sessionId !== 's_1') throw new RpcError('notFound', 'gone');
      return '/srv/app';
    },
    onState: (state) => states.push(state),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    now: () => Date.UTC(2026, 8, 2),
  });
});
afterEach(async () => {
  await history.dispose();
  folder.dispose();
});

const made = (name: string, cwd: string) =>
  callLine({ id: callId(name), input: { command: `echo ${name}` } }, { cwd, session: `session ${cwd}` });
const write = (name: string, cwd: string): void => void folder.write(`${name}/${name}.jsonl`, [made(name, cwd)]);
const draft = [{ type: 'addDirectory', source: 'userSettings', path: '/srv/more' } as const];
const replay = (more: { where?: 'folder' | 'everywhere'; edits?: typeof draft } = {}, signal = never) =>
  history.replay(
    { scope: { ...scope, where: more.where ?? 'folder' }, draft: more.edits ?? [], filter, offset: 0, limit: 50 },
    signal,
  );

it('reads nothing until it is asked', async () => {
  write('a', '/srv/app');
  expect(states).toEqual([]);
  expect(await history.state(never)).toMatchObject({ phase: 'idle', calls: 1, filesDone: 1 });
  write('b', '/srv/app');
  expect((await history.whenRead(never)).phase).toBe('idle');
});

it('gives calls of the session’s folder, newest first, by what they say', async () => {
  folder.write('x/x.jsonl', [
    ...['one', 'two', 'three'].map((name, second) =>
      callLine({ id: callId(name), input: { command: name } }, { second }),
    ),
    callLine({ id: callId('read'), tool: 'Read', input: { file_path: '/srv/app/One.ts' } }, { second: 9 }),
    made('elsewhere', '/srv/other'),
  ]);
  const calls = async (more: object) => {
    const answer = await history.calls({ scope, text: '', offset: 0, limit: 2, ...more }, never);
    return [answer.calls.map((call) => call.title), answer.inAll];
  };
  expect(await calls({})).toEqual([['/srv/app/One.ts', 'three'], 4]);
  expect(await calls({ offset: 2 })).toEqual([['two', 'one'], 4]);
  expect(await calls({ text: 'ONE' })).toEqual([['/srv/app/One.ts', 'one'], 2]);
  expect(await calls({ text: 'read' })).toEqual([['/srv/app/One.ts'], 1]);
  expect(await calls({ scope: { ...scope, where: 'everywhere' }, limit: 0 })).toEqual([[], 5]);
  const { calls: whole } = await history.calls({ scope, text: 'three', offset: 0, limit: 1 }, never);
  expect(whole).toEqual([
    {
      id: callId('three'),
      origin: 'claudeCode',
      session: 's1',
      cwd: '/srv/app',
      at: Date.UTC(2026, 8, 1, 12, 0, 2),
      tool: 'Bash',
      input: '{"command":"three"}',
      title: 'three',
      isSubagent: false,
      mode: null,
      outcome: 'unknown',
    },
  ]);
});

describe('a replay', () => {
  it('is told what is in force in each folder of the past, and the same only once', async () => {
    for (const [name, cwd] of [
      ['a', '/srv/app'],
      ['b', '/srv/other'],
      ['c', '/srv/broken'],
      ['d', '\\\\host\\share'],
    ] as const)
      write(name, cwd);
    await history.whenRead(never);
    expect(await replay({ where: 'everywhere' })).toMatchObject({ calls: 4 });
    expect(await replay({ where: 'everywhere', edits: draft })).toMatchObject({ calls: 4 });
    const folders = ['/srv/app', '/srv/other'];
    expect(seen.map(({ policies }) => [...policies.before.keys(), ...policies.after.keys()])).toEqual([
      [...folders, ...folders],
      [...folders, ...folders],
    ]);
    // A folder on another machine is never looked into.
    expect(asked.map(([at]) => at)).not.toContain('\\\\host\\share');
    const [first, second] = seen;
    for (const at of folders) {
      expect(first?.policies.after.get(at)).toBe(first?.policies.before.get(at));
      expect(second?.policies.before.get(at)).toBe(first?.policies.before.get(at));
      expect(second?.policies.after.get(at)?.additional).toEqual(['/srv/more']);
    }
    expect(seen[0]?.question).toEqual({
      scope: { folder: null, since: expect.any(Number) },
      filter,
      offset: 0,
      limit: 50,
    });
  });

  it('ends when nobody waits for it any more, and lets others be answered meanwhile', async () => {
    write('a', '/srv/app');
    const stop = new AbortController();
    let others = 0;
    whileReplaying = async (pace) => {
      for (let round = 0; ; round += 1) {
        const until = performance.now() + 15;
        while (performance.now() < until);
        await pace.breathe();
        if (round === 3) stop.abort();
      }
    };
    const going = replay({}, stop.signal);
    const answered = history.calls({ scope, text: '', offset: 0, limit: 1 }, never).then(() => {
      others += 1;
    });
    await expect(going).rejects.toMatchObject({ name: 'RpcError', code: 'cancelled' });
    await answered;
    expect(others).toBe(1);
    await expect(replay({}, stop.signal)).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('is written as a text that no program takes for more than a text', async () => {
    write('a', '/srv/app');
    const text = (format: 'csv' | 'json' | 'markdown') => history.exported({ scope, draft: [], filter, format }, never);
    expect(await text('csv')).toBe(
      `Before,After,Calls,Tool,What,Folder,Last,At the time,Danger,Because
ask,allow,2,Bash,"'=echo ""a"" | b,\nc",/srv/app,2026-09-01T12:00:00.000Z,unknown,7: writes,a rule
`,
    );
    expect(await text('markdown')).toContain('| ask | allow | 2 | Bash | =echo "a" \\| b, c | /srv/app |');
    expect(JSON.parse(await text('json'))).toMatchObject([{ count: 2, call: { tool: 'Bash' } }]);
  });
});

it('decides a call anew by the rules of its own project, and says when it is gone', async () => {
  write('a', '/srv/other');
  await history.whenRead(never);
  expect(await history.explain({ scope, draft: [], id: callId('a') }, never)).toMatchObject({ behavior: 'ask' });
  expect([...(seen[0]?.policies.after.keys() ?? [])]).toEqual(['/srv/other']);
  await expect(history.explain({ scope, draft: [], id: 'none' }, never)).rejects.toMatchObject({ code: 'notFound' });
});

it('counts the use of rules by what is in force where each call was made', async () => {
  write('a', '/srv/other');
  expect(await history.usage({ scope: { ...scope, where: 'everywhere' } }, never)).toEqual([]);
  expect([...(seen[0]?.policies.before.keys() ?? [])]).toEqual(['/srv/app', '/srv/other']);
});

it('refuses for a session that is gone', async () => {
  await expect(history.usage({ scope: { ...scope, sessionId: 's_2' } }, never)).rejects.toMatchObject({
    code: 'notFound',
  });
});

it('tells at most four times a second how far it is, and answers while it reads', async () => {
  const make = fileURLToPath(new URL('../../../build/samples.mjs', import.meta.url));
  execFileSync(process.execPath, [make, folder.claudeConfig, '--bytes', '20000000', '--seed', '3']);
  const reading = history.whenRead(never);
  let answers = 0;
  let done = false;
  void reading.then(() => {
    done = true;
  });
  while (!done) {
    await history.state(never);
    answers += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  const start = performance.now();
  await reading;
  expect(performance.now() - start).toBeLessThan(1_000);
  expect(answers).toBeGreaterThan(3);
  const progress = states.filter(({ phase }) => phase === 'reading');
  expect(progress.length).toBeLessThan(60);
  expect(states.at(-1)).toMatchObject({ phase: 'idle', bytesDone: states.at(-1)?.bytes });
});
