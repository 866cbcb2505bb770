// `gatehouse replay`: past calls with the rules of now against a draft.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Replay, ReplayRow } from '#shared/api/history';
import { FileSource } from '#shared/permissions/ruleEdits';
import { RpcError } from '#shared/rpc/errors';
import { fail, ok, type Result } from '#shared/util/result';
import { createHistory } from '../core/history/createHistory';
import { createReplayer } from '../core/history/worker/replayer';
import { settingsAsDraft } from '../core/policy/diff/asDraft';
import { readIfThere } from '../core/settings/settingsWriter';
import { textLog } from '../core/textLog';
import { visibleText } from '../core/tools/visibleText';
import { engineFor, folderNamed } from './folderRules';
import { commitOf, fileAt } from './gitFiles';
import { type CliHost, exitCodes } from './host';
import { takeWords } from './takeWords';

export const replayUsage = `gatehouse replay [folder] --settings-draft FILE [options]
gatehouse replay [folder] --revision REV [options]
  Decides the calls of past sessions, those of Claude Code's transcripts too, with the rules that count now and again
  with a draft in place of one settings file, and shows whose verdict changes. Nothing is run, asked or written but the
  index of past calls, which is made anew when it is gone. The verdicts are computed; live results can differ.

  --settings-draft FILE   the file as it would be
  --revision REV          the file as it is in a git revision
  --as SOURCE             which file it stands for: project (the usual), local or user
  --days N                calls of the last N days; 30 without it
  --everywhere            calls of all folders, not only of this one
  --markdown, --json      the output; text without them

Exit code: 0 nothing that asked or was denied would be allowed; 1 something would; 2 the past cannot be read;
3 bad usage.`;

const sessionId = 'replay';
/** Rows that are shown. */
const shownRows = 200;

const sourceNames = { project: 'projectSettings', local: 'localSettings', user: 'userSettings' } as const;

interface ReplayOptions {
  readonly folder: string;
  readonly source: FileSource;
  readonly draft: { readonly file: string } | { readonly revision: string };
  readonly days: number;
  readonly where: 'folder' | 'everywhere';
  readonly output: 'text' | 'markdown' | 'json';
}

function readOptions(args: readonly string[], host: CliHost): Result<ReplayOptions | 'help'> {
  const taken = takeWords(parse, args);
  if (!taken.ok) return taken;
  const given = taken.value;
  const { values, positionals } = given;
  if (values.help === true) return ok('help');
  if (positionals.length > 1) return fail('Name one folder, or none for the present one.');
  const folder = folderNamed(positionals[0], host);
  if (!folder.ok) return folder;
  const { 'settings-draft': file, revision } = values;
  if ((file === undefined) === (revision === undefined))
    return fail('Give the draft: either --settings-draft FILE or --revision REV.');
  const as = values.as ?? 'project';
  if (!Object.hasOwn(sourceNames, as)) return fail('--as knows project, local and user.');
  const source = FileSource.parse(sourceNames[as as keyof typeof sourceNames]);
  if (revision !== undefined && source === 'userSettings') return fail('--revision has no user settings.');
  const days = Number(values.days ?? '30');
  if (!Number.isInteger(days) || days < 1 || days > 3_650) return fail('--days is a number from 1 to 3650.');
  if (values.json === true && values.markdown === true) return fail('--json and --markdown exclude each other.');
  return ok({
    folder: folder.value,
    source,
    draft: file === undefined ? { revision: revision ?? '' } : { file },
    days,
    where: values.everywhere === true ? 'everywhere' : 'folder',
    output: values.json === true ? 'json' : values.markdown === true ? 'markdown' : 'text',
  });
}

/** The text that the draft's file would have. */
async function draftText(options: ReplayOptions, host: CliHost): Promise<Result<string | null>> {
  const { draft, folder, source } = options;
  if ('file' in draft) {
    const text = await readIfThere(resolve(host.cwd, draft.file));
    return text.ok && text.value === null ? fail(`${draft.file}: there is no such file. Check the path.`) : text;
  }
  const place = { folder, path: host.surroundings.env.PATH, home: host.paths.home };
  const commit = await commitOf(place, draft.revision);
  if (!commit.ok) return commit;
  return await fileAt(place, commit.value, `.claude/settings${source === 'localSettings' ? '.local' : ''}.json`);
}

const behaviors = ['allow', 'ask', 'deny'] as const;

function newlyAllowed({ matrix }: Replay): number {
  return matrix.ask.allow + matrix.deny.allow;
}

function undetermined(replay: Replay): number {
  return replay.undetermined.reduce((sum, one) => sum + one.calls, 0);
}

function headline(replay: Replay, days: number): string {
  const { matrix } = replay;
  const parts = [
    `${newlyAllowed(replay)} newly allowed`,
    `${matrix.allow.ask + matrix.deny.ask} newly asked`,
    `${matrix.allow.deny + matrix.ask.deny} newly denied`,
    `${undetermined(replay)} undetermined`,
  ];
  return `${replay.calls} calls of the last ${days} days: ${parts.join(', ')}. Computed from the rules; live results can differ.`;
}

