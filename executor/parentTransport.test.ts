import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { openParentTransport } from './parentTransport';

class StandInPort extends EventEmitter {
  readonly posted: unknown[] = [];
  postMessage(message: unknown): void {
    this.posted.push(message);
  }
}

/** A process object with other ways to its parent. */
function standIn(members: object): NodeJS.Process {
  return Object.assign(Object.create(process), { send: undefined }, members);
}

test('in a utility process messages go through its port', () => {
  const parentPort = new StandInPort();
  const transport = openParentTransport(standIn({ parentPort }));
  const heard: unknown[] = [];
  const closes: string[] = [];
  const stop = transport.onMessage((message) => heard.push(message));
  transport.onClose((reason) => closes.push(reason));
  transport.send({ id: 1 });
  parentPort.emit('message', { data: { id: 2 }, ports: [] });
  stop();
  parentPort.emit('message', { data: { id: 3 }, ports: [] });
  transport.close('over');
  transport.close('again');
  transport.send({ id: 4 });
  expect({ posted: parentPort.posted, heard, closes }).toEqual({
    posted: [{ id: 1 }],
    heard: [{ id: 2 }],
    closes: ['over'],
  });
});

test('a child process uses Node’s channel and hears of its end', () => {
  const channel = new EventEmitter();
  const sent: unknown[] = [];
  let connected = true;
  const own = standIn({
    on: channel.on.bind(channel),
    off: channel.off.bind(channel),
    send: (message: unknown) => sent.push(message) > 0,
    disconnect: () => {
      connected = false;
    },
  });
  Object.defineProperty(own, 'connected', { get: () => connected });
  const transport = openParentTransport(own);
  const heard: unknown[] = [];
  const closes: string[] = [];
  transport.onMessage((message) => heard.push(message));
  transport.onClose((reason) => closes.push(reason));
  channel.emit('message', 'hello');
  transport.send('answer');
  connected = false;
  channel.emit('disconnect');
  transport.send('too late');
  expect({ sent, heard, closes }).toEqual({ sent: ['answer'], heard: ['hello'], closes: ['the parent is gone'] });
});

test('started by hand it says so', () => {
  expect(() => openParentTransport(standIn({}))).toThrow('not by hand');
});
