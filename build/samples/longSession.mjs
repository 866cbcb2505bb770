// A long session that never was, written straight into a data folder, in the events that the product itself would have
// written: `node build/samples/longSession.mjs DATA --folder FOLDER [--messages 10000] [--seed 1]
// [--title TITLE] [--model JSON]`. The program must have
// opened the data folder before.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { seeded, weighted } from './random.mjs';
import { anyCall, prompt, resultText } from './work.mjs';

const rehearsal = { id: 'rehearsal', label: 'Rehearsal model', scripted: true };
const steps = ['lookup', 'input', 'validation', 'preHook', 'permission', 'execution', 'postHook'];
const icons = {
  Bash: 'terminal',
  Read: 'file',
  Edit: 'fileEdit',
  Write: 'filePlus',
  Grep: 'search',
  Glob: 'folderSearch',
};

/** Lengths of what calls bring: most are short, a few as long as a card holds. */
const resultLengths = [
  [64, 250],
  [27, 1_200],
  [7, 6_000],
  [2, 30_000],
];

/** Turns after which the model is told a summary of what came before. */
const compactedEvery = 60;

/** Markdown as a model writes it, about `chars` long. */
function answerText(random, chars) {
  const parts = [];
  let length = 0;
  while (length < chars) {
    const words = `The ${random.pick(['store', 'route', 'form', 'query'])} keeps its own copy of the list, so the **second** write is lost when both arrive within one tick. `;
    const part = weighted(random, [
      [6, () => words.repeat(1 + random.below(3))],
      [
        2,
        () =>
          Array.from({ length: 2 + random.below(4) }, () => `- \`${prompt(random).slice(15, 45)}\` needs a look`).join(
            '\n',
          ),
      ],
      [1, () => `\`\`\`ts\n${resultText(random, 200 + random.below(400))}\n\`\`\``],
    ])();
    parts.push(part);
    length += part.length;
  }
  return parts.join('\n\n');
}

function diffOf(random, path, lines) {
  const hunks = Array.from({ length: Math.max(1, Math.ceil(lines / 12)) }, (_, at) => ({
    oldStart: 1 + at * 40,
    newStart: 1 + at * 40,
    lines: Array.from({ length: 12 }, (_line, index) => ({
      sign: [' ', ' ', '-', '+'][index % 4],
      text: resultText(random, 60).trimEnd(),
    })),
  }));
  const added = hunks.length * 3;
  return { kind: 'diff', path, created: false, hunks, added, removed: added, truncated: false };
}

/** What the card shows before there is a result, and the view of the result. */
function views(random, name, input, text) {
  const path = input.file_path;
  const summary = input.command ?? path ?? input.pattern ?? name;
  const presentation = { title: name, summary, activity: `Running ${name}`, icon: icons[name] ?? 'tool' };
  switch (name) {
    case 'Bash':
      return {
        presentation: { ...presentation, view: { kind: 'terminal', command: input.command } },
        view: {
          kind: 'terminal',
          command: input.command,
          output: text.replaceAll('export', '\u001b[32mexport\u001b[0m'),
          exitCode: 0,
        },
      };
    case 'Edit':
    case 'Write': {
      const view = diffOf(random, path, Math.ceil(text.length / 150));
      return { presentation: { ...presentation, path, view }, view };
    }
    case 'Read':
      return { presentation: { ...presentation, path }, view: { kind: 'text', text, language: 'ts', firstLine: 1 } };
    default:
      return { presentation, view: { kind: 'text', text } };
  }
}

/** The bodies of a session's events with `messages` items, in order, each with its time. */
export function* longSession({ folder, messages, seed = 1, title = 'A long session', model = rehearsal }) {
  const random = seeded(seed);
  let at = Date.UTC(2026, 0, 5, 9);
  let seq = 0;
  const event = (body, after = 3) => {
    at += after;
    seq += 1;
    return { at, body };
  };
  yield event({ type: 'session.created', folder, title, mode: 'default', model, network: false });
  let items = 0;
  let turn = 0;
  while (items < messages) {
    turn += 1;
    items += 1;
    yield event({ type: 'message.sent', messageId: `u${turn}`, text: `${turn}. ${prompt(random)}` }, 60_000);
    yield event({ type: 'turn.started', turnId: `t${turn}`, model });
    const answers = 2 + random.below(7);
    for (let index = 0; index < answers && items < messages; index += 1) {
      items += 1;
      yield* answer(random, {
        messageId: `m${turn}-${index}`,
        folder,
        last: index === answers - 1,
        noted: turn % 100 === 0 && index === 0 ? turn : null,
        event,
        now: () => at,
      });
    }
    yield event({ type: 'turn.finished', turnId: `t${turn}`, outcome: 'done' });
    if (turn % compactedEvery === 0) {
      const summary = `So far ${turn} things were asked for, and all were done.`;
      const compacted = {
        type: 'conversation.compacted',
        throughSeq: seq,
        summary,
        trigger: 'auto',
        tokensBefore: 150_000,
      };
      yield event(compacted);
      items += 1;
    }
  }
}

