// The engine as the rest of the core sees it: facts, decision, suggestions, rule files.
import type { Decision } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import type { RuleSource } from '#shared/permissions/sources';
import type { Log } from '../ports';
import type { Evaluation, PermissionEngine, PermissionRequest } from './engine';

/** Rules that come from neither a file nor an answer: given at launch, or by a command's frontmatter. */
export interface ExtraSource {
  readonly source: Extract<RuleSource, 'flagSettings' | 'cliArg' | 'command'>;
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly additionalDirectories?: readonly string[];
  readonly defaultMode?: PermissionMode;
  /** File the rules came from, when there is one: anchors `/p` patterns and is shown to people. */
  readonly file?: string;
}

export interface PermissionEngineOptions {
  readonly paths: {
    readonly data: string;
    readonly home: string;
    readonly claudeConfig: string;
    readonly managedSettings: string;
    readonly privateFiles: readonly string[];
  };
  readonly platform: 'linux' | 'darwin' | 'win32' | 'other';
  readonly allowBypass: boolean;
  readonly runsAsRoot: boolean;
  readonly log: Log;
  readonly extraSources?: readonly ExtraSource[];
}

function firstDecision(request: PermissionRequest): Decision {
  if (request.own.behavior === 'allow')
    return { behavior: 'allow', reason: { type: 'tool', detail: request.own.detail }, parts: [] };
  if (request.own.behavior === 'deny')
    return { behavior: 'deny', reason: { type: 'tool', detail: request.own.detail }, parts: [] };
  return { behavior: 'ask', reason: { type: 'noRule', detail: 'No rule allows this.' }, parts: [] };
}

/** Makes the engine. It reads files only once a session is opened or a call is evaluated. */
export function createPermissionEngine(options: PermissionEngineOptions): PermissionEngine {
  return {
    openSession: () => Promise.resolve(),
    closeSession: () => undefined,
    evaluate: (request): Promise<Evaluation> =>
      Promise.resolve({ decision: firstDecision(request), paths: [], hosts: [], suggestions: [] }),
    preview: () =>
      Promise.resolve({
        problems: [],
        wouldRun: false,
        stillBecause: 'Rules are not read yet.',
        file: null,
        addedLines: [],
      }),
    saveRules: () => Promise.resolve({ ok: false, error: 'Rules cannot be saved yet.' }),
    removeRule: () => Promise.resolve({ ok: false, error: 'Rules cannot be saved yet.' }),
    view: () => ({ rules: [], files: [], warnings: [], modes: [], folders: [] }),
    startingMode: () => 'default',
    modeAvailable: (mode) =>
      mode === 'bypassPermissions' && !options.allowBypass
        ? { available: false, reason: 'Bypass must be enabled at launch.' }
        : { available: true, reason: '' },
    onChange: () => () => undefined,
    dispose: () => Promise.resolve(),
  };
}
