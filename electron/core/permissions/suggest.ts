// Rules that would answer an ask for good, from narrow to broad. Each is tried before it is offered.
import { posix } from 'node:path';
import type { Decision } from '#shared/permissions/decision';
import type { Suggestion } from '#shared/session/ask';
import type { CallFacts, CommandFact, FileFact } from './callFacts';
import { holdsCredential } from './credentials';
import { isInside } from './paths';

export interface Suggestions {
  readonly suggestions: readonly Suggestion[];
  readonly noSuggestions?: string;
}

/** Rules in one suggestion; more than that nobody reads. */
const maxRules = 5;

/** Programs that run whatever they are given, or whose arguments alone decide what happens: only the exact command. */
const exactOnlyPrograms: ReadonlySet<string> = new Set(
  (
    'python python2 python3 node deno bun ruby perl php lua tclsh Rscript julia java osascript pwsh powershell ' +
    'sh bash zsh dash ksh ash fish csh tcsh sudo doas su env xargs eval exec command builtin source nohup setsid ' +
    'time timeout watch nice stdbuf ssh npx bunx pnpx uvx npm-exec awk gawk mawk sed find fd fdfind parallel trap ' +
    'docker-run rm rmdir dd mkfs chmod chown kill pkill killall crontab at launchctl systemctl curl wget nc ncat socat ' +
    'gdb strace script expect export set unset alias cd'
  ).split(' '),
);

/** How many words name what is done. Programs that are not listed: the name, and a second word that looks like a verb. */
const wordCounts: readonly (readonly [string, number])[] = [
  ['npm run', 3],
  ['npm exec', 0],
  ['npm x', 0],
  ['pnpm run', 3],
  ['pnpm exec', 0],
  ['pnpm dlx', 0],
  ['yarn run', 3],
  ['yarn dlx', 0],
  ['yarn exec', 0],
  ['bun run', 3],
  ['deno task', 3],
  ['docker run', 0],
  ['docker exec', 0],
  ['podman run', 0],
  ['podman exec', 0],
  ['docker compose', 3],
  ['docker container', 3],
  ['docker image', 3],
  ['git remote', 3],
  ['git stash', 3],
  ['git worktree', 3],
  ['git submodule', 3],
  ['git config', 3],
  ['gh pr', 3],
  ['gh issue', 3],
  ['gh run', 3],
  ['gh repo', 3],
  ['gh api', 0],
  ['aws', 3],
  ['gcloud', 3],
  ['az', 3],
  ['uv run', 0],
  ['uv pip', 3],
  ['poetry run', 0],
  ['pipenv run', 0],
  ['bundle exec', 3],
  ['mise exec', 0],
  ['mise run', 3],
  ['terraform', 2],
  ['kubectl', 2],
  ['kubectl exec', 0],
  ['make', 2],
  ['just', 2],
  ['git', 2],
  ['npm', 2],
  ['pnpm', 2],
  ['yarn', 2],
  ['cargo', 2],
  ['go', 2],
  ['docker', 2],
  ['podman', 2],
  ['pip', 2],
  ['pip3', 2],
  ['brew', 2],
  ['apt', 2],
  ['apt-get', 2],
];

const plainWord = /^[A-Za-z0-9][\w@+./:-]*$/;

function countFor(words: readonly string[]): number {
  const two = wordCounts.find(([head]) => head === words.slice(0, 2).join(' '));
  if (two !== undefined) return two[1];
  const one = wordCounts.find(([head]) => head === words[0]);
  if (one !== undefined) return one[1];
  return /^[a-z][a-z-]*$/.test(words[1] ?? '') ? 2 : 1;
}

/** `git commit -m x` → `git commit`; null when only the exact command should be allowed. */
export function commandPrefix(command: string): string | null {
  const words = command.split(/\s+/);
  const [name = ''] = words;
  if (!/^[A-Za-z0-9][\w.+-]*$/.test(name) || exactOnlyPrograms.has(name)) return null;
  // `python3.12`, `node22` are what they begin with.
  if (exactOnlyPrograms.has(name.replace(/[\d.]+$/, ''))) return null;
  const count = countFor(words);
  if (count === 0) return null;
  const prefix = words.slice(0, count);
  const plain = prefix.findIndex((word) => !plainWord.test(word));
  const kept = plain === -1 ? prefix : prefix.slice(0, plain);
  const wanted = wordCounts.some(([head]) => head === name) ? Math.min(2, count) : 1;
  return kept.length < wanted ? null : kept.join(' ');
}

