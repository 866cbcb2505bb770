// `gatehouse diff`: what a change of settings does, between two revisions or two files.
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '#shared/util/result';
import { loadSecondParser } from '../core/permissions/shell/treeSitter';
import { diffPolicies } from '../core/policy/diff/diffPolicies';
import { diffAsMarkdown, diffAsText } from '../core/policy/diff/diffText';
import { type SettingsGiven, sourcesOf } from '../core/policy/diff/sourcesOf';
import { readIfThere } from '../core/settings/settingsWriter';
import { folderNamed, judgeHostOf, knownToolsOf } from './folderRules';
import { commitOf, fileAt, type GitPlace } from './gitFiles';
import { type CliHost, exitCodes } from './host';
import { takeWords } from './takeWords';

export const diffUsage = `gatehouse diff REV REV [options]
gatehouse diff --files A B [options]
  Compares the settings of a folder in two git revisions, or two settings files: rules that came, went, moved or
  changed their verdict, and what becomes of a list of dangerous calls. Nothing is run or checked out.
  Of a revision .claude/settings.json and .claude/settings.local.json count; your own settings do not.

  --folder DIR   the folder; the present one without it
  --files        the two words are files
  --markdown     for a comment on a pull request
  --json         a line of JSON: {"looser","probes","flips","rules","settings"}

Exit code: 0 nothing became more permissive; 1 something did; 3 bad usage.`;

const files = [
  { source: 'localSettings', path: '.claude/settings.local.json' },
  { source: 'projectSettings', path: '.claude/settings.json' },
] as const;

async function fromRevision(place: GitPlace, revision: string): Promise<Result<readonly SettingsGiven[]>> {
  const commit = await commitOf(place, revision);
  if (!commit.ok) return commit;
  const given: SettingsGiven[] = [];
  for (const { source, path } of files) {
    const text = await fileAt(place, commit.value, path);
    if (!text.ok) return text;
    given.push({ source, path, text: text.value });
  }
  return ok(given);
}

async function fromFile(file: string, host: CliHost): Promise<Result<readonly SettingsGiven[]>> {
  const text = await readIfThere(resolve(host.cwd, file));
  if (!text.ok) return text;
  if (text.value === null) return fail(`${file}: there is no such file. Check the path.`);
  return ok([{ source: 'projectSettings', path: basename(file), text: text.value }]);
}

/** Runs `diff` with the words behind it. The value is the exit code. */
export async function diff(args: readonly string[], host: CliHost): Promise<number> {
  const refuse = (problem: string): number => {
    host.err(`${problem}\n\n${diffUsage}`);
    return exitCodes.badUsage;
  };
  const taken = takeWords(parse, args);
  if (!taken.ok) return refuse(taken.error);
  const given = taken.value;
  const { values, positionals } = given;
  if (values.help === true) {
    host.out(diffUsage);
    return 0;
  }
  const [one, other] = positionals;
  if (one === undefined || other === undefined || positionals.length > 2)
    return refuse(values.files === true ? 'Name two files.' : 'Name two revisions, such as: gatehouse diff main HEAD.');
  if (values.json === true && values.markdown === true) return refuse('--json and --markdown exclude each other.');
  const folder = folderNamed(values.folder, host);
  if (!folder.ok) return refuse(folder.error);
  const { home } = host.paths;
  const place = { folder: folder.value, path: host.surroundings.env.PATH, home };
  const read = (name: string) => (values.files === true ? fromFile(name, host) : fromRevision(place, name));
  const sides = [];
  for (const name of [one, other]) {
    const settings = await read(name);
    if (!settings.ok) return refuse(settings.error);
    const sources = sourcesOf({ folder: folder.value, home, settings: settings.value });
    if (!sources.ok) return refuse(`${name}: ${sources.error}`);
    sides.push(sources.value);
  }
  const [before, after] = sides;
  if (before === undefined || after === undefined) return exitCodes.badUsage;
  await loadSecondParser();
  const found = diffPolicies({ before, after, host: judgeHostOf(host), tools: knownToolsOf() });
  host.out(
    values.json === true ? JSON.stringify(found) : values.markdown === true ? diffAsMarkdown(found) : diffAsText(found),
  );
  return found.looser ? exitCodes.failed : 0;
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      folder: { type: 'string' },
      files: { type: 'boolean' },
      markdown: { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
}
