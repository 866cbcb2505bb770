// A program that writes what Gatehouse writes, without end, and says on standard output what it has finished: each line is a
// promise that this outlives the program. Arguments: data folder, settings file, session, seed.
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { keepBytes, makeHistory } from '../../changes/contentStore';
import { makePrivateFolder, writeNew } from '../../results/persist';
import { openDatabase } from '../../sessions/database';
import { SessionService } from '../../sessions/service';
import { SessionStore } from '../../sessions/store';
import { addRules } from '../../settings/settingsText';
import { createSettingsWriter } from '../../settings/settingsWriter';
import { seeded } from './seeded';

const [, , data = '', settings = '', known = '', seed = '0'] = process.argv;
const random = seeded(Number(seed));

function promise(kind: string, what: number | string): void {
  writeSync(1, `${kind} ${what}\n`);
}

const { database } = openDatabase({ folder: data, nativeBinding: undefined, use: 'beside' });
const sessions = new SessionService(new SessionStore(database, () => undefined), Date.now);
const sessionId =
  known !== ''
    ? known
    : sessions.create({
        folder: data,
        title: 'Durable',
        mode: 'default',
        model: { id: 'm', label: 'M', scripted: false },
      });
promise('session', sessionId);
const results = join(data, 'results');
const history = join(data, 'history');
await makePrivateFolder(results);
await makeHistory(history);
const writer = createSettingsWriter({ backups: join(data, 'backups') });

for (let at = 0; ; at += 1) {
  const name = `${seed}-${at}`;
  const size = random.of([1, 50, 5_000, 300_000]);
  for (let events = random.below(4); events > 0; events -= 1) {
    const event = sessions.append(sessionId, { type: 'message.sent', messageId: name, text: 'x'.repeat(size) });
    promise('event', event.seq);
  }
  switch (random.below(3)) {
    case 0: {
      const written = await writer.change(settings, (text) => addRules(text, 'allow', [`Bash(run ${name})`]));
      if (written.ok) promise('rule', `Bash(run ${name})`);
      break;
    }
    case 1:
      await writeNew(join(results, `${name}.txt`), `${'y'.repeat(size)}.`);
      promise('result', `${name}.txt`);
      break;
    default:
      promise('content', await keepBytes(history, Buffer.from(`${name} ${'z'.repeat(size)}`)));
  }
}
