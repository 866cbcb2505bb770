// Decides a file of cases and counts how many came out as expected.
import { readFile } from 'node:fs/promises';
import { describeReason } from '#shared/permissions/decision';
import { fail, ok, type Result } from '#shared/util/result';
import { decideCase } from '../core/permissions/caseWorld';
import { loadSecondParser } from '../core/permissions/shell/treeSitter';
import { type FileCase, readCase } from './caseFile';
import { type CliHost, exitCodes } from './host';

interface CaseAnswer {
  readonly id: string;
  readonly decision: string;
  readonly reason: string;
  readonly expect: string | null;
  readonly ok: boolean;
}

function answer(one: FileCase): CaseAnswer {
  const { id, expect, accepted } = one;
  try {
    const { behavior, reason } = decideCase(one.question);
    return { id, decision: behavior, reason: describeReason(reason), expect, ok: accepted.includes(behavior) };
  } catch (error) {
    // One case that breaks the engine must not hide what the others show.
    const cause = error instanceof Error ? error.message : String(error);
    return { id, decision: 'error', reason: `The engine failed: ${cause}`, expect, ok: false };
  }
}

async function readText(path: string): Promise<Result<string>> {
  try {
    return ok(await readFile(path, 'utf8'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    const next = code === 'ENOENT' ? 'Check the path.' : 'Check its permissions.';
    return fail(`The file of cases ${path} cannot be read (${code}). ${next}`);
  }
}

/** Prints one line of JSON for each case, then the count. 0 when all passed, 1 when some failed, 3 for a bad file. */
export async function checkCases(path: string, host: CliHost): Promise<number> {
  const text = await readText(path);
  if (!text.ok) {
    host.err(text.error);
    return exitCodes.badUsage;
  }
  await loadSecondParser();
  let passed = 0;
  let failed = 0;
  let misread = false;
  for (const [index, line] of text.value.split('\n').entries()) {
    const read = readCase(line, index + 1);
    if (read === null) continue;
    misread ||= !read.ok;
    const shown: CaseAnswer = read.ok
      ? answer(read.value)
      : { id: read.error.id, decision: 'error', reason: read.error.problem, expect: null, ok: false };
    if (shown.ok) passed++;
    else failed++;
    host.out(JSON.stringify(shown));
  }
  host.out(`${passed} passed, ${failed} failed`);
  if (misread) return exitCodes.badUsage;
  return failed === 0 ? 0 : 1;
}