function* answer(random, { messageId, folder, last, noted, event, now }) {
  yield event({ type: 'assistant.started', messageId });
  const text = answerText(random, last ? 900 : 200);
  yield event({ type: 'assistant.block', messageId, index: 0, block: { type: 'text', text } }, 900);
  const count = last ? 0 : 1 + (random.chance(0.2) ? 1 : 0);
  const calls = Array.from({ length: count }, (_, index) => {
    const any = anyCall(random, folder);
    // Something to look for, once in a hundred turns.
    const [name, input] = noted === null || index > 0 ? any : ['Bash', { command: `npm run notes -- --turn ${noted}` }];
    return { callId: `${messageId}.${index + 1}`, index: index + 1, name, input };
  });
  for (const { name, input, index } of calls)
    yield event({
      type: 'assistant.block',
      messageId,
      index,
      block: { type: 'tool_use', id: `toolu_${messageId}_${index}`, name, input },
    });
  const usage = { inputTokens: 1_200, outputTokens: 300, cacheReadTokens: 8_000, cacheWriteTokens: 400 };
  yield event({ type: 'assistant.finished', messageId, stopReason: last ? 'end_turn' : 'tool_use', usage });
  for (const call of calls) yield* callEvents(random, { ...call, messageId, event, now });
}

function* callEvents(random, { callId, messageId, name, input, event, now }) {
  const text = resultText(random, weighted(random, resultLengths));
  const { presentation, view } = views(random, name, input, text);
  yield event({ type: 'call.created', callId, messageId, name, input, presentation });
  for (const step of steps) {
    yield event({ type: 'call.stepStarted', callId, step }, 0);
    const startedAt = now();
    if (step === 'permission')
      yield event({
        type: 'call.decided',
        callId,
        decision: { behavior: 'allow', reason: { type: 'readOnly', detail: 'reads only' }, parts: [] },
      });
    if (step === 'execution') yield event({ type: 'call.started', callId });
    const trace = {
      step,
      startedAt,
      endedAt: now() + (step === 'execution' ? 700 : 1),
      waitedMs: 0,
      outcome: 'passed',
      note: `${step} passed`,
    };
    yield event({ type: 'call.stepEnded', callId, trace }, step === 'execution' ? 700 : 1);
  }
  yield event({
    type: 'call.finished',
    callId,
    status: 'succeeded',
    content: [{ type: 'text', text }],
    view,
    note: `${text.length} characters`,
  });
}

/**
 * Writes such a session into `<data>/gatehouse.db`, which must exist, also while the program runs. Tells the session's id,
 * its events, their bytes, and the id of its first call and of its last message.
 */
export function writeLongSession({ data, sessionId = `s-long-${process.pid}`, ...session }) {
  const database = new Database(join(data, 'gatehouse.db'), { timeout: 10_000, fileMustExist: true });
  try {
    const insert = database.prepare('insert into events (session_id, seq, at, body) values (?, ?, ?, ?)');
    const told = { sessionId, events: 0, bytes: 0, firstCall: '', lastMessage: '' };
    database.transaction(() => {
      const began = Date.now();
      database
        .prepare('insert into sessions (id, title, folder, created_at, updated_at) values (?, ?, ?, ?, ?)')
        .run(sessionId, session.title ?? 'A long session', session.folder, began, began);
      for (const { at, body } of longSession(session)) {
        const text = JSON.stringify(body);
        told.events += 1;
        told.bytes += text.length;
        insert.run(sessionId, told.events, at, text);
        if (body.type === 'call.created' && told.firstCall === '') told.firstCall = body.callId;
        if (body.type === 'assistant.started') told.lastMessage = body.messageId;
      }
    })();
    return told;
  } finally {
    database.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      folder: { type: 'string', default: process.cwd() },
      messages: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      id: { type: 'string', default: `s-long-${process.pid}` },
      title: { type: 'string', default: 'A long session' },
      model: { type: 'string', default: JSON.stringify(rehearsal) },
    },
  });
  const [data] = positionals;
  if (data === undefined) {
    process.stderr.write(
      'Name the data folder: node build/samples/longSession.mjs DATA --folder FOLDER [--messages N]\n',
    );
    process.exit(2);
  }
  const { folder, id: sessionId, title } = values;
  const told = writeLongSession({
    data,
    sessionId,
    folder,
    title,
    model: JSON.parse(values.model),
    messages: Number(values.messages),
    seed: Number(values.seed),
  });
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
