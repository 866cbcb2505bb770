// Checks, trials and tests of a session's rules, with changes in force that are not written yet.
import { resolve } from 'node:path';
import type { LintFinding, RuleTest, RuleTestResult, Trial, TriedCall } from '#shared/api/rules';
import type { PermissionMode } from '#shared/permissions/modes';
import type { RuleDraft } from '#shared/permissions/ruleEdits';
import type { Result } from '#shared/util/result';
import type { RuleDrafts } from '../permissions/drafted';
import { diskView } from '../permissions/fileView';
import type { SettingsInForce } from '../permissions/settingsInForce';
import { loadSecondParser } from '../permissions/shell/treeSitter';
import { steeringFiles } from '../permissions/steering';
import type { CorePorts } from '../ports';
import type { SettingsWriter } from '../settings/settingsWriter';
import type { AnyTool } from '../tools/tool';
import { diskWorld } from './lint/diskWorld';
import { type LintUsage, lintRules } from './lint/lint';
import { runTests } from './tests/runTests';
import { loadTests, saveTests, type TestFault, testFileOf } from './tests/testStore';
import type { JudgeHost } from './try/judge';
import { tryCall } from './try/tryCall';

export interface PolicyOptions {
  readonly drafts: Pick<RuleDrafts, 'drafted'>;
  readonly paths: CorePorts['paths'];
  readonly platform: CorePorts['host']['platform'];
  readonly writer: SettingsWriter;
  /** All tools of a session, those of its MCP servers too. */
  readonly tools: (sessionId: string) => readonly AnyTool[];
  /** Names of configured servers; null where they are not known. */
  readonly servers: (sessionId: string) => readonly string[] | null;
  readonly files: (session: PolicySession) => readonly SettingsInForce[];
  /** Null while the past is not known. */
  readonly usage: (sessionId: string) => Promise<LintUsage | null>;
}

export interface PolicySession {
  readonly sessionId: string;
  readonly folder: string;
  readonly cwd: string;
  readonly mode: PermissionMode;
}

export interface Policy {
  lint(session: PolicySession, draft: RuleDraft): Promise<readonly LintFinding[]>;
  /** The error is for people: the line is no call. */
  try(
    session: PolicySession,
    options: {
      readonly draft: RuleDraft;
      readonly call: TriedCall;
      readonly cwd: string | undefined;
      readonly mode: PermissionMode | undefined;
    },
  ): Promise<Result<Trial>>;
  tests(
    session: PolicySession,
    draft: RuleDraft,
  ): Promise<{ readonly file: string; readonly problem: string; readonly results: readonly RuleTestResult[] }>;
  setTests(
    session: PolicySession,
    change: { readonly base: readonly RuleTest[]; readonly tests: readonly RuleTest[] },
  ): Promise<Result<{ readonly file: string }, TestFault>>;
}

export function createPolicy(options: PolicyOptions): Policy {
  const { drafts, paths, platform } = options;
  const host: JudgeHost = {
    home: paths.home,
    data: paths.data,
    privateFiles: paths.privateFiles,
    platform,
    steering: steeringFiles({ paths }),
    view: diskView(platform),
  };
  return {
    async lint(session, draft) {
      const [drafted, usage] = await Promise.all([
        drafts.drafted(session, draft),
        options.usage(session.sessionId).catch(() => null),
      ]);
      const servers = options.servers(session.sessionId);
      return lintRules(diskWorld({ drafted, paths, platform, usage, servers }));
    },

    async try(session, { draft, call, cwd, mode }) {
      await loadSecondParser();
      const { sources } = await drafts.drafted(session, draft);
      const at = cwd === undefined ? session.cwd : resolve(session.folder, cwd);
      return await tryCall({
        call,
        sources,
        cwd: at,
        mode: mode ?? session.mode,
        host,
        tools: options.tools(session.sessionId),
        files: options.files(session),
      });
    },

    async tests(session, draft) {
      await loadSecondParser();
      const file = testFileOf(session.folder);
      const read = loadTests(session.folder);
      if (!read.ok) return { file, problem: read.error, results: [] };
      const { sources } = await drafts.drafted(session, draft);
      const { tests, problems } = read.value;
      const results = runTests(tests, { sources, host, tools: options.tools(session.sessionId) });
      const problem = problems.map(({ line, message }) => `Line ${line}: ${message}`).join(' ');
      return { file, problem, results };
    },

    setTests: (session, { base, tests }) => saveTests({ folder: session.folder, base, tests, writer: options.writer }),
  };
}
