// Keeps, beside the parts of the command line, the code that Node compiled for them in a run, so that the next start need
// not compile it. Only this Node takes it; any other compiles as ever.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startScriptedServer } from './bench/scriptedServer.mjs';
import { run } from './command.mjs';
import { dist, programs } from './entries.mjs';

const outputOf = (wanted) => join(dist, programs.find(({ name }) => name === wanted).output);
const recorder = fileURLToPath(new URL('./keepCode/recorder.mjs', import.meta.url));

/** A run as most are: a command, a file, an answer. */
const answers = (folder) => [
  { calls: [{ name: 'Bash', input: { command: 'true', description: 'Nothing' } }] },
  { calls: [{ name: 'Read', input: { file_path: join(folder, 'file.txt') } }] },
  { text: 'Done.' },
];

/** Runs the built command line once against a scripted server and keeps what was compiled. Needs the built executor. */
export async function keepCode() {
  if (!existsSync(outputOf('executor')) || !existsSync(outputOf('cli'))) return;
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-code-'));
  const folder = join(root, 'project');
  const parts = join(outputOf('verbs'), '..');
  const codeOf = (name) => join(parts, `${name}.${process.version}-${process.arch}.code`);
  const names = readdirSync(parts).filter((name) => name.endsWith('.cjs'));
  // Empty ones: the program takes its parts through the recorder.
  for (const name of names) writeFileSync(codeOf(name), '');
  mkdirSync(folder);
  writeFileSync(join(folder, 'file.txt'), 'text\n');
  const script = answers(folder);
  const server = await startScriptedServer();
  server.begin((number) => script[number] ?? {});
  try {
    const { code, output } = await run({
      command: process.execPath,
      args: ['--import', recorder, outputOf('cli'), 'run', '-p', 'Begin.', '--cwd', folder],
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: root,
        GATEHOUSE_DATA_DIR: join(root, 'data'),
        ANTHROPIC_API_KEY: 'sk-build-0000000000',
        ANTHROPIC_BASE_URL: server.url,
        ANTHROPIC_MODEL: 'build',
      },
      capture: true,
    });
    if (code !== 0) {
      for (const name of names) rmSync(codeOf(name), { force: true });
      console.warn(
        `No compiled code was kept, so the command line starts slower. Its run ended with ${code}: ${output}`,
      );
    }
    for (const name of names) if (statSync(codeOf(name), { throwIfNoEntry: false })?.size === 0) rmSync(codeOf(name));
  } finally {
    await server.close();
    rmSync(root, { recursive: true, force: true });
  }
}
