// Reads and writes the side file with a project's rule tests.
import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RuleTest } from '#shared/api/rules';
import { fail, ok, type Result } from '#shared/util/result';
import type { SettingsWriter } from '../../settings/settingsWriter';
import { type ReadTests, readTests, sameTests, testFileName, writeTests } from './testFile';

export function testFileOf(folder: string): string {
  return join(folder, testFileName);
}

/** Bytes; what is longer is no file of tests. */
const maxBytes = 10_000_000;

function kindOf(path: string): 'file' | 'folder' | 'other' | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
}

/** A repository may bring a link that leads to any file; links are neither read nor written. */
function whyNot(folder: string): string | null {
  const file = testFileOf(folder);
  const above = kindOf(dirname(file));
  if (above !== null && above !== 'folder') return `${dirname(file)} is no folder of its own but a link or a file.`;
  const kind = kindOf(file);
  if (kind !== null && kind !== 'file') return `${file} is a link or no file; it is not followed.`;
  return null;
}

/** The tests of a folder. The error is for people, with the file's name. */
export function loadTests(folder: string): Result<ReadTests> {
  const file = testFileOf(folder);
  try {
    const problem = whyNot(folder);
    if (problem !== null) return fail(problem);
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found === undefined) return ok({ tests: [], problems: [] });
    if (found.size > maxBytes) return fail(`${file} is too long for tests.`);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
    const read = readTests(text);
    return read.ok ? read : fail(`${file}: ${read.error}`);
  } catch (error) {
    const cause = error instanceof TypeError ? 'it is not UTF-8 text' : error instanceof Error ? error.message : '';
    return fail(`${file} cannot be read: ${cause}.`);
  }
}

/** Why the tests were not written. `conflict`: the file has others than those that the change was made from. */
export interface TestFault {
  readonly kind: 'conflict' | 'refused';
  readonly message: string;
}

/** Writes the whole list, made from `base`. A file that does not parse, or holds what would be lost, is left as it is. */
export async function saveTests(options: {
  readonly folder: string;
  readonly base: readonly RuleTest[];
  readonly tests: readonly RuleTest[];
  readonly writer: SettingsWriter;
}): Promise<Result<{ readonly file: string }, TestFault>> {
  const { folder, base, tests, writer } = options;
  const file = testFileOf(folder);
  const problem = whyNot(folder);
  if (problem !== null) return fail({ kind: 'refused', message: `Nothing was written: ${problem}` });
  let fault: TestFault | null = null;
  const written = await writer.change(file, (text) => {
    const read = readTests(text);
    if (!read.ok) fault = { kind: 'refused', message: `${read.error} Mend the file first; it was left as it is.` };
    else if (read.value.problems.length > 0) {
      const [first] = read.value.problems;
      const message = `Line ${first?.line ?? 1}: ${first?.message ?? ''} Writing would lose it; mend the file first.`;
      fault = { kind: 'refused', message };
    } else if (!sameTests(read.value.tests, base))
      fault = {
        kind: 'conflict',
        message: 'The file has other tests now than those that you changed. Look at them again.',
      };
    return fault === null ? ok(writeTests(tests)) : fail(fault.message);
  });
  if (written.ok) return ok({ file });
  return fail(fault ?? { kind: 'refused', message: written.error });
}
