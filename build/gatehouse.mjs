// `npm run gatehouse -- run …`: the command line from a checkout, built first where a source is newer.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from './command.mjs';
import { dist, programs, root } from './entries.mjs';
import { whyBuild } from './start/staleBuild.mjs';

// A run starts the executor, too.
const parts = ['cli', 'verbs', 'executor', 'pageWorker', 'pdfWorker'];
const [output, ...others] = parts.map((name) => join(dist, programs.find((program) => program.name === name).output));
// npm changes to the checkout before it runs this; INIT_CWD is where the person stands.
const standing = process.env.INIT_CWD ?? process.cwd();

if (statSync(join(root, 'node_modules'), { throwIfNoEntry: false }) === undefined) {
  console.error('Nothing is installed yet. Run npm start or npm install first.');
  process.exit(3);
}
if ([output, ...others].some((stamp) => whyBuild({ root, stamp }) !== null)) {
  const bundle = [join(root, 'build/bundle.mjs'), ...parts];
  const built = await run({ command: process.execPath, args: bundle, cwd: root, capture: true });
  if (built.code !== 0) {
    console.error(`${built.output}\nThe build failed; the reason is above.`);
    process.exit(3);
  }
}
process.chdir(standing);
await import(pathToFileURL(output).href);
