// The rule laboratory: reading transcripts into the index, replaying them, and a replay after one changed rule.
import { createReadStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messySettings } from '../samples/settings.mjs';
import { writeTranscripts } from '../samples/transcripts.mjs';
import { importSources } from './bundle.mjs';
import { heapInUse, table } from './measure.mjs';

const calls = 50_000;
const ruleCount = 200;
const longTable = 2_000;
const readBytes = 200_000_000;
const targets = { replay: 2_000, again: 150, gigabyte: 60_000, edit: 100 };

const forever = { breathe: () => undefined };
const all = { folder: null, since: 0 };

/** Milliseconds of one run, those in which a processor worked for it, and what it gave. */
async function timed(work) {
  const start = performance.now();
  const cpu = process.cpuUsage();
  const value = await work();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { value, ms, worked: (user + system) / 1_000 };
}

async function best(times, work) {
  let ms = Number.POSITIVE_INFINITY;
  for (let at = 0; at < times; at += 1) ms = Math.min(ms, (await timed(() => work(at))).ms);
  return ms;
}

/** What any reader must do: the bytes, and where lines end. */
async function countLines(files) {
  let lines = 0;
  for (const file of files)
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }))
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  return lines;
}

function sourcesIn(product, folder, permissions) {
  const path = join(folder, '.claude', 'settings.local.json');
  const text = JSON.stringify({ permissions }, null, 2);
  const made = product.sourcesOf({
    folder,
    home: tmpdir(),
    settings: [{ source: 'localSettings', path, text }],
  });
  if (!made.ok) throw new Error(made.error);
  return made.value;
}

/** One rule more, as while typing; each one is new. */
const withOneMore = (permissions, at, text) => ({ ...permissions, allow: [...permissions.allow, `${text}${at})`] });

async function measureReading(product, root) {
  const claudeConfig = join(root, 'many');
  const { bytes, written } = writeTranscripts({ claudeConfig, seed: 7, bytes: readBytes, resultChars: 4_000 });
  const index = openIndex(product, claudeConfig, join(root, 'manyData'));
  const floor = await timed(() => countLines(written));
  const read = await timed(() => index.read(0));
  const { phase, calls: found } = index.state;
  if (phase !== 'idle') throw new Error(`Reading ended as ${phase}: ${index.state.problem}`);
  await index.dispose();
  return { bytes, calls: found, ms: read.ms, floor: floor.ms };
}

function openIndex(product, claudeConfig, data) {
  mkdirSync(data, { recursive: true });
  return new product.HistoryIndex({
    claudeConfig,
    data,
    nativeBinding: undefined,
    onState: () => {},
    now: () => performance.now(),
  });
}

/** A long table of which one rule is edited: the draft's sources, all remarks, which source gives what. */
async function measureTable(product, root) {
  const folder = join(root, 'long');
  const paths = {
    home: join(root, 'kim'),
    claudeConfig: join(root, 'kim', '.claude'),
    data: join(root, 'longData'),
    managedSettings: join(root, 'managed'),
    privateFiles: [],
  };
  for (const one of [join(folder, '.claude'), paths.claudeConfig, paths.data]) mkdirSync(one, { recursive: true });
  writeFileSync(
    join(folder, '.claude', 'settings.local.json'),
    JSON.stringify(messySettings({ seed: 11, rules: longTable }), null, 2),
  );
  const log = { debug() {}, info() {}, warn() {}, error: console.error };
  const engine = product.createPermissionEngine({
    paths,
    platform: 'linux',
    allowBypass: false,
    runsAsRoot: false,
    log,
  });
  try {
    const session = { sessionId: 'bench', folder };
    await engine.openSession(session.sessionId, folder);
    const steps = { draft: 0, lint: 0, policy: 0 };
    const times = [];
    for (let at = 0; at < 20; at += 1) {
      const edit = { type: 'add', source: 'localSettings', behavior: 'allow', text: `Bash(npm run step${at}:*)` };
      const drafted = await timed(() => engine.drafts.drafted(session, [edit]));
      const usual = { drafted: drafted.value, paths, platform: 'linux', usage: null, servers: null };
      const lint = await timed(() => product.lintRules(product.diskWorld(usual)));
      const policy = await timed(() => engine.policy(session.sessionId));
      times.push({ draft: drafted.ms, lint: lint.ms, policy: policy.ms });
    }
    // The later ones: a person edits on and on.
    const late = times.slice(-9);
    for (const step of Object.keys(steps)) steps[step] = late.map((one) => one[step]).sort((a, b) => a - b)[4];
    return steps;
  } finally {
    await engine.dispose();
  }
}

