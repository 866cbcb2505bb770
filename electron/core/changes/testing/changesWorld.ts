// A session over a real folder, whose tools write through a stand-in of the executor that keeps both sides as it does.
import { mkdtempSync } from 'node:fs';
import { chmod, lstat, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type OperationOf, WriteFile } from '#shared/api/executor';
import type { FileChange, FileContent } from '#shared/session/fileChange';
import { openDatabase } from '../../sessions/database';
import { SessionService } from '../../sessions/service';
import { SessionStore } from '../../sessions/store';
import type { GrantedExecutor } from '../../tools/tool';
import { ChangeLog } from '../changeLog';
import { hashOf, historyName, keepBytes, makeHistory } from '../contentStore';
import { type ChangesOptions, createChanges } from '../createChanges';
import { writeNote } from '../pending';

const model = { id: 'm', label: 'M', scripted: false };

export async function changesWorld(more: Partial<ChangesOptions> = {}) {
  const root = await realpath(mkdtempSync(join(tmpdir(), 'changes-')));
  const folder = join(root, 'app');
  await mkdir(folder);
  const opened = openDatabase({ folder: ':memory:', nativeBinding: undefined });
  const store = new SessionStore(opened.database, () => undefined);
  let time = Date.now();
  const now = () => ++time;
  const errors: unknown[] = [];
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (what: string, error: unknown) => void errors.push([what, error]),
  };
  /** The program anew, over the same disk and database. */
  const start = () => {
    const sessions = new SessionService(store, now);
    const changes = createChanges({
      sessions,
      changeLog: new ChangeLog(opened.database),
      resultFolder: (sessionId) => join(root, 'data', sessionId, 'tool-results'),
      heldElsewhere: () => false,
      isReadOnly: () => false,
      protectedPaths: [join(root, 'data')],
      log,
      now,
      ...more,
    });
    return { sessions, changes };
  };
  const first = start();
  const sessionId = first.sessions.create({ folder, title: 'T', mode: 'default', model });
  let calls = 0;

  const world = {
    ...first,
    root,
    folder,
    sessionId,
    errors,
    failOn: (text: string) =>
      void opened.database.exec(
        `create trigger stop before insert on events when new.body like '%${text}%' begin select raise(abort, 'full'); end`,
      ),
    start,
    history: join(root, 'data', sessionId, historyName),
    path: (name: string) => join(folder, name),
    /** What a tool does: the file becomes these bytes. */
    async tool(name: string, content: string | Buffer, how: { readonly dies?: boolean } = {}) {
      calls += 1;
      const callId = `m.${calls}`;
      const executor = world.changes.recording(standIn(how.dies === true), { sessionId, callId });
      const text = typeof content === 'string' ? content : content.toString('latin1');
      return await executor.run({
        op: 'file.write',
        path: join(folder, name),
        content: text,
        expect: 'absent',
        dryRun: false,
      });
    },
    async hand(name: string, content: string | null) {
      if (content === null) await rm(join(folder, name));
      else {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), content);
      }
    },
    async read(name: string): Promise<string | null> {
      return (await readFile(join(folder, name)).catch(() => null))?.toString('latin1') ?? null;
    },
    async mode(name: string) {
      return (await lstat(join(folder, name))).mode & 0o7777;
    },
    chmod: (name: string, mode: number) => chmod(join(folder, name), mode),
    recorded(): FileChange[] {
      return first.sessions
        .eventsSince(sessionId, 0)
        .flatMap(({ body }) => (body.type === 'file.changed' ? [body.change] : []));
    },
    /** Takes everything back that the preview offers without a conflict. */
    async takeBack(target: Parameters<typeof first.changes.preview>[1]) {
      const { files } = await world.changes.preview(sessionId, target);
      const chosen = files.filter(({ state }) => state === 'ready' || state === 'merged');
      if (chosen.length === 0) return { files, step: '', changes: [] };
      const done = await world.changes.restore({
        sessionId,
        target,
        files: chosen.map(({ path, now: print }) => ({ path, now: print, hunkIds: null })),
      });
      return { files, ...done };
    },
    async dispose() {
      await world.changes.dispose();
      opened.close();
      await rm(root, { recursive: true, force: true });
    },
  };
  return world;
}

/** Content is given as one character a byte, so that bytes that are no text come through. `dies`: no answer comes. */
function standIn(dies: boolean): GrantedExecutor {
  const refuse = (): never => {
    throw new Error('not in this world');
  };
  const run: GrantedExecutor['run'] = async (operation): Promise<never> =>
    // The one operation of this world; the type of its answer hangs on a parameter that nobody can know here.
    (await writeKept(WriteFile.parse(operation), dies)) as never;
  return {
    run,
    mayReachPrivate: refuse,
    start: refuse,
    startCode: refuse,
    askLanguageServer: refuse,
  };
}

async function writeKept(operation: OperationOf<'file.write'>, dies: boolean) {
  const { path, content, keep } = operation;
  if (keep === undefined) throw new Error('nothing was to be kept');
  const bytes = Buffer.from(content, 'latin1');
  const old = await readFile(path).catch(() => null);
  const mode = old === null ? 0o644 : (await lstat(path)).mode & 0o7777;
  const side = (of: Buffer): FileContent => ({
    hash: hashOf(of),
    bytes: of.length,
    mode,
    kept: of.length <= keep.maxBytes,
  });
  await makeHistory(keep.folder);
  if (old !== null) await keepBytes(keep.folder, old);
  await keepBytes(keep.folder, bytes);
  const change = { path, before: old === null ? null : side(old), after: side(bytes), lines: null };
  const by = { kind: 'call' as const, callId: keep.callId };
  await writeNote(keep.folder, keep.changeId, {
    changes: [{ ...change, changeId: keep.changeId, by }],
    leftovers: [],
  });
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes, { mode });
  await chmod(path, mode);
  if (dies) throw new Error('the executor ended');
  const none = { created: old === null, replacements: 0, hunks: [], added: 0, removed: 0, hunksTruncated: false };
  return {
    kind: 'changed' as const,
    ...none,
    size: bytes.length,
    mtimeMs: 0,
    hash: hashOf(bytes),
    kept: { ...change, problem: '' },
  };
}
