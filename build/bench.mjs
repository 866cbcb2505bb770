// `npm run bench -- <name>`: measures one part of the product and prints a table. Machines differ, so every table holds
// ratios to a floor that is measured in the same run.
import { pathToFileURL } from 'node:url';
import { benchPermissions } from './bench/permissions.mjs';
import { benchPipeline } from './bench/pipeline.mjs';
import { benchResults } from './bench/results.mjs';
import { benchRules } from './bench/rules.mjs';
import { benchTools } from './bench/tools.mjs';
import { benchUi } from './bench/ui.mjs';

const benches = new Map([
  ['permissions', benchPermissions],
  ['pipeline', () => benchPipeline()],
  ['results', benchResults],
  ['rules', benchRules],
  ['tools', benchTools],
  ['ui', benchUi],
]);

/** Benches that belong to another one: what a page shows, and what it takes to have it. */
const together = new Map([['ui', ['ui', 'results']]]);

/** Runs the benches of these names, or all. */
async function bench(names) {
  const unknown = names.find((name) => !benches.has(name));
  if (unknown !== undefined) {
    console.error(`There is no bench “${unknown}”. Choose from: ${[...benches.keys()].join(', ')}.`);
    process.exitCode = 3;
    return;
  }
  const wanted = names.flatMap((name) => together.get(name) ?? [name]);
  for (const [name, run] of benches) if (names.length === 0 || wanted.includes(name)) await run();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await bench(process.argv.slice(2));
