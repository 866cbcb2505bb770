import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { hostPaths } from '../../core/hostPaths';
import { runCli } from '../verbs';

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface MemoryHost {
  /** Folder of everything; gone after the test. */
  readonly root: string;
  readonly folder: string;
  readonly home: string;
  write(path: string, text: string): string;
  run(...args: readonly string[]): Promise<Outcome>;
}

/** A place of its own with a home, a folder and a policy file, and what the command printed. */
export function memoryHost(): MemoryHost {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-cli-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'project');
  const home = join(root, 'home');
  mkdirSync(folder);
  mkdirSync(home);
  return {
    root,
    folder,
    home,
    write(path, text) {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    async run(...args) {
      const out: string[] = [];
      const err: string[] = [];
      const surroundings = {
        dist: join(root, 'dist'),
        env: {
          PATH: process.env.PATH,
          GATEHOUSE_DATA_DIR: join(root, 'data'),
          CLAUDE_CONFIG_DIR: join(home, '.claude'),
        },
        home,
        platform: 'linux',
        runsAsRoot: false,
      } as const;
      const code = await runCli(args, {
        surroundings,
        paths: { ...hostPaths(surroundings), managedSettings: join(root, 'policy', 'managed-settings.json') },
        platform: 'linux',
        cwd: folder,
        out: (text) => out.push(text),
        err: (text) => err.push(text),
        input: async () => null,
        onStop: () => () => undefined,
      });
      return { code, out: out.join('\n'), err: err.join('\n') };
    },
  };
}
