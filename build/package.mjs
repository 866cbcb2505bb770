// `npm run package [-- --dir]`: packs the desktop app for this system into dist/packages. Needs the network once, for
// Electron and the tools of the package formats.
import { join } from 'node:path';
import { build, Platform } from 'electron-builder';
import { run } from './command.mjs';
import { configuration } from './electron-builder.mjs';
import { root } from './entries.mjs';
import { provideElectronSqlite } from './native.mjs';

const bundled = await run({ command: process.execPath, args: [join(root, 'build/bundle.mjs')], cwd: root });
if (bundled.code !== 0) process.exit(bundled.code);
const trouble = await provideElectronSqlite();
if (trouble !== null) {
  console.error(`The package would not start: ${trouble}.`);
  process.exit(1);
}
const targets = Platform.current().createTarget(process.argv.includes('--dir') ? 'dir' : null);
const files = await build({ projectDir: root, targets, config: configuration });
for (const file of files) console.log(file);
