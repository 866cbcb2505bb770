// @vitest-environment jsdom
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { RpcError } from '#shared/rpc/errors';
import { useRulesPage } from '../../../stores/rulesPage';
import { useToasts } from '../../../stores/toasts';
import type { FakeCore, FakeHandlers } from '../../../testing/fakeCore';
import { startRules } from '../testing/startRules';
import { useFileText } from './useFileText';

const path = '/home/ada/.claude/settings.json';
const step = { id: 'step1', label: 'write', at: 1, files: [path] };

let core: FakeCore;
let disk: string | null;

const called = (method: string) => core.calls.filter((call) => call.method === method).map((call) => call.params);

async function open(write: FakeHandlers['rules.writeFile'], text: string | null = '{}\n') {
  disk = text;
  core = await startRules({ 'rules.file': () => ({ path, text: disk, locked: '' }), 'rules.writeFile': write });
  const { result } = renderHook(() => useFileText({ path, name: '~/.claude/settings.json' }));
  await waitFor(() => expect(result.current.disk).not.toBeNull());
  return result;
}

afterEach(() => {
  cleanup();
  core.link.dispose();
});

test('what is written is kept with the text that it was made from, and saved', async () => {
  const file = await open(({ text }) => {
    disk = text;
    return { step, merged: true };
  });
  act(() => file.current.write('{"a":1}\n'));
  expect(file.current).toMatchObject({ text: '{"a":1}\n', isChanged: true });
  const leaving = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBe(true);

  // Somebody else writes the file meanwhile: the base stays.
  disk = '{ }\n';
  await act(() => file.current.reload());
  act(() => file.current.write('{"a":2}\n'));
  await act(() => file.current.save());
  expect(called('rules.writeFile')).toEqual([{ sessionId: 's1', path, base: '{}\n', text: '{"a":2}\n' }]);
  expect(file.current).toMatchObject({ text: '{"a":2}\n', isChanged: false, isSaving: false });
  expect(useRulesPage.getState().fileEdits).toEqual({});
  expect(useToasts.getState().toasts.at(-1)).toMatchObject({
    title: 'Saved, together with what changed on disk meanwhile.',
    action: { label: 'Undo' },
  });
  const later = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(later);
  expect(later.defaultPrevented).toBe(false);
});

test('a file that is not there yet is made from nothing', async () => {
  const file = await open(() => ({ step, merged: false }), null);
  act(() => file.current.write('{}'));
  await act(() => file.current.save());
  expect(called('rules.writeFile')).toEqual([{ sessionId: 's1', path, base: null, text: '{}' }]);
});

test('a conflict keeps the text, until the person says which one stands', async () => {
  const file = await open(({ base }) => {
    if (base === disk) return { step, merged: false };
    throw new RpcError('conflict', 'Both changed line 1.');
  });
  act(() => file.current.write('mine'));
  disk = 'theirs';
  await act(() => file.current.save());
  expect(file.current).toMatchObject({ text: 'mine', isConflict: true, isChanged: true, disk: { text: 'theirs' } });
  expect(useToasts.getState().toasts).toEqual([]);
  await act(() => file.current.save({ over: true }));
  expect(called('rules.writeFile').at(-1)).toEqual({ sessionId: 's1', path, base: 'theirs', text: 'mine' });
  expect(file.current.isConflict).toBe(false);
});

test('what is refused is said, and what is written as on disk is no change', async () => {
  const file = await open(() => {
    throw new RpcError('refused', 'Line 1 does not parse.');
  });
  act(() => file.current.write('{'));
  await act(() => file.current.save());
  expect(file.current).toMatchObject({ text: '{', isConflict: false });
  expect(useToasts.getState().toasts.at(-1)).toMatchObject({
    title: 'The file was not saved; your text is kept.',
    text: expect.stringContaining('Line 1 does not parse.'),
  });
  act(() => file.current.write('{}\n'));
  expect(file.current.isChanged).toBe(false);
  expect(useRulesPage.getState().fileEdits).toEqual({});
});

test('what is pressed while a text is being written is not lost', async () => {
  const answers: (() => void)[] = [];
  const file = await open(
    ({ text }) =>
      new Promise((resolve) =>
        answers.push(() => {
          disk = text;
          resolve({ step, merged: false });
        }),
      ),
  );
  act(() => file.current.write('one'));
  let first: Promise<void> | undefined;
  act(() => {
    first = file.current.save();
  });
  await waitFor(() => expect(answers).toHaveLength(1));
  act(() => file.current.write('two'));
  await act(() => file.current.save());
  answers[0]?.();
  await waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.();
  await act(async () => first);
  expect(called('rules.writeFile')).toMatchObject([
    { base: '{}\n', text: 'one' },
    { base: 'one', text: 'two' },
  ]);
  expect(file.current).toMatchObject({ text: 'two', isChanged: false, isSaving: false });
});
