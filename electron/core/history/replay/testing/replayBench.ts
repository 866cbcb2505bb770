// A project on the disk, past calls in memory and rules from lists, for tests of replays.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PastCall } from '#shared/api/history';
import type { Behavior } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import { canonicalJson } from '#shared/util/canonicalJson';
import { noSources, type Sources } from '../../../permissions/combineSources';
import type { SourcedRule } from '../../../permissions/ruleSet';
import { callTitle } from '../../import/callTitle';
import type { CallIndex, CallScope, IndexedCall, Pace, ReplayPlace, ReplayPolicies } from '../../pastCalls';
import { createReplayer } from '../createReplayer';

export const noPace: Pace = { breathe: () => undefined };

export interface Made {
  readonly tool?: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly mode?: PermissionMode | null;
  readonly outcome?: PastCall['outcome'];
  readonly cwd?: string;
  readonly project?: string;
  readonly session?: string;
}

export type Rules = Readonly<Partial<Record<Behavior, readonly string[]>>>;

/** A shell call in the default mode. */
export const bash = (command: string, more: Omit<Made, 'input' | 'tool'> = {}): Made => ({
  tool: 'Bash',
  input: { command },
  ...more,
});

export class MemoryIndex implements CallIndex {
  version = 0;
  private readonly all: IndexedCall[] = [];

  constructor(private readonly folder: string) {}

  add(...made: readonly Made[]): void {
    for (const one of made) {
      const { tool = 'Bash', input, mode = 'default', outcome = 'ran', session = 's1' } = one;
      const cwd = one.cwd ?? this.folder;
      const id = `call${this.all.length}`;
      this.all.unshift({
        id,
        origin: 'claudeCode',
        session,
        cwd,
        at: this.all.length + 1,
        tool,
        input,
        title: callTitle(input),
        isSubagent: false,
        mode,
        outcome,
        project: one.project ?? this.folder,
        key: canonicalJson([tool, input, cwd]),
      });
      this.version += 1;
    }
  }

  *calls({ folder, since }: CallScope): Iterable<IndexedCall> {
    for (const call of this.all)
      if (call.at >= since && (folder === null || `${call.cwd}/`.startsWith(`${folder}/`))) yield call;
  }

  find(id: string): IndexedCall | null {
    return this.all.find((call) => call.id === id) ?? null;
  }
}

export class ReplayBench {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-replay-')));
  readonly folder = join(this.root, 'app');
  readonly home = join(this.root, 'kim');
  readonly index: MemoryIndex;
  readonly place: ReplayPlace;

  constructor(files: readonly string[] = ['src/a.ts']) {
    mkdirSync(this.home);
    for (const file of files) {
      const path = join(this.folder, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, '');
    }
    this.index = new MemoryIndex(this.folder);
    this.place = { home: this.home, platform: 'linux', data: join(this.root, 'data'), privateFiles: [] };
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  /** Another index over the same folder. */
  emptyIndex(): MemoryIndex {
    return new MemoryIndex(this.folder);
  }

  replayer() {
    return createReplayer(this.index, this.place);
  }

  sources(rules: Rules, more: Partial<Sources> = {}): Sources {
    const folder = more.folder ?? this.folder;
    const file = join(folder, '.claude', 'settings.local.json');
    return {
      ...noSources(folder),
      rules: (['deny', 'ask', 'allow'] as const).flatMap((behavior) =>
        (rules[behavior] ?? []).map(
          (text): SourcedRule => ({ ref: { text, behavior, source: 'localSettings', file }, sourceFolder: null }),
        ),
      ),
      files: [{ source: 'localSettings', path: file, state: 'read', problem: '' }],
      ...more,
    };
  }

  policies(before: Sources, after: Sources = before): ReplayPolicies {
    return { before: new Map([[this.folder, before]]), after: new Map([[this.folder, after]]) };
  }

  get everything(): CallScope {
    return { folder: null, since: 0 };
  }
}
