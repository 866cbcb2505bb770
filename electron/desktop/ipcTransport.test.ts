import type { WebContents } from 'electron';
import { describe, expect, it } from 'vitest';
import type { Transport } from '#shared/rpc/transport';
import { channels } from './channels';
import { acceptPages } from './ipcTransport';
import { RecordedContents, RecordedFrame, standIn } from './testing/electronRecorder';

const origin = 'app://gatehouse';

function openPage() {
  const contents = new RecordedContents();
  contents.mainFrame = new RecordedFrame(`${origin}/`);
  const transports: Transport[] = [];
  const refused: string[] = [];
  const received: unknown[] = [];
  const closed: string[] = [];
  acceptPages({
    contents: standIn<WebContents>(contents),
    origin,
    accept: (transport) => {
      transports.push(transport);
      transport.onMessage((message) => received.push(message));
      transport.onClose((reason) => closed.push(reason));
    },
    onRefused: (reason) => refused.push(reason),
  });
  return { contents, transports, refused, received, closed };
}

describe('acceptPages', () => {
  it('carries messages both ways', () => {
    const { contents, transports, received, refused } = openPage();
    contents.say(channels.open);
    contents.say(channels.message, '{"type":"req","id":1}');
    transports[0]?.send({ type: 'ok', id: 1, answer: 'ä' });
    expect({ received, refused, sent: contents.sent }).toEqual({
      received: [{ type: 'req', id: 1 }],
      refused: [],
      sent: [{ channel: channels.message, text: '{"type":"ok","id":1,"answer":"ä"}' }],
    });
  });

  it('says nothing to a page before it is open', () => {
    const { contents, transports, received } = openPage();
    contents.say(channels.message, '{}');
    expect({ transports, received }).toEqual({ transports: [], received: [] });
  });

  const inner = new RecordedFrame(`${origin}/`);
  inner.parent = new RecordedFrame(`${origin}/`);
  const forged: [string, { sender?: unknown; senderFrame?: RecordedFrame | null }, string][] = [
    ['an inner frame', { senderFrame: inner }, 'it comes from an inner frame'],
    [
      'another frame of the same address',
      { senderFrame: new RecordedFrame(`${origin}/`) },
      'it comes from an inner frame',
    ],
    ['a frame that is gone', { senderFrame: null }, 'its frame is gone'],
    ['another window', { sender: new RecordedContents() }, 'it comes from another window'],
  ];
  it.each(forged)('refuses %s', (_name, from, reason) => {
    const { contents, transports, received, refused } = openPage();
    contents.say(channels.open);
    contents.say(channels.message, '{"forged":true}', from);
    contents.say(channels.open, undefined, from);
    expect({ received, refused, pages: transports.length }).toEqual({
      received: [],
      refused: [reason, reason],
      pages: 1,
    });
  });

  it.each([
    'https://example.com/',
    'app://gatehouse.example.com/',
    'app://other/',
    'file:///etc/passwd',
    'about:blank',
    'data:text/html,x',
  ])('refuses a main frame that shows %s', (url) => {
    const { contents, transports, refused } = openPage();
    contents.mainFrame.url = url;
    contents.say(channels.open);
    expect({ transports, refused }).toEqual({ transports: [], refused: ['it comes from a page that is not ours'] });
  });

  it.each([
    ['an object', { type: 'req' }],
    ['nothing', undefined],
    ['more than any page would send', 'x'.repeat(8 * 1024 * 1024 + 1)],
  ])('refuses %s', (_name, text) => {
    const { contents, received, refused } = openPage();
    contents.say(channels.open);
    contents.say(channels.message, text);
    expect({ received, refused }).toEqual({ received: [], refused: ['it is no text or too long'] });
  });

  it('closes on text that is no JSON', () => {
    const { contents, received, closed } = openPage();
    contents.say(channels.open);
    contents.say(channels.message, '{');
    contents.say(channels.message, '{}');
    expect({ received, closed }).toEqual({ received: [], closed: ['malformed message'] });
  });

  it('gives a reloaded page a transport of its own', () => {
    const { contents, transports, received, closed } = openPage();
    contents.say(channels.open);
    contents.say(channels.open);
    contents.say(channels.message, '1');
    transports[0]?.send('late');
    expect({ pages: transports.length, received, closed, sent: contents.sent }).toEqual({
      pages: 2,
      received: [1],
      closed: ['the page was loaded anew'],
      sent: [],
    });
  });

  it.each([
    ['render-process-gone', 'the page crashed'],
    ['destroyed', 'the window was closed'],
  ])('closes once on %s and sends nothing after', (event, reason) => {
    const { contents, transports, closed } = openPage();
    contents.say(channels.open);
    contents.emit(event);
    contents.emit('destroyed');
    contents.destroyed = true;
    transports[0]?.send('late');
    expect({ closed, sent: contents.sent }).toEqual({ closed: [reason], sent: [] });
  });

  it('stops telling those who stopped listening', () => {
    const { contents, transports } = openPage();
    contents.say(channels.open);
    const seen: unknown[] = [];
    const stop = transports[0]?.onMessage((message) => seen.push(message));
    contents.say(channels.message, '1');
    stop?.();
    contents.say(channels.message, '2');
    expect(seen).toEqual([1]);
  });
});
