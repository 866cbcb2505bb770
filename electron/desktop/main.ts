import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { app } from 'electron';
import { platformOf } from '../core/hostPaths';
import { runDesktop } from './desktop';

runDesktop({
  dist: fileURLToPath(new URL('..', import.meta.url)),
  // Unpackaged, the first word names the folder of the app.
  words: process.argv.slice(app.isPackaged ? 1 : 2),
  cwd: process.cwd(),
  env: process.env,
  home: homedir(),
  platform: platformOf(process.platform),
  runsAsRoot: process.getuid?.() === 0,
  writeError: (text) => process.stderr.write(text),
});
