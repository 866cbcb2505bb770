import { expect, it, vi } from 'vitest';
import { callsOf, exposed, ipcRenderer } from './testing/electronRecorder';

vi.mock('electron', () => import('./testing/electronRecorder'));

it('gives the page one object that carries text, and says that it is there', async () => {
  await import('./preload');
  expect(Object.keys(exposed)).toEqual(['gatehouse']);
  expect(callsOf('ipcRenderer.send')).toEqual([['gatehouse:open', undefined]]);

  const bridge = exposed.gatehouse as {
    send(text: string): void;
    onMessage(listener: (text: string) => void): () => void;
  };
  expect(Object.keys(bridge)).toEqual(['send', 'onMessage']);
  bridge.send('{"id":1}');
  expect(callsOf('ipcRenderer.send').at(-1)).toEqual(['gatehouse:message', '{"id":1}']);

  const seen: unknown[][] = [];
  const stop = bridge.onMessage((...values) => seen.push(values));
  ipcRenderer.emit('gatehouse:message', { sender: 'raw event' }, '{"ok":1}');
  stop();
  ipcRenderer.emit('gatehouse:message', {}, '{"ok":2}');
  // The raw event never reaches the page.
  expect(seen).toEqual([['{"ok":1}']]);
});