/** Measures and prints. */
export async function benchRules() {
  const product = await importSources({
    name: 'rules',
    sources: [
      'electron/core/history/index/historyIndex.ts',
      'electron/core/history/replay/createReplayer.ts',
      'electron/core/permissions/shell/treeSitter.ts',
      'electron/core/policy/diff/sourcesOf.ts',
      'electron/core/policy/lint/lint.ts',
      'electron/core/policy/lint/diskWorld.ts',
      'electron/core/permissions/permissionEngine.ts',
    ],
  });
  await product.loadSecondParser();
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  try {
    const folders = ['app', 'shop', 'report', 'site', 'notes'].map((name) => join(root, 'srv', name));
    for (const folder of folders)
      for (const inner of ['src/api', 'src/pages', 'src/parts', 'lib', 'test', 'scripts', 'docs'])
        mkdirSync(join(folder, inner), { recursive: true });
    for (const folder of folders) writeFileSync(join(folder, 'package.json'), '{}');
    const claudeConfig = join(root, 'claude');
    const wanted = writeTranscripts({ claudeConfig, seed: 3, calls, folders });
    const index = openIndex(product, claudeConfig, join(root, 'data'));
    await index.read(0);
    const store = index.calls;
    const { permissions } = messySettings({ seed: 5, rules: ruleCount });
    const policy = (folder, one) => sourcesIn(product, folder, one);
    const everywhere = (one) => new Map(folders.map((folder) => [folder, policy(folder, one)]));
    const place = { home: tmpdir(), platform: 'linux', data: join(root, 'data'), privateFiles: [] };
    const question = { scope: all, filter: { text: '' }, offset: 0, limit: 100 };
    const before = everywhere(permissions);
    const heap = heapInUse();

    const cold = [];
    let replayer;
    for (let at = 0; at < 3; at += 1) {
      replayer = product.createReplayer(store, place);
      const after = everywhere(withOneMore(permissions, at, 'Bash(npm test -- '));
      cold.push(await timed(() => replayer.replay(question, { before, after }, forever)));
    }
    const again = async (text, own) => {
      const many = [];
      for (let at = 0; at < 7; at += 1) {
        const edited = withOneMore(permissions, at, text);
        const after = own ? new Map(before).set(folders[0], policy(folders[0], edited)) : everywhere(edited);
        many.push((await timed(() => replayer.replay(question, { before, after }, forever))).ms);
      }
      return many.sort((a, b) => a - b)[3];
    };
    const narrow = await again('Bash(npm run lint -- ', true);
    const broad = await again('Bash(git push origin --x', false);
    const files = await again('Edit(/src/**/x', false);
    const same = await best(3, () => replayer.replay(question, { before, after: before }, forever));
    const kept = (heapInUse() - heap) / 1e6;
    const scoped = { scope: all, folder: folders[0] };
    const usage = await best(2, () => replayer.usage(scoped, { before, after: before }, forever));
    const reach = await best(3, (at) =>
      replayer.reach(
        { ...scoped, rules: [`Bash(npm run lint${at}:*)`], behavior: 'allow', source: 'localSettings' },
        { before, after: before },
        forever,
      ),
    );
    const suggest = await best(2, () => replayer.suggest(scoped, { before, after: before }, forever));
    const known = await replayer.replay(question, { before, after: before }, forever);
    await index.dispose();

    const reading = await measureReading(product, root);
    const perGigabyte = reading.ms * (1e9 / reading.bytes);
    const steps = await measureTable(product, root);
    const edit = steps.draft + steps.lint + steps.policy;

    const ms = (value) => `${Math.round(value).toLocaleString('en')} ms`;
    const missed = [];
    const held = (name, value, target) => {
      if (value > target) missed.push(`${name}: ${ms(value)}, wanted ${ms(target)}`);
      return ms(target);
    };
    const [first] = [...cold].sort((a, b) => a.ms - b.ms);
    const [newborn] = cold;
    console.log(
      `\n${known.calls.toLocaleString('en')} past calls of ${known.sessions} sessions in ${folders.length} folders, ${ruleCount} rules in each; ${wanted.files} files.\n`,
    );
    console.log(
      table([
        ['what', 'time', 'target'],
        ['replay, nothing known', ms(first.ms), held('replay', first.ms, targets.replay)],
        ['the same as the first work of a process', ms(newborn.ms), ''],
        ['again with one more rule in a folder', ms(narrow), held('one rule more', narrow, targets.again)],
        ['the same in every folder', ms(broad), held('one rule more everywhere', broad, targets.again)],
        ['one more rule for files in every folder', ms(files), held('one rule for files', files, targets.again)],
        ['nothing changed', ms(same), ''],
        ['usage of each rule of a folder', ms(usage), ''],
        ['reach of a rule', ms(reach), ''],
        ['proposals', ms(suggest), ''],
      ]),
    );
    console.log(
      `\nKept between questions: ${globalThis.gc === undefined ? 'needs --expose-gc' : `${kept.toFixed(0)} MB`}.`,
    );
    const megabytes = Math.round(reading.bytes / 1e6);
    console.log('');
    console.log(
      table([
        [
          `reading ${megabytes} MB (${reading.calls.toLocaleString('en')} calls)`,
          'time',
          'for 1 GB',
          'target',
          'ratio',
        ],
        ['lines counted', ms(reading.floor), ms(reading.floor * (1e9 / reading.bytes)), '', '1'],
        [
          'indexed',
          ms(reading.ms),
          ms(perGigabyte),
          held('1 GB', perGigabyte, targets.gigabyte),
          (reading.ms / reading.floor).toFixed(1),
        ],
      ]),
    );
    console.log('');
    console.log(
      table([
        [`${longTable.toLocaleString('en')} rules, one edited`, 'time', 'target'],
        ['draft made', ms(steps.draft), ''],
        ['remarks', ms(steps.lint), ''],
        ['effective policy', ms(steps.policy), ''],
        ['together', ms(edit), held('edit of a long table', edit, targets.edit)],
      ]),
    );
    console.log(missed.length === 0 ? '\nAll targets met.' : `\nMissed: ${missed.join('; ')}.`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
