// `gatehouse lint`: what is wrong or doubtful about the rules of a folder.
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import type { LintFinding } from '#shared/api/rules';
import type { RuleEdit } from '#shared/permissions/ruleEdits';
import { fail, ok, type Result } from '#shared/util/result';
import type { PermissionEngine } from '../core/permissions/engine';
import { diskWorld } from '../core/policy/lint/diskWorld';
import { lintRules } from '../core/policy/lint/lint';
import { visibleText } from '../core/tools/visibleText';
import { engineFor, folderNamed, serversOf } from './folderRules';
import { type CliHost, exitCodes } from './host';

export const lintUsage = `gatehouse lint [folder] [options]
  Looks over the permission rules that count in a folder: your own, the project's, the local and the policy's.
  Nothing is run. The folder counts as trusted.

  --json       a line of JSON: {"findings":[{"kind","severity","rule","file","line","message","other","fix"}]}
  --fix-safe   makes all changes after which no call is decided more permissively, as one step that the
               workspace can undo, and shows what is left

Exit code: 0 nothing, or hints alone; 1 warnings or errors; 3 bad usage.`;

interface LintOptions {
  readonly folder: string | undefined;
  readonly json: boolean;
  readonly fixSafe: boolean;
  readonly help: boolean;
}

function readOptions(args: readonly string[]): Result<LintOptions> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        'fix-safe': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (positionals.length > 1) return fail('Name one folder, or none for the present one.');
    return ok({
      folder: positionals[0],
      json: values.json === true,
      fixSafe: values['fix-safe'] === true,
      help: values.help === true,
    });
  } catch (error) {
    if (error instanceof TypeError) return fail(error.message);
    throw error;
  }
}

const sessionId = 'lint';

async function look(engine: PermissionEngine, folder: string, host: CliHost): Promise<readonly LintFinding[]> {
  const drafted = await engine.drafts.drafted({ sessionId, folder }, []);
  const { paths, platform } = host;
  return lintRules(diskWorld({ drafted, paths, platform, usage: null, servers: serversOf(folder, host) }));
}

/** Changes of all safe fixes, one for each rule. Additions are a person's to choose. */
function safeEdits(findings: readonly LintFinding[]): readonly RuleEdit[] {
  const done = new Set<string>();
  return findings.flatMap(({ rule, fix }) => {
    if (
      rule === null ||
      fix?.safe !== true ||
      fix.edits.some((edit) => edit.type !== 'remove' && edit.type !== 'change')
    )
      return [];
    const key = JSON.stringify(rule);
    if (done.has(key)) return [];
    done.add(key);
    return fix.edits;
  });
}

function asText(findings: readonly LintFinding[], folder: string): string {
  const lines = findings.map(({ severity, kind, rule, file, line, message, fix }) => {
    const shown = file === null ? (rule?.source ?? '') : file.startsWith(folder) ? relative(folder, file) : file;
    const place = line === null ? shown : `${shown}:${line}`;
    const named = rule === null ? '' : ` ${rule.behavior} ${visibleText(rule.text)}`;
    const help = fix === null ? '' : `\n    Fix${fix.safe ? ', safe' : ''}: ${fix.label}`;
    return `${place}: ${severity} ${kind}${named}\n    ${message}${help}`;
  });
  const count = (severity: string): number => findings.filter((one) => one.severity === severity).length;
  const safe = safeEdits(findings).length;
  const sum = `${count('error')} errors, ${count('warning')} warnings, ${count('hint')} hints${safe === 0 ? '' : `; --fix-safe mends ${safe}`}.`;
  return [...lines, findings.length === 0 ? 'Nothing to remark.' : sum].join('\n');
}

/** Runs `lint` with the words behind it. The value is the exit code. */
export async function lint(args: readonly string[], host: CliHost): Promise<number> {
  const options = readOptions(args);
  const refuse = (problem: string): number => {
    host.err(`${problem}\n\n${lintUsage}`);
    return exitCodes.badUsage;
  };
  if (!options.ok) return refuse(options.error);
  if (options.value.help) {
    host.out(lintUsage);
    return 0;
  }
  const folder = folderNamed(options.value.folder, host);
  if (!folder.ok) return refuse(folder.error);
  const engine = engineFor(host);
  try {
    await engine.openSession(sessionId, folder.value);
    let findings = await look(engine, folder.value, host);
    const edits = options.value.fixSafe ? safeEdits(findings) : [];
    if (edits.length > 0) {
      const saved = await engine.editor.save(sessionId, [...edits]);
      if (!saved.ok) {
        host.err(`Nothing was changed: ${saved.error.message}`);
        return exitCodes.failed;
      }
      host.err(`Changed: ${saved.value.files.join(', ')} (${edits.length} rules).`);
      findings = await look(engine, folder.value, host);
    }
    host.out(options.value.json ? JSON.stringify({ findings }) : asText(findings, folder.value));
    return findings.some((one) => one.severity !== 'hint') ? exitCodes.failed : 0;
  } finally {
    await engine.dispose();
  }
}