function titleOf({ call }: ReplayRow): string {
  return visibleText(`${call.tool}: ${call.title}`.slice(0, 300));
}

function asText(replay: Replay, days: number): string {
  const cell = (count: number): string => String(count).padStart(9);
  const more = replay.rowsInAll - replay.rows.length;
  return [
    headline(replay, days),
    '',
    `${'before'.padEnd(10)}${['allow', 'ask', 'deny'].map((name) => name.padStart(9)).join('')}`,
    ...behaviors.map((name) => `${name.padEnd(10)}${behaviors.map((to) => cell(replay.matrix[name][to])).join('')}`),
    ...(replay.undetermined.length === 0 ? [] : ['']),
    ...replay.undetermined.map(({ reason, calls }) => `undetermined, ${calls}: ${visibleText(reason)}`),
    ...(replay.rows.length === 0 ? [] : ['']),
    ...replay.rows.map(
      (row) => `${row.before} to ${row.after}, ${row.count}x: ${titleOf(row)}   (${visibleText(row.because)})`,
    ),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('\n');
}

/** Code in a Markdown table. Backticks become quotes: the text of a past call may hold anything. */
function code(text: string): string {
  return `\`${text.replaceAll('`', "'").replaceAll('|', '\\|')}\``;
}

function asMarkdown(replay: Replay, days: number): string {
  const more = replay.rowsInAll - replay.rows.length;
  return [
    '### Past calls with this change',
    '',
    headline(replay, days),
    '',
    '| before \\ after | allow | ask | deny |',
    '|---|---|---|---|',
    ...behaviors.map((name) => `| ${name} | ${behaviors.map((to) => replay.matrix[name][to]).join(' | ')} |`),
    ...(replay.rows.length === 0 ? [] : ['', '| call | times | before | after | because |', '|---|---|---|---|---|']),
    ...replay.rows.map(
      (row) =>
        `| ${code(titleOf(row))} | ${row.count} | ${row.before} | **${row.after}** | ${code(visibleText(row.because))} |`,
    ),
    ...(more > 0 ? ['', `and ${more} more`] : []),
    '',
  ].join('\n');
}

/** Runs `replay` with the words behind it. The value is the exit code. */
export async function replay(args: readonly string[], host: CliHost): Promise<number> {
  const refuse = (problem: string): number => {
    host.err(`${problem}\n\n${replayUsage}`);
    return exitCodes.badUsage;
  };
  const read = readOptions(args, host);
  if (!read.ok) return refuse(read.error);
  if (read.value === 'help') {
    host.out(replayUsage);
    return 0;
  }
  const options = read.value;
  const after = await draftText(options, host);
  if (!after.ok) return refuse(after.error);
  const engine = engineFor(host);
  const stop = new AbortController();
  const unheard = host.onStop(() => stop.abort());
  const log = textLog((line) => host.err(line.trimEnd()), { verbose: false });
  try {
    await engine.openSession(sessionId, options.folder);
    const { files } = engine.view(sessionId);
    const file =
      files.find((one) => one.source === options.source)?.path ?? join(options.folder, '.claude/settings.json');
    const before = await readIfThere(file);
    if (!before.ok) return refuse(before.error);
    const afterName = 'file' in options.draft ? options.draft.file : options.draft.revision;
    const made = settingsAsDraft({ source: options.source, file, before: before.value, after: after.value, afterName });
    if (!made.ok) return refuse(made.error);
    const { draft, notCarried } = made.value;
    if (notCarried.length > 0) host.err(`Not looked at, because no draft can carry it: ${notCarried.join(', ')}.`);
    const drafted = await engine.drafts.drafted({ sessionId, folder: options.folder }, draft);
    const [problem] = drafted.view.problems;
    if (problem !== undefined) return refuse(`The draft cannot be made: ${problem.problem}`);
    const history = createHistory({
      claudeConfig: host.paths.claudeConfig,
      nativeBinding: undefined,
      place: { ...host.paths, platform: host.platform },
      threadFile: null,
      createReplayer,
      drafts: engine.drafts,
      folderOf: () => options.folder,
      onState: () => undefined,
      log,
      now: () => Date.now(),
    });
    try {
      const state = await history.whenRead(stop.signal);
      if (state.phase === 'failed') {
        host.err(`The past calls cannot be read: ${state.problem}`);
        return exitCodes.deny;
      }
      const scope = { sessionId, where: options.where, days: options.days };
      const found = await history.replay(
        { scope, draft, filter: { text: '' }, offset: 0, limit: shownRows },
        stop.signal,
      );
      const print = { text: asText, markdown: asMarkdown, json: (value: Replay) => JSON.stringify(value) };
      host.out(print[options.output](found, options.days));
      return newlyAllowed(found) > 0 ? exitCodes.failed : 0;
    } finally {
      await history.dispose();
    }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    host.err(error.message);
    return exitCodes.deny;
  } finally {
    unheard();
    await engine.dispose();
  }
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'settings-draft': { type: 'string' },
      revision: { type: 'string' },
      as: { type: 'string' },
      days: { type: 'string' },
      everywhere: { type: 'boolean' },
      markdown: { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
}