/** The words that name what is done, arguments left out: `git push`, `npm run build`, `rm`. Broader than a rule may be. */
export function commandFamily(command: string): string {
  const words = command.split(/\s+/);
  const listed =
    wordCounts.find(([head]) => head === words.slice(0, 2).join(' ')) ?? wordCounts.find(([head]) => head === words[0]);
  const count = listed === undefined ? 1 : listed[1] === 0 ? 2 : listed[1];
  const family = words.slice(0, count);
  const odd = family.findIndex((word, index) => index > 0 && !plainWord.test(word));
  return (odd === -1 ? family : family.slice(0, odd)).join(' ');
}

function exactRule(text: string): string | null {
  if (/[*\n`]|[$<>]\(/.test(text) || text.length > 500 || holdsCredential(text)) return null;
  return `Bash(${text})`;
}

interface Levels {
  /** Narrow to broad; entries may repeat where there is nothing broader. */
  readonly rules: readonly string[];
  readonly covers: readonly string[];
  /** One step broader than the broadest; only where several parts can share it. */
  readonly parent?: { readonly rule: string; readonly covers: string } | undefined;
}

function commandLevels(command: CommandFact): Levels | null {
  if (command.never !== null) return null;
  const inner = command.starForms.at(-1)?.text ?? command.text;
  const exact = exactRule(command.exactOnly === null ? inner : (command.exactForms[0] ?? command.text));
  const prefix = command.exactOnly === null ? commandPrefix(inner) : null;
  const rules = [exact, prefix === null ? null : `Bash(${prefix}:*)`];
  const covers = [`exactly ${inner}`, `any ${prefix ?? inner} command`];
  const present = rules.flatMap((rule, index) => (rule === null ? [] : [{ rule, covers: covers[index] ?? '' }]));
  return present.length === 0
    ? null
    : {
        rules: present.map((one) => one.rule),
        covers: present.map((one) => one.covers),
        parent: parentOf(prefix),
      };
}

/** `npm run build` → `npm run`, for lines that would take too many rules. A program's name alone would be too much. */
function parentOf(prefix: string | null): Levels['parent'] {
  const words = prefix?.split(' ').slice(0, -1) ?? [];
  if (words.length < 2) return undefined;
  const parent = words.join(' ');
  return { rule: `Bash(${parent}:*)`, covers: `any ${parent} command` };
}

function escapePattern(path: string): string {
  return path.replace(/[\\*?[\]]/g, '\\$&').replace(/ $/, '\\ ');
}

function anchored(path: string, folders: readonly string[]): string {
  const folder = folders.find((one) => isInside(path, one) && path !== one);
  return folder === undefined
    ? `/${escapePattern(path)}`
    : escapePattern(path.slice(folder === '/' ? 0 : folder.length));
}

/** A folder too wide for a rule: the root and what lies directly below it, and the home folder. */
function isWide(folder: string, homes: readonly string[]): boolean {
  return folder.split('/').filter((name) => name !== '').length < 2 || homes.includes(folder);
}

function fileLevels(file: FileFact, folders: readonly string[], homes: readonly string[]): Levels | null {
  if (file.unknown !== null || file.personOnly || file.protected !== null) return null;
  const tool = file.access === 'read' ? 'Read' : 'Edit';
  const verb = file.access === 'read' ? 'reading' : 'changing';
  const folder = posix.dirname(file.real);
  const rules = [`${tool}(${anchored(file.real, folders)})`];
  const covers = [`${verb} ${file.real}`];
  const inWorkspace = folders.some((one) => isInside(folder, one));
  if (inWorkspace ? !folders.includes(folder) : !isWide(folder, homes)) {
    rules.push(`${tool}(${anchored(folder, folders)}/**)`);
    covers.push(`${verb} anything in ${folder}`);
  } else if (inWorkspace) {
    rules.push(`${tool}(/**)`);
    covers.push(`${verb} anything in ${folder}`);
  }
  return { rules, covers };
}

function reasonAgainst(decision: Decision): string | null {
  const { reason } = decision;
  switch (reason.type) {
    case 'rule':
      return `The rule ${reason.rule.text} asks every time; an allow rule does not change that.`;
    case 'safety':
      // A rule that names the host opens this gate.
      return reason.check === 'privateAddress' ? null : 'No rule can allow this; it is asked every time.';
    case 'tool':
    case 'hook':
      return 'It is not the rules that ask here, so a rule would not help.';
    case 'mode':
      return `In ${reason.mode} mode rules do not allow this.`;
    default:
      return null;
  }
}

/**
 * Suggests rules for an ask. `wouldAllow` tries rules on the same call; what would not let it through is not offered.
 * `folders` are the spellings of the session's folder.
 */
export function suggestRules(options: {
  readonly decision: Decision;
  readonly facts: CallFacts;
  /** Only policy rules count, so that saving would change nothing. */
  readonly managedOnly?: boolean;
  readonly folders: readonly string[];
  readonly homes: readonly string[];
  readonly wouldAllow: (rules: readonly string[]) => boolean;
}): Suggestions {
  const { decision, facts, folders, homes, wouldAllow } = options;
  if (decision.behavior !== 'ask') return { suggestions: [] };
  const against =
    options.managedOnly === true
      ? 'The administrator lets only the rules of the policy count, so a saved rule would change nothing.'
      : reasonAgainst(decision);
  if (against !== null) return { suggestions: [], noSuggestions: against };
  const [problem] = facts.shellProblems;
  if (problem !== undefined) return { suggestions: [], noSuggestions: `No rule can allow this line: ${problem}.` };

  const open = new Set(
    decision.parts.filter((part) => part.behavior === 'ask').map((part) => `${part.kind} ${part.text}`),
  );
  const levels: Levels[] = [];
  for (const command of facts.commands) {
    if (command.nested || !open.has(`command ${command.text}`)) continue;
    const found = commandLevels(command);
    if (found === null)
      return {
        suggestions: [],
        noSuggestions: `${command.text.slice(0, 80)} cannot be allowed by a rule that is safe to keep.`,
      };
    levels.push(found);
  }
  for (const file of facts.files) {
    if (file.nested || !open.has(`${file.access} ${file.given}`)) continue;
    const found = fileLevels(file, folders, homes);
    if (found === null)
      return {
        suggestions: [],
        noSuggestions: `No rule can cover ${file.given}: which file it is can only be judged each time.`,
      };
    levels.push(found);
  }
  for (const host of facts.hosts)
    if (open.has(`host ${host}`))
      levels.push({ rules: [`WebFetch(domain:${host})`], covers: [`fetching from ${host}`] });
  if (levels.length === 0 && facts.shellText === null) {
    const server = /^(mcp__.+?)__./.exec(facts.toolName)?.[1];
    levels.push({
      rules: server === undefined ? [facts.toolName] : [facts.toolName, server],
      covers:
        server === undefined
          ? [`every call of ${facts.toolName}`]
          : [`every call of ${facts.toolName}`, `every tool of ${server.slice(5)}`],
    });
  }

  const depth = Math.max(0, ...levels.map((one) => one.rules.length));
  const suggestions: Suggestion[] = [];
  const seen = new Set<string>();
  let tooMany = false;
  for (let level = 0; level < depth; level++) {
    const at = (texts: readonly string[]) => texts[Math.min(level, texts.length - 1)] ?? '';
    const rules = [...new Set(levels.map((one) => at(one.rules)))];
    const key = rules.join('\n');
    if (seen.has(key)) continue;
    seen.add(key);
    if (rules.length > maxRules) tooMany = true;
    else if (!rules.some((rule) => rule.includes('\n') || holdsCredential(rule)) && wouldAllow(rules))
      suggestions.push({ rules, covers: [...new Set(levels.map((one) => at(one.covers)))].join('; ') });
  }
  if (suggestions.length > 0) return { suggestions };
  if (tooMany) {
    const broad = levels.map((one) => one.parent ?? { rule: one.rules.at(-1) ?? '', covers: one.covers.at(-1) ?? '' });
    const rules = [...new Set(broad.map((one) => one.rule))];
    if (rules.length <= maxRules && !rules.some(holdsCredential) && wouldAllow(rules))
      return { suggestions: [{ rules, covers: [...new Set(broad.map((one) => one.covers))].join('; ') }] };
  }
  if (tooMany) return { suggestions: [], noSuggestions: `It would take more than ${maxRules} rules to allow this.` };
  return { suggestions: [], noSuggestions: 'No rule that is safe to keep would allow this.' };
}
