// Answers of a model's server as they come over the wire, in pieces, damaged, or of another protocol altogether.
import fc from 'fast-check';
import { AssistantBlock, Usage } from '#shared/session/events';
import { fuzzTarget, must, type OpenTargets } from '#shared/testing/fuzzTarget';
import { damagedJson, damagedText, hostileJson, hostileText, inPieces } from '#shared/testing/hostile';
import { createAnthropicClient } from '../anthropic';
import { type ModelEvent, ModelFailure } from '../client';

const usage = fc.record({ input_tokens: fc.nat(1_000), output_tokens: fc.nat(1_000) });
const toolInput = fc.oneof(
  fc.constantFrom('{"command":"make"}', '{"a":', '', '{}', '[]', '5'),
  hostileJson.map((one) => JSON.stringify(one)),
);
const block = fc.oneof(
  hostileText.map((text) => ({ start: { type: 'text', text: '' }, deltas: [{ type: 'text_delta', text }] })),
  hostileText.map((text) => ({
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      { type: 'thinking_delta', thinking: text },
      { type: 'signature_delta', signature: 'c2ln' },
    ],
  })),
  fc
    .tuple(fc.constantFrom('tool_use', 'server_tool_use', 'mcp_tool_use'), hostileText, toolInput)
    .map(([type, name, input]) => ({
      start: { type, id: 'toolu_1', name, input: {} },
      deltas: [...inPieces(Buffer.from(input), [1, 4])].map((piece) => ({
        type: 'input_json_delta',
        partial_json: Buffer.from(piece).toString('utf8'),
      })),
    })),
  hostileText.map((type) => ({ start: { type, text: 'x' }, deltas: [] })),
);
const clean: fc.Arbitrary<unknown[]> = fc
  .record({
    blocks: fc.array(block, { maxLength: 4 }),
    usage,
    stop: fc.constantFrom('end_turn', 'tool_use', 'max_tokens', 'refusal'),
  })
  .map(({ blocks, usage: used, stop }): unknown[] => [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'test',
        content: [],
        usage: used,
        stop_reason: null,
      },
    },
    ...blocks.flatMap(({ start, deltas }, index) => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: used },
    { type: 'message_stop' },
  ]);

const nameOf = (event: unknown): string =>
  typeof event === 'object' && event !== null && 'type' in event && typeof event.type === 'string' ? event.type : 'x';
const wire = (events: readonly unknown[], end = '\n'): string =>
  events.map((event) => `event: ${nameOf(event)}${end}data: ${JSON.stringify(event)}${end}${end}`).join('');

async function read(text: string, cuts: readonly number[], status = 200): Promise<ModelEvent[] | ModelFailure> {
  const pieces = inPieces(Buffer.from(text), cuts);
  const client = createAnthropicClient({
    apiKey: 'sk-fuzz',
    baseUrl: 'http://model.invalid',
    scripted: false,
    fetch: () => {
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          const piece = pieces.shift();
          if (piece === undefined) controller.close();
          else controller.enqueue(piece);
        },
      });
      const type = status === 200 ? 'text/event-stream' : 'application/json';
      return Promise.resolve(new Response(body, { status, headers: { 'content-type': type } }));
    },
  });
  const events: ModelEvent[] = [];
  const { signal } = new AbortController();
  try {
    for await (const event of client.stream({ model: 'test', system: '', tools: [], messages: [], signal }))
      events.push(event);
    return events;
  } catch (error) {
    must(error instanceof ModelFailure, 'a stream failed with something else than a ModelFailure', String(error));
    return error;
  }
}

function judge(events: ModelEvent[] | ModelFailure): void {
  if (events instanceof ModelFailure) return;
  const end = events.at(-1);
  must(end?.type === 'finished', 'a stream ended without its end', events);
  must(
    Usage.safeParse(end.usage).success && typeof end.stopReason === 'string',
    'an end that the log cannot keep',
    end,
  );
  const indexes = new Set<number>();
  for (const event of events) {
    if (event.type === 'finished') continue;
    must(Number.isSafeInteger(event.index) && event.index >= 0, 'a place that is none', event);
    if (event.type === 'delta') must(typeof event.text === 'string', 'text that is none', event);
    if (event.type !== 'block') continue;
    must(AssistantBlock.safeParse(event.block).success, 'a block that the log cannot keep', event.block);
    must(!indexes.has(event.index), 'two blocks at one place', events);
    indexes.add(event.index);
  }
}

const cuts = fc.array(fc.nat(20_000), { maxLength: 12 });

const pieces = fuzzTarget(fc, {
  name: 'in pieces',
  inputs: fc.record({ events: clean, cuts, end: fc.constantFrom('\n', '\r\n') }),
  corpus: [],
  async check({ events, cuts: at, end }) {
    const text = wire(events, end);
    const [whole, cut] = [await read(text, []), await read(text, at)];
    judge(whole);
    must(!(whole instanceof ModelFailure), 'a clean stream failed', String(whole));
    must(JSON.stringify(whole) === JSON.stringify(cut), 'in pieces it is another stream', { whole, cut });
  },
});

const damaged = fuzzTarget(fc, {
  name: 'damaged',
  inputs: fc.record({
    text: fc.oneof(
      {
        weight: 4,
        arbitrary: clean
          .chain((events) => fc.tuple(fc.constant(events), fc.nat(20), hostileJson))
          .chain(([events, at]) =>
            damagedJson(events[at % events.length]).map((bad) =>
              events.map((one, index) => (index === at % events.length ? bad : one)),
            ),
          )
          .map((events) => wire(events)),
      },
      { weight: 3, arbitrary: clean.map((events) => wire(events)).chain(damagedText) },
      { weight: 2, arbitrary: clean.chain((events) => fc.shuffledSubarray(events)).map((events) => wire(events)) },
      { weight: 1, arbitrary: hostileText },
    ),
    cuts,
    status: fc.constantFrom(200, 200, 200, 200, 400, 401, 404, 429, 500, 529),
  }),
  corpus: [],
  async check({ text, cuts: at, status }) {
    judge(await read(text, at, status));
  },
});

export function open(): OpenTargets {
  return { targets: [pieces, damaged] };
}
