// A hook that turns a reading call into a changing one does not let it overlap the calls beside it.
import { expect, test } from 'vitest';
import { bench, echoTool, message } from '../testing/bench';
import { answering, updatedInput } from './testing/fakeHooks';

const finished = (body: { readonly type: string }) => body.type === 'turn.finished';

/** Texts that start with "write" may not overlap. */
function overlapping(texts: readonly string[], change: (text: string) => string) {
  let running = 0;
  const seen: [text: string, beside: number][] = [];
  const tool = {
    ...echoTool({
      run: async (text) => {
        running += 1;
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
        await new Promise<void>((resolve) => setImmediate(resolve));
        seen.push([text, running]);
        running -= 1;
        return text;
      },
    }),
    isConcurrencySafe: (input: unknown) => !JSON.stringify(input).includes('write'),
  };
  const hooks = answering('PreToolUse', (event) => {
    const { text } = ('call' in event ? event.call.toolInput : {}) as { readonly text: string };
    const changed = change(text);
    return Promise.resolve(changed === text ? {} : updatedInput({ text: changed }));
  });
  const plays = [message(...texts.map((text) => ({ call: 'Echo', input: { text } })))];
  return { b: bench({ tools: [tool], hooks, plays }), seen };
}

test('calls that may overlap do; one that a hook made unsafe runs alone', async () => {
  const { b, seen } = overlapping(['a', 'b', 'c', 'd'], (text) => (text === 'b' ? 'write b' : text));
  const done = b.until(finished);
  b.agent.send(b.sessionId, 'go');
  await done;
  expect(seen.filter(([text]) => text === 'write b')).toEqual([['write b', 1]]);
  expect(seen).toHaveLength(4);
  expect(seen.some(([, beside]) => beside > 1)).toBe(true);
  expect(b.calls().map((call) => ('modelText' in call ? call.modelText : ''))).toEqual(['a', 'write b', 'c', 'd']);
});

test('several of them run one after the other, and a stop ends those that wait', async () => {
  const { b, seen } = overlapping(['a', 'b', 'c'], (text) => `write ${text}`);
  const done = b.until(finished);
  b.agent.send(b.sessionId, 'go');
  await done;
  expect(seen.map(([, beside]) => beside)).toEqual([1, 1, 1]);

  const other = overlapping(['a', 'b', 'c'], (text) => `write ${text}`);
  const started = other.b.until((body) => body.type === 'call.started');
  other.b.agent.send(other.b.sessionId, 'go');
  await started;
  await other.b.agent.stop(other.b.sessionId);
  expect(other.b.calls().map((call) => call.status)).toEqual(['interrupted', 'interrupted', 'interrupted']);
});
