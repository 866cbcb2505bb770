// `gatehouse test`: runs the rule tests of a folder.
import { parseArgs } from 'node:util';
import type { RuleTestResult } from '#shared/api/rules';
import { loadSecondParser } from '../core/permissions/shell/treeSitter';
import { runTests } from '../core/policy/tests/runTests';
import { testFileName } from '../core/policy/tests/testFile';
import { loadTests } from '../core/policy/tests/testStore';
import { visibleText } from '../core/tools/visibleText';
import { engineFor, folderNamed, judgeHostOf, knownToolsOf } from './folderRules';
import { type CliHost, exitCodes } from './host';
import { takeWords } from './takeWords';

export const testUsage = `gatehouse test [folder] [--json]
  Runs the tests in ${testFileName} with the rules that count in the folder. Nothing is run or changed: tests are
  calls with the verdict that they must get, and rules with calls that they must match and must not.

  { "version": 1,
    "tests": [
      { "kind": "call", "name": "pushing asks", "tool": "Bash", "input": { "command": "git push" }, "expect": "ask" },
      { "kind": "rule", "name": "status only", "rule": "Bash(git status *)",
        "match": ["git status -s"], "notMatch": ["git stash"] } ] }

  A call may have a "mode" and a "cwd" below the folder. The output is in the TAP form.

  --json   a line of JSON: {"passed","failed","problems","results":[{"test","passed","problem"}]}

Exit code: 0 all passed; 1 a test failed, was skipped or the file cannot be read; 3 bad usage.`;

function oneLine(text: string): string {
  return visibleText(text.replace(/\s+/g, ' ').trim());
}

function asTap(results: readonly RuleTestResult[], problems: readonly string[]): string {
  return [
    'TAP version 13',
    `1..${results.length}`,
    ...results.flatMap(({ test, passed, problem }, index) => [
      `${passed ? 'ok' : 'not ok'} ${index + 1} - ${oneLine(test.name).replaceAll('#', '\\#')}`,
      ...(passed ? [] : [`  # ${oneLine(problem)}`]),
    ]),
    ...problems.map((problem) => `# ${oneLine(problem)}`),
  ].join('\n');
}

/** Runs `test` with the words behind it. The value is the exit code. */
export async function test(args: readonly string[], host: CliHost): Promise<number> {
  const refuse = (problem: string): number => {
    host.err(`${problem}\n\n${testUsage}`);
    return exitCodes.badUsage;
  };
  const taken = takeWords(parse, args);
  if (!taken.ok) return refuse(taken.error);
  const given = taken.value;
  if (given.values.help === true) {
    host.out(testUsage);
    return 0;
  }
  if (given.positionals.length > 1) return refuse('Name one folder, or none for the present one.');
  const folder = folderNamed(given.positionals[0], host);
  if (!folder.ok) return refuse(folder.error);
  const read = loadTests(folder.value);
  if (!read.ok) {
    host.err(read.error);
    return exitCodes.failed;
  }
  const engine = engineFor(host);
  try {
    await loadSecondParser();
    const { sources } = await engine.drafts.drafted({ sessionId: 'test', folder: folder.value }, []);
    const { tests } = read.value;
    const results = runTests(tests, { sources, host: judgeHostOf(host), tools: knownToolsOf() });
    const problems = read.value.problems.map(({ line, message }) => `${testFileName}:${line}: ${message}`);
    const failed = results.filter((one) => !one.passed).length;
    host.out(
      given.values.json === true
        ? JSON.stringify({ passed: results.length - failed, failed, problems, results })
        : asTap(results, problems),
    );
    return failed === 0 && problems.length === 0 ? 0 : exitCodes.failed;
  } finally {
    await engine.dispose();
  }
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
}
