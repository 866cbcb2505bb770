// Decides one call with the rules that are in force in a folder. Nothing is run, asked or written.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { otherCase } from '#shared/permissions/deadRules';
import { type Decision, describeReason } from '#shared/permissions/decision';
import { fail, ok, type Result } from '#shared/util/result';
import type { Evaluation, PermissionEngine, PermissionRequest } from '../core/permissions/engine';
import { explainForPeople } from '../core/permissions/explainText';
import { createPermissionEngine } from '../core/permissions/permissionEngine';
import { isReadOnlyCommand } from '../core/permissions/readOnlyCommand';
import { requestOfName, requestOfTool } from '../core/permissions/requestOf';
import type { FlagSettings } from '../core/permissions/ruleStore';
import { trustsAll } from '../core/permissions/trust';
import { textLog } from '../core/textLog';
import { builtInTools } from '../core/tools/builtInTools';
import type { AnyTool, CallPlace } from '../core/tools/tool';
import type { CallOptions } from './checkOptions';
import { sandboxOf } from './folderSandbox';
import { type CliHost, exitCodes } from './host';

const sessionId = 'check';

function kindOf(path: string): 'file' | 'folder' | null {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return null;
  }
}

function readFlagSettings(given: string | null, cwd: string): Result<FlagSettings | null> {
  if (given === null) return ok(null);
  if (!given.trimStart().startsWith('{')) {
    const file = resolve(cwd, given);
    return kindOf(file) === 'file' ? ok({ file }) : fail(`--settings ${given}: there is no such file. Check the path.`);
  }
  try {
    const value: unknown = JSON.parse(given);
    return ok({ value });
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return fail(`--settings is not JSON: ${cause}. Mend it, or give the path of a file.`);
  }
}

function knownTool(tool: AnyTool, input: unknown, place: CallPlace): Result<PermissionRequest> {
  const parsed = tool.inputSchema().safeParse(input);
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`);
    return fail(`This is no input for ${tool.name}: ${issues.join('; ')}. Correct --input.`);
  }
  return ok(requestOfTool(tool, parsed.data, place));
}

/** The call as the engine sees it. Tools that need a whole core are known by the names of their fields. */
function requestOf(options: CallOptions, place: CallPlace): Result<PermissionRequest> {
  const { tool, input } = options;
  const tools = builtInTools({ isReadOnlyCommand });
  const built = tools.find((one) => one.name === tool || one.aliases.includes(tool));
  if (built !== undefined) return knownTool(built, input, place);
  const meant = otherCase(tool);
  if (meant !== undefined)
    return fail(`There is no tool ${tool}: names count upper and lower case. Write --tool ${meant}.`);
  return ok(requestOfName(tool, input, place));
}

interface Answer {
  readonly evaluation: Evaluation;
  readonly toolName: string;
  /** What would have a say besides the rules and is not asked here, in words; empty when nothing would. */
  readonly notAsked: string;
}

const classifierNotAsked =
  'A model would now be asked what it thinks of the call. It is not asked here: this is what follows when it is not sure.';

function asJson({ evaluation, notAsked }: Answer, problems: readonly string[]): string {
  const { decision, warning, suggestions } = evaluation;
  const { behavior, reason, parts, why } = decision;
  return JSON.stringify({
    decision: behavior,
    reason: describeReason(reason),
    because: reason,
    parts,
    ...(warning === undefined ? {} : { warning }),
    suggestions,
    ...(notAsked === '' ? {} : { notAsked }),
    problems,
    why,
  });
}

/** Whether a rule that came with the folder allows some of the call. */
function leansOnFolder({ reason, parts }: Decision): boolean {
  return [reason, ...parts.map((part) => part.reason)].some(
    (one) => one.type === 'rule' && one.rule.behavior === 'allow' && one.rule.source === 'projectSettings',
  );
}

function asText({ evaluation, toolName, notAsked }: Answer, options: CallOptions): string {
  const { decision, warning, suggestions } = evaluation;
  const lines = [explainForPeople(decision, toolName)];
  if (notAsked !== '') lines.push(notAsked);
  if (warning !== undefined) lines.push(`Warning: ${warning}`);
  if (suggestions.length > 0)
    lines.push('Rules that would allow it:', ...suggestions.map((one) => `  ${one.rules.join(' and ')}`));
  if (options.trusted && leansOnFolder(decision))
    lines.push('The folder’s own allow rules count here as if you trust the folder. --untrusted leaves them out.');
  return lines.join('\n');
}

function exitCodeOf(behavior: Decision['behavior']): number {
  return exitCodes[behavior];
}

/** Decides and prints. The exit code says the decision; 3 when the question itself makes no sense. */
export async function checkCall(options: CallOptions, host: CliHost): Promise<number> {
  const refuse = (problem: string): number => {
    host.err(problem);
    return exitCodes.badUsage;
  };
  const folder = resolve(host.cwd, options.cwd ?? '.');
  if (kindOf(folder) !== 'folder') return refuse(`--cwd ${folder} is no folder. Name one that exists.`);
  const flagSettings = readFlagSettings(options.settings, host.cwd);
  if (!flagSettings.ok) return refuse(flagSettings.error);
  const place: CallPlace = { sessionId, callId: '', folder, cwd: folder, home: host.paths.home };
  const request = requestOf(options, place);
  if (!request.ok) return refuse(request.error);

  const engine: PermissionEngine = createPermissionEngine({
    paths: host.paths,
    commandSandbox: (id) => sandbox.forDecision(id),
    platform: host.platform,
    allowBypass: true,
    runsAsRoot: false,
    log: textLog((line) => host.err(line.trimEnd()), { verbose: false }),
    flagSettings: flagSettings.value,
    // Auto mode is decided as far as rules go; what is left open to a model is said.
    whyNoClassifier: () => '',
    trust: options.trusted ? trustsAll : { ...trustsAll, isTrusted: () => false, hasWritten: () => false },
  });
  // Nothing is tried out here: that there is a sandbox is taken for granted.
  const sandbox = sandboxOf(engine, { host, folder, probe: { available: true, kind: '', reason: '', noListed: '' } });
  try {
    await engine.openSession(sessionId, folder);
    const { files } = engine.view(sessionId);
    const broken = files.find((file) => file.source === 'flagSettings' && file.state !== 'read');
    if (broken !== undefined) return refuse(`--settings ${broken.path}: ${broken.problem}`);
    const problems = files
      .filter((file) => file.problem !== '')
      .map((file) => `${file.path}${file.line === undefined ? '' : `:${file.line}`}: ${file.problem}`);
    for (const problem of problems) host.err(problem);
    const mode = options.mode ?? engine.startingMode(sessionId);
    const situation = { sessionId, folder, cwd: folder, mode };
    const evaluation = await engine.evaluate(request.value, situation);
    const said = await engine.classify(request.value, situation);
    const notAsked = said?.open === true && said.problem === '' ? classifierNotAsked : '';
    const answer = { evaluation, toolName: request.value.toolName, notAsked };
    host.out(options.json ? asJson(answer, problems) : asText(answer, options));
    return exitCodeOf(evaluation.decision.behavior);
  } finally {
    await engine.dispose();
  }
}
