// Makes invented transcripts and settings to try things out with: `node build/samples.mjs FOLDER [--calls 1000] [--bytes N]
// [--seed 1] [--rules 200]`. FOLDER becomes a Claude Code folder; use it with CLAUDE_CONFIG_DIR.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { messySettings } from './samples/settings.mjs';
import { writeTranscripts } from './samples/transcripts.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    calls: { type: 'string' },
    bytes: { type: 'string' },
    seed: { type: 'string', default: '1' },
    rules: { type: 'string', default: '200' },
    result: { type: 'string', default: '900' },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  process.stderr.write('Name the folder to write to: node build/samples.mjs FOLDER [--calls 1000] [--bytes N]\n');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const seed = Number(values.seed);
writeFileSync(
  join(folder, 'settings.json'),
  `${JSON.stringify(messySettings({ seed, rules: Number(values.rules) }), null, 2)}\n`,
);
const { written, ...found } = writeTranscripts({
  claudeConfig: folder,
  seed,
  resultChars: Number(values.result),
  ...(values.calls === undefined ? {} : { calls: Number(values.calls) }),
  ...(values.bytes === undefined ? {} : { bytes: Number(values.bytes) }),
});
process.stdout.write(`${JSON.stringify({ ...found, sessionFiles: written.length })}\n`);
