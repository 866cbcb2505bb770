// For tests: hooks over settings that a test writes, with real processes and a record of every run.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RuleSource } from '#shared/permissions/sources';
import type { SessionEventBody } from '#shared/session/events';
import type { HookRun } from '#shared/session/hookRun';
import type { SettingsInForce } from '../../permissions/settingsInForce';
import { createHooks, type HooksOptions } from '../createHooks';
import type { HookEvent, HookPlace, Hooks } from '../hooks';

/** A settings file with this value in it. */
export function settingsOf(
  value: unknown,
  about: {
    readonly source?: RuleSource;
    readonly path?: string | null;
    readonly waits?: boolean;
    readonly unknown?: boolean;
  } = {},
): SettingsInForce {
  const { source = 'userSettings', path = '/home/u/.claude/settings.json', waits = false, unknown = false } = about;
  const lineOf = (at: readonly (string | number)[]): number => at.length;
  return { source, path, content: value === undefined ? null : { value, lineOf }, waits, unknown };
}

/** `{ hooks: { [event]: [{ matcher, hooks }] } }`. */
export function hooksFor(event: string, handlers: readonly object[], matcher?: string): object {
  return { hooks: { [event]: [{ ...(matcher === undefined ? {} : { matcher }), hooks: handlers }] } };
}

/** A command handler that runs a line of shell. */
export function shell(command: string, more: object = {}): object {
  return { type: 'command', command, ...more };
}

export interface HookBench {
  readonly hooks: Hooks;
  readonly folder: string;
  readonly place: HookPlace;
  readonly appended: SessionEventBody[];
  readonly logged: unknown[];
  readonly woken: unknown[];
  /** Texts that were kept in files. */
  readonly kept: string[];
  runs(): readonly HookRun[];
  use(...files: readonly SettingsInForce[]): void;
  fire(event: HookEvent, signal?: AbortSignal): ReturnType<Hooks['fire']>;
  dispose(): Promise<void>;
}

/** A call of Bash before it runs. */
export function bash(command: string): Extract<HookEvent, { name: 'PreToolUse' }> {
  return { name: 'PreToolUse', call: { toolName: 'Bash', toolInput: { command }, toolUseId: 'toolu_1' } };
}

/** Hooks in a temp folder with no settings at first. */
export async function hookBench(options: Partial<HooksOptions> = {}): Promise<HookBench> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'hooks-')));
  const place: HookPlace = { sessionId: 's', folder, cwd: folder, mode: 'default', callId: 'c' };
  let version = 1;
  let files: readonly SettingsInForce[] = [];
  const appended: SessionEventBody[] = [];
  const logged: unknown[] = [];
  const woken: unknown[] = [];
  const kept: string[] = [];
  const hooks = createHooks({
    settings: () => ({ version, files }),
    folderOf: () => folder,
    speaksOf: () => Promise.resolve(true),
    append: (_sessionId, body) => void appended.push(body),
    keepText: (text) => {
      kept.push(text);
      return Promise.resolve('/kept/text.txt');
    },
    tellModel: (about) => void woken.push(about),
    now: () => performance.timeOrigin + performance.now(),
    log: { info: () => undefined, warn: () => undefined, error: (_text, error) => logged.push(error) },
    variables: { PATH: process.env.PATH ?? '', HOME: folder, SOME_API_KEY: 'secret', HOOK_TOKEN: 'for headers' },
    platform: 'linux',
    transcript: () => Promise.resolve(''),
    promptId: () => null,
    envFile: () => Promise.resolve(join(folder, 'environment.sh')),
    ...options,
  });
  return {
    hooks,
    folder,
    place,
    appended,
    logged,
    woken,
    kept,
    runs: () => appended.flatMap((body) => (body.type === 'hook.ran' ? [body.run] : [])),
    use(...next) {
      files = next;
      version += 1;
    },
    fire: (event, signal = new AbortController().signal) => hooks.fire(event, place, signal),
    async dispose() {
      await hooks.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
