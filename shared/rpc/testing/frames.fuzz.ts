// Frames as they come over a wire, into both ends of the contracts between page and core, core and executor.
import fc from 'fast-check';
import { appContract } from '../../api/app';
import { executorContract } from '../../api/executor';
import { nearly } from '../../testing/fromSchema';
import { type FuzzTarget, fuzzTarget, must, type OpenTargets } from '../../testing/fuzzTarget';
import { damagedText, deepText, hostileJson, hostileNumber, hostileText } from '../../testing/hostile';
import type { Contract, Handlers } from '../contract';
import { RpcError } from '../errors';
import { connect, serve } from '../peer';
import type { Transport } from '../transport';
import { TransportListeners } from '../transportListeners';
import { ClientMessage, ServerMessage } from '../wire';

/** As in peer.ts; a client that sends more at once is told so. */
const maxRunningCalls = 1_000;

class Wire extends TransportListeners implements Transport {
  readonly sent: unknown[] = [];
  send(message: unknown): void {
    if (!this.closed) this.sent.push(message);
  }
}

const id = fc.oneof({ weight: 6, arbitrary: fc.nat(5) }, { weight: 1, arbitrary: hostileNumber });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** As text, because that is what comes: some of it damaged. */
function framesOf(frame: fc.Arbitrary<unknown>): fc.Arbitrary<string[]> {
  const text = frame.map((one) => JSON.stringify(one) ?? 'null');
  const deep = fc.tuple(text, deepText, fc.nat()).map(([one, inner, at]) => {
    // In the place of any value of the frame.
    const values = [...one.matchAll(/:("[^"\\]*"|\d+|null|\[\]|\{\})/g)];
    const found = values[at % Math.max(1, values.length)];
    return found === undefined
      ? inner
      : `${one.slice(0, found.index)}:${inner}${one.slice(found.index + found[0].length)}`;
  });
  const damaged = fc.oneof(
    { weight: 12, arbitrary: text },
    { weight: 2, arbitrary: text.chain(damagedText) },
    { weight: 1, arbitrary: deep },
  );
  return fc.array(damaged, { minLength: 1, maxLength: 8 });
}

/** The loop has turned often enough for everything that does not wait for time. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

function serverTarget(name: string, contract: Contract): FuzzTarget {
  const request = fc.oneof(
    ...Object.entries(contract.calls).map(([method, { params }]) =>
      fc.record({
        type: fc.constant('req'),
        id,
        method: fc.constant(method),
        params: nearly(params, () => undefined),
      }),
    ),
  );
  const odd = fc.record(
    {
      type: fc.oneof(fc.constantFrom('req', 'cancel', 'ok', 'evt'), hostileText),
      id,
      method: hostileText,
      params: hostileJson,
    },
    { requiredKeys: [] },
  );
  const frame = fc.oneof(
    { weight: 6, arbitrary: request },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('cancel'), id }) },
    { weight: 1, arbitrary: odd },
    { weight: 1, arbitrary: hostileJson },
  );
  return fuzzTarget(fc, {
    name,
    inputs: framesOf(frame),
    corpus: [],
    async check(texts) {
      const wire = new Wire();
      const unfit: string[] = [];
      const handlers: Handlers<Contract, object> = Object.fromEntries(
        Object.keys(contract.calls).map((method) => [
          method,
          (given: unknown) => {
            if (typeof given !== 'object' || given === null) unfit.push(method);
            throw new RpcError('refused', 'fuzz');
          },
        ]),
      );
      const bugs: unknown[] = [];
      serve({ contract, transport: wire, handlers, context: {}, onBug: (method, error) => bugs.push([method, error]) });
      const wanted: number[] = [];
      let open = true;
      for (const text of texts) {
        const frame = parsed(text);
        if (frame === undefined) continue;
        const read = ClientMessage.safeParse(frame);
        if (open && read.success && read.data.type === 'req') wanted.push(read.data.id);
        if (!read.success) open = false;
        wire.deliver(frame);
        must(wire.closed === !open, 'a frame that is none must close the connection, and no other', text);
        await settled();
      }
      must(bugs.length === 0, 'a fault', bugs.map(String));
      must(unfit.length === 0, 'a handler was called with what is no object', unfit);
      const answered = wire.sent.map((one) => ServerMessage.parse(one)).flatMap((one) => ('id' in one ? [one.id] : []));
      must(`${answered.sort()}` === `${wanted.sort()}`, 'each request has one answer', { answered, wanted });
      must(Object.keys(Object.prototype).length === 0, 'the prototype of all objects was changed');
    },
  });
}

/** Whatever ids a client gives its calls, only so many run at once. */
const flood = fuzzTarget(fc, {
  name: 'flood',
  inputs: fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }),
  corpus: [[0], [0, 1]],
  async check(ids) {
    const wire = new Wire();
    const contract = { calls: { 'executor.ping': executorContract.calls['executor.ping'] }, events: {} };
    let running = 0;
    serve({
      contract,
      transport: wire,
      context: {},
      onBug: () => undefined,
      handlers: {
        'executor.ping': () => {
          running += 1;
          return new Promise<never>(() => undefined);
        },
      },
    });
    for (let at = 0; at < maxRunningCalls + 50; at += 1)
      wire.deliver({ type: 'req', id: ids[at % ids.length], method: 'executor.ping', params: {} });
    await settled();
    must(running <= maxRunningCalls, 'more calls run at once than may', running);
  },
});

const clientFrames = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.oneof(
      ...Object.entries(executorContract.events).map(([name, payload]) =>
        fc.record({ type: fc.constant('evt'), name: fc.constant(name), payload: nearly(payload, () => undefined) }),
      ),
      ...Object.entries(appContract.events).map(([name, payload]) =>
        fc.record({ type: fc.constant('evt'), name: fc.constant(name), payload: nearly(payload, () => undefined) }),
      ),
    ),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('ok'), id, answer: hostileJson }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('err'), id, code: hostileText, message: hostileText }) },
  { weight: 1, arbitrary: hostileJson },
);

function clientTarget(name: string, contract: Contract): FuzzTarget {
  return fuzzTarget(fc, {
    name,
    inputs: framesOf(clientFrames),
    corpus: [],
    async check(texts) {
      const wire = new Wire();
      const client = connect(contract, wire);
      const ended: string[] = [];
      for (const [event, payload] of Object.entries(contract.events))
        client.on(event, (given) =>
          must(payload.safeParse(given).success, 'an event out of contract was passed on', event),
        );
      const [method] = Object.keys(contract.calls);
      must(method !== undefined, 'a contract without calls');
      for (let at = 0; at < 4; at += 1)
        void client.call(method, {}).then(
          () => ended.push('answer'),
          (error: unknown) => {
            must(error instanceof RpcError, 'a call failed with something else than an RpcError', String(error));
            ended.push(error.code);
          },
        );
      for (const text of texts) {
        const frame = parsed(text);
        if (frame !== undefined) wire.deliver(frame);
        await settled();
      }
      client.close('done');
      await settled();
      must(ended.length === 4, 'a call has no end', ended);
    },
  });
}

export function open(): OpenTargets {
  return {
    targets: [
      serverTarget('page to core', appContract),
      serverTarget('core to executor', executorContract),
      clientTarget('core to page', appContract),
      clientTarget('executor to core', executorContract),
      flood,
    ],
  };
}
