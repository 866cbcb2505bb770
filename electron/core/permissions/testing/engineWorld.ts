// A small world on a real disk for tests of the engine: home, project and managed folder below one temp folder.
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PermissionRequest, PermissionSituation } from '../engine';
import type { PermissionEngineOptions } from '../permissionEngine';

/** Names and makers for a world whose temp folder is `base()` at the time of the call. */
export function engineWorld(base: () => string) {
  const project = (): string => join(base(), 'project');
  const file = {
    user: () => join(base(), 'home', '.claude', 'settings.json'),
    project: () => join(project(), '.claude', 'settings.json'),
    local: () => join(project(), '.claude', 'settings.local.json'),
    managed: () => join(base(), 'etc', 'managed-settings.json'),
    dropIn: (name: string) => join(base(), 'etc', 'managed-settings.d', name),
    flag: () => join(base(), 'flag', 'more.json'),
  };
  return {
    project,
    file,
    /** What an engine needs; the managed file counts when the tests' own user has written it. */
    engineOptions: (): PermissionEngineOptions => ({
      paths: {
        data: join(base(), 'data'),
        home: join(base(), 'home'),
        claudeConfig: join(base(), 'home', '.claude'),
        managedSettings: file.managed(),
        privateFiles: [join(base(), 'data', 'key')],
      },
      platform: 'linux',
      allowBypass: true,
      runsAsRoot: false,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      managedOwner: process.getuid?.() ?? 0,
    }),
    situation: (more: Partial<PermissionSituation> = {}): PermissionSituation => ({
      sessionId: 's',
      folder: project(),
      cwd: project(),
      mode: 'default',
      ...more,
    }),
    bash: (command: string): PermissionRequest => ({
      toolName: 'Bash',
      isMcp: false,
      isReadOnly: false,
      input: { command },
      facts: [{ kind: 'command', command, cwd: project() }],
      own: { behavior: 'passthrough' },
    }),
    /** Writes a settings file, as JSON unless it is text, readable by all and writable by its owner. */
    async put(path: string, content: unknown): Promise<void> {
      await mkdir(dirname(path), { recursive: true, mode: 0o755 });
      await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
      await chmod(path, 0o644);
    },
    permissions: (lists: object) => ({ permissions: lists }),
  };
}
