// Runs rule tests. They are data: nothing of them is executed, and no file of theirs is opened.
import { isAbsolute, relative, resolve } from 'node:path';
import type { RuleTest, RuleTestResult } from '#shared/api/rules';
import { type Decision, describeReason, type RuleRef } from '#shared/permissions/decision';
import { fail, ok, type Result } from '#shared/util/result';
import { noSources, type Sources } from '../../permissions/combineSources';
import type { PermissionRequest } from '../../permissions/engine';
import { requestOfName, requestOfTool } from '../../permissions/requestOf';
import { ruleProblem } from '../../permissions/ruleInForce';
import type { SourcedRule } from '../../permissions/ruleSet';
import { formatInputError } from '../../tools/inputError';
import type { AnyTool, CallPlace } from '../../tools/tool';
import { readCallLine } from '../try/callLine';
import { type JudgeHost, judge } from '../try/judge';

export interface RunOptions {
  readonly sources: Sources;
  readonly host: JudgeHost;
  readonly tools: readonly AnyTool[];
}

/** A call as the engine sees it, or why it is none. */
export function requestFor(
  call: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> },
  tools: readonly AnyTool[],
  place: CallPlace,
): Result<PermissionRequest> {
  const tool = tools.find((one) => one.name === call.tool || one.aliases.includes(call.tool));
  if (tool === undefined) return ok(requestOfName(call.tool, call.input, place));
  const parsed = tool.inputSchema().safeParse(call.input);
  return parsed.success
    ? ok(requestOfTool(tool, parsed.data, place))
    : fail(`This is no input for ${tool.name}: ${formatInputError(parsed.error, call.input)}`);
}

function placeIn(sources: Sources, cwd: string, host: JudgeHost): CallPlace {
  return { sessionId: 'test', callId: '', folder: sources.folder, cwd, home: host.home };
}

function ofRule(decision: Decision): RuleRef | null {
  return decision.reason.type === 'rule' ? decision.reason.rule : null;
}

/** `allow, because of Bash(git *) · project, line 4`. */
function came(decision: Decision): string {
  const rule = ofRule(decision);
  const file = rule?.file === undefined ? '' : ` (${rule.file})`;
  return `${decision.behavior}, because of ${describeReason(decision.reason)}${file}`;
}

type CallTest = Extract<RuleTest, { readonly kind: 'call' }>;
type MatchTest = Extract<RuleTest, { readonly kind: 'rule' }>;

function callProblem(test: CallTest, { sources, host, tools }: RunOptions): string {
  const cwd = resolve(sources.folder, test.cwd ?? '.');
  const below = relative(sources.folder, cwd);
  if (below.startsWith('..') || isAbsolute(below)) return `“cwd” ${test.cwd} leads out of the project’s folder.`;
  const request = requestFor(test, tools, placeIn(sources, cwd, host));
  if (!request.ok) return request.error;
  const mode = test.mode ?? 'default';
  const { decision } = judge({ sources, request: request.value, cwd, mode, host });
  return decision.behavior === test.expect ? '' : `${test.expect} was expected; it came to ${came(decision)}.`;
}

/** As the rule stands in force; one that does not stand anywhere is tried as one that asks. */
function standingOf(text: string, sources: Sources): SourcedRule {
  const standing = sources.rules.find((rule) => rule.ref.text === text);
  return standing ?? { ref: { text, behavior: 'ask', source: 'projectSettings' }, sourceFolder: null };
}

function matchProblem(test: MatchTest, { sources, host, tools }: RunOptions): string {
  const rule = standingOf(test.rule, sources);
  const problem = ruleProblem(rule.ref);
  if (problem?.inForce === false) return `The rule never matches anything: ${problem.problem}`;
  const alone: Sources = { ...noSources(sources.folder), rules: [rule] };
  const cwd = sources.folder;
  const names = tools.flatMap((tool) => [tool.name, ...tool.aliases]);
  const speaks = (line: string): Result<boolean> => {
    const call = readCallLine(line, names);
    if (!call.ok) return call;
    const request = requestFor(call.value, tools, placeIn(sources, cwd, host));
    if (!request.ok) return request;
    const { decision } = judge({ sources: alone, request: request.value, cwd, mode: 'default', host });
    return ok((decision.why?.rules.length ?? 0) > 0);
  };
  for (const [samples, wanted] of [
    [test.match, true],
    [test.notMatch, false],
  ] as const)
    for (const line of samples) {
      const said = speaks(line);
      if (!said.ok) return `“${line.slice(0, 200)}”: ${said.error}`;
      if (said.value !== wanted)
        return `${test.rule} ${wanted ? 'does not speak' : 'speaks'} of “${line.slice(0, 200)}”, and it ${wanted ? 'should' : 'should not'}.`;
    }
  return '';
}

/** Runs one test. Never throws for odd data. The second shell parser must be loaded. */
export function runTest(test: RuleTest, options: RunOptions): RuleTestResult {
  const problem = test.kind === 'call' ? callProblem(test, options) : matchProblem(test, options);
  return { test, passed: problem === '', problem };
}

export function runTests(tests: readonly RuleTest[], options: RunOptions): readonly RuleTestResult[] {
  return tests.map((test) => runTest(test, options));
}
