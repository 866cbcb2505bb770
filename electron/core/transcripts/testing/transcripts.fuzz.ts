// Transcripts of another program, damaged in every way: what is read of them can be kept, shown and sent to a model.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { SessionEvent } from '#shared/session/events';
import { reduceInto } from '#shared/session/reduce';
import { emptyState } from '#shared/session/state';
import { type FuzzPlace, fuzzTarget, must, type OpenTargets } from '#shared/testing/fuzzTarget';
import { damagedJson, damagedText, deepText, hostileJson, hostileText, inPieces } from '#shared/testing/hostile';
import { LineSplitter } from '../../history/import/lineSplitter';
import { type LineContext, readTranscriptLine } from '../../history/import/transcriptLine';
import { readTranscript } from '../readTranscript';

const uuid = fc.constantFrom('u1', 'u2', 'u3', 'u4', 'u5');
const use = fc.constantFrom('toolu_1', 'toolu_2', 'toolu_000000000000000003');
const block = fc.oneof(
  hostileText.map((text) => ({ type: 'text', text })),
  hostileText.map((thinking) => ({ type: 'thinking', thinking, signature: 'c2ln' })),
  fc.record({
    type: fc.constant('tool_use'),
    id: use,
    name: fc.oneof(fc.constantFrom('Bash', 'Task', 'Read'), hostileText),
    input: hostileJson,
  }),
  fc.record({
    type: fc.constant('tool_result'),
    tool_use_id: use,
    content: fc.oneof(hostileText, hostileJson),
    is_error: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('image'),
    source: fc.record({ type: fc.constant('base64'), media_type: hostileText, data: hostileText }),
  }),
);
const line: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record(
      {
        type: fc.constantFrom('user', 'assistant'),
        uuid,
        parentUuid: fc.oneof(uuid, fc.constant(null)),
        isSidechain: fc.boolean(),
        sessionId: fc.constant('s1'),
        cwd: fc.constantFrom('/srv/app', '/srv/app/sub'),
        timestamp: fc.oneof(fc.constant('2026-09-01T12:00:00.000Z'), hostileText),
        message: fc.record(
          {
            id: fc.constantFrom('m1', 'm2'),
            role: fc.constantFrom('user', 'assistant'),
            model: hostileText,
            content: fc.oneof(fc.array(block, { maxLength: 3 }), hostileText),
            usage: hostileJson,
          },
          { requiredKeys: ['role', 'content'] },
        ),
        toolUseResult: hostileJson,
        permissionMode: hostileText,
        isCompactSummary: fc.boolean(),
        agentId: hostileText,
      },
      { requiredKeys: ['type', 'uuid', 'message'] },
    ),
  },
  fc.record({
    type: fc.constantFrom('summary', 'system', 'file-history-snapshot', 'custom-title', 'x'),
    summary: hostileText,
    leafUuid: uuid,
    subtype: hostileText,
    content: hostileJson,
    title: hostileText,
  }),
  hostileJson,
);
const lines = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: line.map((one) => JSON.stringify(one) ?? 'null') },
    { weight: 3, arbitrary: line.chain(damagedJson).map((one) => JSON.stringify(one) ?? 'null') },
    { weight: 2, arbitrary: line.map((one) => JSON.stringify(one) ?? 'null').chain(damagedText) },
    { weight: 1, arbitrary: hostileText },
    {
      weight: 1,
      arbitrary: deepText.map(
        (deep) =>
          `{"type":"assistant","uuid":"u1","cwd":"/srv/app","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":${deep}}]}}`,
      ),
    },
  ),
  { maxLength: 10 },
);

export function open({ folder }: FuzzPlace): OpenTargets {
  const path = join(folder, '-p', 's1.jsonl');
  mkdirSync(join(folder, '-p', 's1', 'subagents'), { recursive: true });
  const agentPath = join(folder, '-p', 's1', 'subagents', 'agent-a1.jsonl');
  const metaPath = join(folder, '-p', 's1', 'subagents', 'agent-a1.meta.json');

  const conversations = fuzzTarget(fc, {
    name: 'conversations',
    inputs: fc.record({ own: lines, agent: lines, meta: hostileJson, end: fc.constantFrom('\n', '\r\n', '\n\n') }),
    corpus: [],
    async check({ own, agent, meta, end }) {
      writeFileSync(path, own.join(end));
      writeFileSync(agentPath, agent.join(end));
      writeFileSync(metaPath, JSON.stringify(meta));
      const place = { path, session: 's1', title: 'T', folder: '/srv/app', changedAt: 1 };
      const { events } = await readTranscript(place, () => undefined);
      const state = emptyState();
      const open_ = new Set<string>();
      const ended = new Set<string>();
      for (const event of events) {
        const parsed = SessionEvent.safeParse(event);
        must(parsed.success, 'an event that the log cannot keep', event);
        reduceInto(state, parsed.data);
        const { body } = parsed.data;
        if (body.type === 'call.created') open_.add(body.callId);
        if (body.type !== 'call.finished') continue;
        must(open_.has(body.callId), 'a call ended that was not begun', body.callId);
        must(!ended.has(body.callId), 'a call ended twice', body.callId);
        ended.add(body.callId);
      }
      must(
        ended.size === open_.size,
        'a call has no end',
        [...open_].filter((one) => !ended.has(one)),
      );
    },
  });

  const calls = fuzzTarget(fc, {
    name: 'calls',
    inputs: lines,
    corpus: [],
    check(all) {
      const context: LineContext = { fileSession: 's1', isSubagentFile: false, cwd: null, mode: null, at: 0 };
      for (const one of all) {
        const { calls: found } = readTranscriptLine(Buffer.from(one), context);
        for (const call of found) JSON.parse(call.input);
      }
    },
  });

  const split = fuzzTarget(fc, {
    name: 'lines in pieces',
    inputs: fc.record({ all: lines, cuts: fc.array(fc.nat(5_000), { maxLength: 10 }) }),
    corpus: [],
    check({ all, cuts }) {
      const bytes = Buffer.from(all.join('\n'));
      const seen: string[] = [];
      const splitter = new LineSplitter();
      for (const piece of inPieces(bytes, cuts))
        splitter.push(Buffer.from(piece), (one) => seen.push(one === null ? '' : one.toString('latin1')));
      seen.push(splitter.rest?.toString('latin1') ?? '');
      must(seen.join('\n') === bytes.toString('latin1'), 'in pieces they are other lines');
    },
  });
  return { targets: [conversations, calls, split] };
}
