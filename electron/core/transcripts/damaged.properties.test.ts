// Whatever a transcript holds, and wherever its session is branched: the model gets calls with their results, whole.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SessionEvent } from '#shared/session/events';
import { pairingFaults } from '../agent/testing/pairingFaults';
import { type Seeded, seeded } from '../faults/testing/seeded';
import { TranscriptFolder } from '../history/testing/transcripts';
import { Branching } from '../sessions/branching';
import { openDatabase } from '../sessions/database';
import { SessionService } from '../sessions/service';
import { SessionStore } from '../sessions/store';
import { continueTranscript } from './continueTranscript';
import { readTranscript } from './readTranscript';
import { ConversationLines, text } from './testing/conversationLines';

let folder: TranscriptFolder;
beforeEach(() => {
  folder = new TranscriptFolder();
});
afterEach(() => folder.dispose());

/** A conversation with calls side by side, a summary, sub-agents and things that break off. */
function sample(random: Seeded): string[] {
  const lines = new ConversationLines({ cwd: folder.root });
  for (let turn = 0; turn < 6; turn += 1) {
    lines.user(`Turn ${turn}.`);
    for (let message = 0; message < 3; message += 1) {
      const id = `m${turn}-${message}`;
      if (random.below(2) === 0) lines.answer(id, text('I look.'));
      const calls = random.below(4);
      for (let call = 0; call < calls; call += 1) {
        const isTask = random.below(4) === 0;
        const input = isTask ? { prompt: `Work ${id}.`, description: 'x' } : { command: 'ls' };
        lines.call(id, { use: `t-${id}-${call}`, name: isTask ? 'Task' : 'Bash', input });
        if (isTask) {
          lines.user(`Work ${id}.`, { isSidechain: true, parentUuid: null });
          lines.call(`x-${id}-${call}`, { use: `s-${id}-${call}` }, { isSidechain: true });
          lines.result(`s-${id}-${call}`, 'ok', { isSidechain: true });
        }
        if (random.below(6) > 0) lines.result(`t-${id}-${call}`, 'ok', { is_error: random.below(4) === 0 });
      }
    }
    if (random.below(5) === 0) lines.user('In short.', { isCompactSummary: true });
  }
  return lines.lines;
}

/** The lines as a crash, a second program or somebody's editor may leave them. */
function damaged(lines: readonly string[], random: Seeded): string[] {
  const out: string[] = [];
  for (const line of lines) {
    switch (random.below(14)) {
      case 0:
        out.push(line.slice(0, random.below(line.length)));
        break;
      case 1:
        break;
      case 2:
        out.push(line, line);
        break;
      case 3:
        out.unshift(line);
        break;
      case 4:
        out.push(line.replace(/"(id|role|content|message|parentUuid|type)":/, '"other":'));
        break;
      case 5:
        out.push(
          line.replace(
            /"(id|role|content|message|parentUuid|input)":("[^"]*"|\{)/,
            (_all, name) => `"${name}":[0,null,{}],"x":{`,
          ),
        );
        break;
      default:
        out.push(line);
    }
  }
  return out;
}

test.each(Array.from({ length: 25 }, (_, seed) => seed + 1))('a damaged transcript, seed %i', async (seed) => {
  const random = seeded(seed);
  const path = folder.path('-p/s1.jsonl');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, damaged(sample(random), random).join('\n'));
  const found = { id: 't', title: 'T', folder: folder.root, file: path, bytes: 1, updatedAt: 1 };
  const place = { path, session: 's1', title: 'T', folder: folder.root, changedAt: 1 };
  const { events } = await readTranscript(place, () => undefined);
  for (const event of events) SessionEvent.parse(event);

  const opened = openDatabase({ folder: ':memory:', nativeBinding: undefined });
  const store = new SessionStore(opened.database, () => expect.unreachable());
  const sessions = new SessionService(store, () => 1);
  const branching = new Branching({ store, sessions, resultsRoot: join(folder.root, 'r'), untitled: '', now: () => 1 });
  const read = async ({ from, count }: { readonly from: number; readonly count: number }) => ({
    ...{ found, events: events.slice(from, from + count), isEnd: from + count >= events.length },
  });
  const model = { id: 'm', label: 'M', scripted: false };
  const sessionId = await continueTranscript({ id: 't', read, branching, model });
  const check = (id: string): void => {
    expect(pairingFaults(sessions.conversation(id).messages())).toEqual([]);
    const { calls, agents } = sessions.state(id);
    for (const call of Object.values(calls)) expect('endedAt' in call).toBe(true);
    for (const agent of Object.values(agents)) expect(calls[agent.callId]).toBeDefined();
  };
  check(sessionId);
  for (const item of sessions.state(sessionId).items) {
    if (!('messageId' in item)) continue;
    check((await branching.branch({ sessionId, messageId: item.messageId })).sessionId);
  }
  opened.close();
});
