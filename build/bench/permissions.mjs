// Decisions per second of the permission engine: facts, both shell parsers, rules of all eight sources, the disk.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'unbash';
import { importSources } from './bundle.mjs';
import { heapInUse, table, timesOf } from './measure.mjs';

const ruleCounts = [10, 100, 1_000, 10_000];
const sources = [
  'policySettings',
  'cliArg',
  'flagSettings',
  'localSettings',
  'projectSettings',
  'userSettings',
  'command',
  'session',
];

/** `#` is where a number makes a text new. */
const commands = [
  ['simple', 'git status -s'],
  ['one of ours', 'tool7 sub7 --flag#'],
  ['compound of four', 'cd src && npm run build:# 2>&1 | tail -n 20 && git status -s > out.txt'],
  [
    'long (1,900 characters)',
    Array.from({ length: 40 }, (_, at) => `grep -n "word ${at}" src/part${at}/file#.ts`).join(' && '),
  ],
  ['file tool', null],
];

/** Targets in microseconds with 1,000 rules, warm: p50. */
const targets = new Map([
  ['simple', 40],
  ['compound of four', 150],
]);

const words =
  'git npm cargo make docker kubectl python3 node terraform aws gh pnpm yarn go rustc pip uv deno bun ls'.split(' ');

/** Rules as people have them: prefixes, exact lines, stars, paths, hosts, servers; a few refuse or ask. */
function makeRules(count) {
  return Array.from({ length: count }, (_, at) => {
    const head = at % 3 === 0 ? (words[at % words.length] ?? 'git') : `tool${at}`;
    const shapes = [
      `Bash(${head} sub${at}:*)`,
      `Bash(${head} sub${at} --exact)`,
      `Edit(/src/part${at}/**)`,
      `Bash(${head} * --flag${at})`,
      `Read(//srv/data${at}/**)`,
      `WebFetch(domain:host${at}.example.org)`,
      `mcp__server${at}__tool`,
      `Read(name${at}.secret)`,
      `Bash(${head} job${at} *)`,
      at % 100 === 9 ? `Bash(*danger${at}*)` : `Edit(lib${at}/**)`,
    ];
    const behavior = at % 10 === 7 || at % 100 === 9 ? 'deny' : at % 50 === 3 ? 'ask' : 'allow';
    return {
      ref: { text: shapes[at % shapes.length], behavior, source: sources[at % sources.length] },
      sourceFolder: null,
    };
  });
}

function number(value) {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1);
}

function bareParses(product, text) {
  const parser = product.secondParser();
  return (at) => {
    const one = text.replaceAll('#', String(at));
    parse(one);
    parser.parse(one).delete();
  };
}

function request(text, folder) {
  const own = { behavior: 'passthrough' };
  if (text === null) {
    const path = join(folder, 'src/a.ts');
    const input = { file_path: path };
    return {
      toolName: 'Read',
      isMcp: false,
      isReadOnly: true,
      input,
      facts: [{ kind: 'path', access: 'read', path }],
      own,
    };
  }
  const facts = [{ kind: 'command', command: text, cwd: folder }];
  return { toolName: 'Bash', isMcp: false, isReadOnly: false, input: { command: text }, facts, own };
}

/** Measures and prints. Cold: every text is new to the engine. Warm: it was seen before. */
export async function benchPermissions() {
  const product = await importSources({
    name: 'permissions',
    sources: ['decide', 'facts', 'ruleSet', 'fileView', 'shell/treeSitter'].map(
      (file) => `electron/core/permissions/${file}.ts`,
    ),
  });
  await product.loadSecondParser();
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/a.ts'), '');
  const place = {
    folder,
    cwd: folder,
    home: tmpdir(),
    additional: [],
    privateFiles: [],
    platform: 'linux',
    ignoreCase: false,
  };
  const view = product.diskView('linux');
  try {
    const sets = ruleCounts.map((count) => {
      const before = heapInUse();
      const start = performance.now();
      const rules = product.buildRuleSet(makeRules(count), place, view);
      const milliseconds = performance.now() - start;
      return { count, rules, milliseconds, megabytes: (heapInUse() - before) / 1e6 };
    });
    const rows = [['µs a decision (p50)', ...ruleCounts.map((count) => `${count.toLocaleString('en')} rules`)]];
    rows[0].push('per second', 'both parses', 'ratio', '1,000:10', '10,000:100');
    const missed = [];
    for (const [name, text] of commands) {
      for (const kind of text === null ? ['warm'] : ['warm', 'cold']) {
        const known = request(text?.replaceAll('#', '1') ?? null, folder);
        // A comment makes the text new to every cache and changes nothing else.
        const fresh = (at) => request(`${text.replaceAll('#', String(at))} #${at}`, folder);
        const decisions = sets.map(({ rules }) => (at) => {
          const asked = kind === 'warm' ? known : fresh(at);
          const facts = product.gatherFacts(asked, place, view);
          return product.decide({ facts, own: asked.own, rules, mode: 'default' });
        });
        const [floor, ...times] = timesOf([text === null ? () => {} : bareParses(product, text), ...decisions]);
        const ratio = text === null ? '' : (times[2] / floor).toFixed(2);
        const grown = [times[2] / times[0], times[3] / times[1]];
        rows.push([
          `${name}, ${kind}`,
          ...times.map(number),
          Math.round(1e6 / times[2]).toLocaleString('en'),
          text === null ? '' : number(floor),
          ratio,
          ...grown.map((one) => one.toFixed(2)),
        ]);
        const target = kind === 'warm' ? targets.get(name) : undefined;
        if (target !== undefined && times[2] > target) missed.push(`${name}: ${number(times[2])} µs, wanted ${target}`);
        if (grown.some((one) => one > 2))
          missed.push(`${name}, ${kind}: grows ${grown.map(number).join(' and ')} times`);
      }
    }
    console.log(
      `\nPermission decisions, all eight sources, both shell parsers, the disk; per second and ratio with 1,000 rules.\n`,
    );
    console.log(table(rows));
    console.log('');
    console.log(
      table([
        ['rules', 'compiled in ms', 'MB'],
        ...sets.map((set) => [
          set.count.toLocaleString('en'),
          set.milliseconds.toFixed(1),
          globalThis.gc === undefined ? 'needs --expose-gc' : set.megabytes.toFixed(1),
        ]),
      ]),
    );
    console.log(`\nProcess: ${Math.round(process.memoryUsage().rss / 1e6)} MB resident.`);
    console.log(missed.length === 0 ? 'All targets met.' : `Missed: ${missed.join('; ')}.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
