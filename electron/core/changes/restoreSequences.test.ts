// Any sequence of edits, restores and undone restores, with the program ending in between, leaves the bytes of its model.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesWorld } from './testing/changesWorld';

const names = ['a.txt', 'dir/b.txt', 'c.bin'] as const;

const content = fc.oneof(
  fc.array(fc.constantFrom('one\n', 'two\r\n', '\n', 'x'), { maxLength: 6 }).map((lines) => lines.join('')),
  fc.constantFrom('\x00\x01', '\u00ef\u00bb\u00bfbom\r\n', '\xff\xfe'),
);

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('edit' as const), name: fc.constantFrom(...names), content }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('backTo' as const), at: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('undoRestore' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('die' as const), name: fc.constantFrom(...names), content }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('startAnew' as const) }) },
);

type Files = Readonly<Record<string, string | null>>;
const nothing: Files = Object.fromEntries(names.map((name) => [name, null]));

test('any sequence ends byte for byte where its model does', { timeout: 30_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const world = await changesWorld();
      try {
        let files = nothing;
        /** Before each recorded change that a tool made, the files as they were. */
        const moments: { seq: number; files: Files }[] = [];
        /** The newest restore and what was there before it; null once something else happened. */
        let restored: { step: string; before: Files } | null = null;
        const lastSeq = async () => (await world.changes.list(world.sessionId)).entries.at(-1)?.seq ?? 0;
        for (const one of steps) {
          if (one.do === 'edit' || one.do === 'die') {
            if (files[one.name] === one.content) continue;
            const before = files;
            const dies = one.do === 'die';
            await world.tool(one.name, one.content, { dies }).catch(() => undefined);
            if (dies) Object.assign(world, world.start());
            moments.push({ seq: await lastSeq(), files: before });
            files = { ...files, [one.name]: one.content };
            restored = null;
          } else if (one.do === 'startAnew') {
            Object.assign(world, world.start());
          } else if (one.do === 'backTo') {
            const moment = moments[one.at % Math.max(1, moments.length)];
            if (moment === undefined) continue;
            const done = await world.takeBack({ kind: 'before', seq: moment.seq });
            expect(done.files.filter(({ state }) => state !== 'ready' && state !== 'same')).toEqual([]);
            if (done.step !== '') restored = { step: done.step, before: files };
            files = moment.files;
          } else if (restored !== null) {
            const { before } = restored;
            const done = await world.takeBack({ kind: 'redo', step: restored.step });
            restored = { step: done.step, before: files };
            files = before;
          }
          const onDisk: Record<string, string | null> = {};
          for (const name of names) onDisk[name] = await world.read(name);
          expect(onDisk).toEqual(files);
        }
        expect(world.errors).toEqual([]);
      } finally {
        await world.dispose();
      }
    }),
    { numRuns: 25 },
  );
});
