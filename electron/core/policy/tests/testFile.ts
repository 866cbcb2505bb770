// The side file of a project's rule tests: `.gatehouse/rule-tests.json`. Data alone, from a repository that may be hostile.
//
// { "version": 1,
//   "tests": [
//     { "kind": "call", "name": "pushing asks", "tool": "Bash", "input": { "command": "git push" }, "expect": "ask" },
//     { "kind": "rule", "name": "status only", "rule": "Bash(git status *)",
//       "match": ["git status -s"], "notMatch": ["git stash"] } ] }
//
// A call may have a "mode" and a "cwd" below the project's folder. Samples of a rule are calls as a person writes them.
import { z } from 'zod';
import { RuleTest } from '#shared/api/rules';
import { fail, ok, type Result } from '#shared/util/result';
import { nodeAt, placeOf, readSettingsText } from '../../settings/settingsText';

/** Below the project's folder. */
export const testFileName = '.gatehouse/rule-tests.json';

/** The only version there is. */
const version = 1;

export const maxTests = 2_000;
const maxChars = 5_000_000;

export interface TestProblem {
  readonly line: number;
  /** For people. */
  readonly message: string;
}

export interface ReadTests {
  readonly tests: readonly RuleTest[];
  /** Entries that were skipped. */
  readonly problems: readonly TestProblem[];
}

const Fields = z.record(z.string(), z.unknown());

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | null {
  const found = Array.isArray(value) ? null : Fields.safeParse(value);
  return found?.success === true ? found.data : null;
}

/**
 * Reads the file's text leniently: an entry that is not understood is named with its line and skipped. Fails when the text
 * as a whole is no such file; then it must not be written over. Blank or null: no tests.
 */
export function readTests(text: string | null): Result<ReadTests> {
  if (text === null || text.trim() === '') return ok({ tests: [], problems: [] });
  if (text.length > maxChars) return fail(`The file is too long: at most ${maxChars.toLocaleString('en')} characters.`);
  const read = readSettingsText(text);
  if (!read.ok) return fail(`Line ${read.error.line}, column ${read.error.column}: ${read.error.message}.`);
  const { root, body, value } = read.value;
  const fields = fieldsOf(value);
  const lineOf = (path: readonly (string | number)[]): number =>
    placeOf(body, nodeAt(root, [...path])?.offset ?? 0).line;
  if (fields === null) return fail('Line 1: the file must hold an object with “version” and “tests”.');
  if (fields.version !== version)
    return fail(
      `Line ${lineOf(['version'])}: “version” must be ${version}; this Gatehouse knows no other. Update it, or correct the file.`,
    );
  if (!Array.isArray(fields.tests)) return fail(`Line ${lineOf(['tests'])}: “tests” must be a list.`);
  const list: readonly unknown[] = fields.tests;
  if (list.length > maxTests) return fail(`The file holds more than ${maxTests.toLocaleString('en')} tests.`);
  const tests: RuleTest[] = [];
  const problems: TestProblem[] = [];
  for (const key of Object.keys(fields))
    if (key !== 'version' && key !== 'tests')
      problems.push({ line: lineOf([key]), message: `“${key.slice(0, 80)}” is not known here.` });
  for (const [index, entry] of list.entries()) {
    const parsed = RuleTest.safeParse(entry);
    if (parsed.success) tests.push(parsed.data);
    else {
      const [issue] = parsed.error.issues;
      const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
      const message = `Test ${index + 1} was skipped: ${where}${issue?.message ?? 'it is not understood'}.`;
      problems.push({ line: lineOf(['tests', index]), message });
    }
  }
  return ok({ tests, problems });
}

/** Fields in their usual order, so that equal tests give equal text. */
function ordered(test: RuleTest): Readonly<Record<string, unknown>> {
  if (test.kind === 'rule') {
    const { kind, name, rule, match, notMatch } = test;
    return { kind, name, rule, match, notMatch };
  }
  const { kind, name, tool, input, mode, cwd, expect } = test;
  return {
    kind,
    name,
    tool,
    input,
    ...(mode === undefined ? {} : { mode }),
    ...(cwd === undefined ? {} : { cwd }),
    expect,
  };
}

/** The text of the file. */
export function writeTests(tests: readonly RuleTest[]): string {
  return `${JSON.stringify({ version, tests: tests.map(ordered) }, null, 2)}\n`;
}

/** Whether two lists hold the same tests in the same order. */
export function sameTests(one: readonly RuleTest[], other: readonly RuleTest[]): boolean {
  return writeTests(one) === writeTests(other);
}
