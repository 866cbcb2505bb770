import { describe, expect, it } from 'vitest';
import { addDeltas, dropBlock, dropMessage, type LiveDelta } from './liveText';

function delta(messageId: string, index: number, text: string): LiveDelta {
  return { type: 'assistant.delta', messageId, index, kind: 'text', text };
}

describe('live text', () => {
  it('grows block by block, in order of their index', () => {
    const live = addDeltas({}, [delta('a', 1, 'y'), delta('a', 0, 'x'), delta('b', 0, 'z'), delta('a', 0, 'X')]);
    expect(live).toEqual({
      a: [
        { index: 0, kind: 'text', text: 'xX' },
        { index: 1, kind: 'text', text: 'y' },
      ],
      b: [{ index: 0, kind: 'text', text: 'z' }],
    });
  });

  it('leaves other messages as they are, so that their rows are not drawn again', () => {
    const before = addDeltas({}, [delta('a', 0, 'x'), delta('b', 0, 'z')]);
    expect(addDeltas(before, [delta('b', 0, '!')]).a).toBe(before.a);
    expect(addDeltas(before, [])).toBe(before);
    expect(dropBlock(before, 'c', 0)).toBe(before);
    expect(dropMessage(before, 'c')).toBe(before);
  });

  it('drops blocks, and messages with their last one', () => {
    const before = addDeltas({}, [delta('a', 0, 'x'), delta('a', 1, 'y')]);
    const once = dropBlock(before, 'a', 0);
    expect(once).toEqual({ a: [{ index: 1, kind: 'text', text: 'y' }] });
    expect(dropBlock(once, 'a', 1)).toEqual({});
    expect(dropMessage(before, 'a')).toEqual({});
  });
});
