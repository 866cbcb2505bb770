// How dangerous it is that a call runs without being asked for: a table of what calls do, the worst of it counts.
import type { Danger } from '#shared/api/history';
import { isLocalHost } from '#shared/web/address';
import type { CallFacts, FileFact } from '../../permissions/callFacts';
import { onlyReads } from '../../permissions/caseWorld';
import { destructiveWarning } from '../../permissions/destructive';

/** From here on a call is called dangerous: proposals never allow it, and numbers count it as too much. */
export const dangerousFrom = 50;

type Shape = readonly [pattern: RegExp, score: number, words: string];

/** Of a command, wrappers taken off. The first word may have its folder before it. */
const commandShapes: readonly Shape[] = [
  [/^(sudo|doas|su|pkexec|runas)\b/, 92, 'runs with the rights of another user'],
  [/^(eval|source|\.)\s/, 82, 'runs text as a program'],
  [/^(ba|z|da|k|fi)?sh\s+(.*\s)?-\w*c\b/, 82, 'runs text as a program'],
  [
    /^(python[\d.]*|node|deno|bun|ruby|perl|php|lua|osascript|pwsh|powershell)\s+(.*\s)?(-[ecrpE]|--eval|--print|eval|-Command)\b/,
    80,
    'runs text as a program',
  ],
  [/^git\s+(-\S+\s+)*(-c|--config-env|--exec-path)\b/, 80, 'sets for git what it runs'],
  [
    /^git\s+(-\S+\s+)*(-C\s+\S+\s+)?config\s+(?!.*--(get|list)\b)(.*\s)?(alias|core|filter|diff|merge|credential|hook|url|include|pager|sequence|gpg)\S*/,
    80,
    'sets for git what it runs',
  ],
  [
    /^git\s+(.*\s)?push\s+(.*\s)?(--force(-with-lease)?|-f|--mirror|--delete|-d|\+\S+)(\s|=|$)/,
    88,
    'overwrites or deletes branches that others have',
  ],
  [/^git\s+(-\S+\s+)*(-C\s+\S+\s+)?push\b/, 62, 'publishes commits'],
  [
    /^(npm|pnpm|yarn|bun|cargo|gem|twine|poetry|uv)\s+(.*\s)?(publish|upload|push|unpublish|yank)\b/,
    80,
    'publishes a package',
  ],
  [/^(docker|podman)\s+(image\s+)?push\b/, 75, 'publishes an image'],
  [
    /^gh\s+(.*\s)?(delete|merge|create|edit|close|archive|secret)\b|^gh\s+api\b/,
    66,
    'changes what others have on the forge',
  ],
  [
    /^(kubectl|helm|terraform|pulumi|aws|gcloud|az|doctl|flyctl|fly|heroku|vercel|netlify|wrangler)\s+(.*\s)?(apply|create|delete|destroy|deploy|upgrade|install|rm|remove|terminate\S*|put\S*|set\S*|scale|update\S*|exec|up)\b/,
    74,
    'changes what runs elsewhere',
  ],
  [/^(chmod|chown|chgrp|setfacl)\b.*(\s-\w*R|\s[0-7]*777\b|\+s\b)/, 60, 'changes rights of many files'],
  [
    /^(systemctl|launchctl|service|crontab|at|iptables|nft|ufw|sysctl|mount|umount|useradd|usermod|passwd|visudo)\b/,
    76,
    'changes how the machine works',
  ],
  [/^(ssh|telnet|mosh)\s/, 70, 'runs something on another machine'],
  [/^(scp|rsync|sftp|ftp|rclone)\b/, 64, 'copies from or to another machine'],
  [/^(nc|ncat|netcat|socat)\b/, 74, 'opens a connection that anything may go through'],
  [
    /^(curl|wget|http|https|xh)\s+(.*\s)?(-d|--data\S*|-F|--form\S*|-T|--upload-file|--post-\w+|--json|-X\s*(POST|PUT|PATCH|DELETE)|--request[= ](POST|PUT|PATCH|DELETE))/,
    72,
    'sends data to a server',
  ],
  [/^(curl|wget|http|https|xh|aria2c)\b/, 52, 'fetches from the network'],
  [/^(npx|bunx|pnpx|uvx|pipx)\b|^(npm|pnpm|yarn|bun|uv)\s+(exec|x|dlx|tool)\b/, 66, 'fetches a program and runs it'],
  [
    /^(npm|pnpm|yarn|bun)\s+(.*\s)?(install|i|add|ci|update|upgrade|link)\b|^(yarn|pnpm|bun)\s*$/,
    56,
    'installs packages, whose scripts run',
  ],
  [
    /^(pip[\d.]*|uv|poetry|pipenv|conda|mamba|gem|cargo|go|brew|apt|apt-get|dnf|yum|pacman|apk|snap|choco|winget|composer|bundle)\s+(.*\s)?(install|add|sync|update|upgrade|get|-S\w*)\b/,
    56,
    'installs packages, whose scripts run',
  ],
  [
    /^(docker|podman|nerdctl)\s+(compose\s+)?(run|exec|create|start)\b/,
    60,
    'runs something in a container that may reach this machine',
  ],
  [/^(docker|podman)\s+(compose\s+)?(up|build|restart)\b|^docker-compose\b/, 40, 'starts containers'],
  [
    /^(xargs|parallel)\b|^find\s.*\s-(exec|execdir|ok)\b|^(awk|gawk|mawk)\s.*system\s*\(/,
    58,
    'runs another program on whatever it is given',
  ],
  [
    /^(python[\d.]*|node|deno|bun|ruby|perl|php|lua|osascript|pwsh|powershell|(ba|z|da|k|fi)?sh|tsx|ts-node)\b/,
    50,
    'runs a script, which may do anything',
  ],
  [
    /^(make|just|task|rake|ant|gradle|\.\/gradlew|mvn|\.\/mvnw)\b|^(npm|pnpm|yarn|bun)\s+(run|test|start|t)\b|^(cargo|go)\s+(run|test|build)\b/,
    24,
    'runs what the project says',
  ],
  [/^(printenv|env|set|export)\s*$/, 52, 'shows environment variables, which may hold secrets'],
  [/^(security|pass|op|gpg|bw|secret-tool|keyring)\s/, 70, 'may hand out secrets'],
  [
    /^(make|gmake)\s+(.*\s)?(-f|--file|--makefile|-C|--directory)\b/,
    54,
    'runs what a file or folder says that is not the usual one',
  ],
  [/^(go|cargo|deno)\s+run\s+\S*(@|:\/\/|\.\w+\/)/, 66, 'fetches a program and runs it'],
  [/^(watch|nohup|setsid|entr|script|expect|gdb|strace)\b/, 54, 'runs another program'],
  [/^(vim?|nvim|emacs|ed|less|more|man)\b/, 54, 'opens a program that can run others'],
  [/^tar\s.*(--checkpoint-action|--to-command|--use-compress-program|-I\s)/, 80, 'runs another program'],
  [/^(redis-cli|psql|mysql|mariadb|sqlite3|mongosh?|clickhouse-client|cqlsh)\b/, 58, 'may change a database'],
  [/^kubectl\s+(.*\s)?get\s+(.*\s)?secrets?\b/, 80, 'shows secrets'],
  [/^(nslookup|dig|host|ping|drill)\b/, 50, 'names hosts to others, which may carry data out'],
  [
    /^git\s+(-\S+\s+)*(-C\s+\S+\s+)?(remote\s+(add|set-url|rename|remove|rm)|submodule\s+(add|set-url)|clone)\b/,
    56,
    'changes from where code comes',
  ],
  [
    /^(npm|pnpm|yarn|bun|pip[\d.]*)\s+(.*\s)?(config\s+(set|edit|delete)|set)\b/,
    62,
    'sets for a package manager what it runs',
  ],
  [/^ln\b/, 52, 'makes another name for a file'],
  [/^(export|declare|alias|set)\s+\S/, 54, 'changes which programs later commands run'],
  [/^setcap\b/, 82, 'gives a program more rights'],
  [/^(kill|pkill|killall)\b/, 46, 'ends processes'],
];

/** Ways to files; the whole way is looked at, links followed and not. */
const secretPath =
  /(^|\/)(\.ssh|\.aws|\.gnupg|\.azure|\.kube|\.docker|\.password-store|\.config\/(gcloud|gh|op))(\/|$)|(^|\/)(\.netrc|\.npmrc|\.pypirc|\.pgpass|\.git-credentials|\.env(\.[\w.-]+)?|\.envrc|id_(rsa|dsa|ecdsa|ed25519)|credentials(\.\w+)?|secrets?(\.\w+)?|shadow|sudoers|authorized_keys|[^/]*\.(pem|p12|pfx|key|keystore|jks|kdbx))$|(^|\/)(secrets|Keychains)\//i;
const harmlessSecretName = /(^|\/)\.env\.(example|sample|template|dist)$/;

/** Files that say what runs later, here or where the project is built. */
const runsLater =
  /(^|\/)(\.github\/(workflows|actions)\/|\.circleci\/|\.buildkite\/|\.gitlab-ci[^/]*$|\.travis\.yml$|azure-pipelines[^/]*$|bitbucket-pipelines\.yml$|Jenkinsfile$|\.drone\.yml$|Dockerfile[^/]*$|docker-compose[^/]*$|compose\.ya?ml$|Makefile$|justfile$|package\.json$|\.pre-commit-config\.yaml$|setup\.py$|conftest\.py$|[^/]*\.config\.[cm]?[jt]s$)/i;

interface Finding {
  readonly score: number;
  readonly words: string;
}

const shown = (path: string): string => (path.length > 80 ? `…${path.slice(-79)}` : path);

function fileFindings(file: FileFact): readonly Finding[] {
  const { access, given, spellings } = file;
  const found: Finding[] = [];
  const add = (score: number, words: string): void => {
    found.push({ score, words });
  };
  const isSecret = spellings.some((one) => secretPath.test(one) && !harmlessSecretName.test(one));
  if (file.private) add(98, `touches Gatehouse’s own secrets: ${shown(given)}`);
  if (isSecret)
    add(
      access === 'read' ? 86 : 90,
      `${access === 'read' ? 'reads' : 'changes'} what may hold secrets: ${shown(given)}`,
    );
  if (access === 'read') {
    if (file.unknown === null && !file.inside) add(34, `reads outside the project: ${shown(given)}`);
    return found;
  }
  if (file.protected !== null) add(84, `changes ${shown(given)}, which decides what runs later`);
  else if (spellings.some((one) => runsLater.test(one)))
    add(file.from === 'tool' ? 54 : 58, `changes ${shown(given)}, which says what runs later`);
  if (file.unknown !== null) add(58, `writes to a file that cannot be told: ${shown(given)}`);
  else if (!file.inside && !/^\/(tmp|private\/tmp|var\/tmp)\/|^\/dev\/(null|stdout|stderr|tty)$/.test(file.real))
    add(68, `writes outside the project: ${shown(given)}`);
  else if (!file.inside) add(22, `writes outside the project: ${shown(given)}`);
  else add(12, 'changes files of the project');
  return found;
}

const shells = /^(\S*\/)?((ba|z|da|k|fi)?sh|python[\d.]*|node|perl|ruby|php|deno|bun|pwsh)(\s|$)/;
const fetchers = /^(\S*\/)?(curl|wget|fetch|aria2c)\s/;

function commandFindings(facts: CallFacts): readonly Finding[] {
  const found: Finding[] = [];
  const forms = facts.commands.flatMap(({ denyForms, readOnly }) =>
    // What only reads by a list that is known is not judged by its name again, but for secrets.
    readOnly.yes ? denyForms.filter((form) => /^(printenv|env)\b/.test(form)) : denyForms,
  );
  const all = facts.commands.flatMap((command) => command.denyForms);
  if (all.some((form) => fetchers.test(form)) && all.some((form) => shells.test(form)))
    found.push({ score: 96, words: 'runs what a server sends' });
  for (const written of forms) {
    if (/^(\.{0,2}\/)(?!\S*(gradlew|mvnw)\b)/.test(written))
      found.push({ score: 50, words: 'runs a program by its path' });
    const form = written.replace(/^\S*\/(?=[^\s/]+)/, '');
    const worst = commandShapes.reduce<Finding | null>(
      (found, [pattern, score, words]) =>
        score > (found?.score ?? 0) && pattern.test(form) ? { score, words } : found,
      null,
    );
    if (worst !== null) found.push(worst);
  }
  const critical = facts.commands.find((command) => command.critical !== null)?.critical;
  const destructive = destructiveWarning(facts);
  if (critical != null) found.push({ score: 100, words: lowered(critical) });
  else if (destructive !== undefined && !found.some(({ score }) => score >= 70))
    found.push({ score: 70, words: lowered(destructive) });
  if (/\(\)\s*\{.*\|.*&/.test(facts.shellText ?? '')) found.push({ score: 90, words: 'starts itself without end' });
  if (facts.shellProblems.length > 0) found.push({ score: 60, words: 'is a line that cannot be understood' });
  if (facts.commands.some((command) => command.never !== null))
    found.push({ score: 60, words: 'runs a program that is not known before it runs' });
  if (facts.commands.some((command) => !command.readOnly.yes && !command.nested))
    found.push({ score: 15, words: 'runs a program that may change something' });
  return found;
}

const lowered = (sentence: string): string => sentence.replace(/^./, (first) => first.toLowerCase()).replace(/\.$/, '');

function otherFindings({ toolName, isMcp, isReadOnly, hosts }: CallFacts): readonly Finding[] {
  const found: Finding[] = hosts.map((host) =>
    isLocalHost(host)
      ? { score: 66, words: `reaches ${host} on this machine or network` }
      : { score: 20, words: `fetches from ${host}` },
  );
  if (isMcp)
    found.push(
      isReadOnly
        ? { score: 20, words: 'asks a server' }
        : /(delete|remove|drop|destroy|send|publish|merge|deploy|exec|run|shell|write|push)/i.test(toolName)
          ? { score: 62, words: `lets a server act: ${toolName}` }
          : { score: 38, words: `lets a server do ${toolName}` },
    );
  if (toolName === 'REPL') found.push({ score: 72, words: 'runs text as a program' });
  if (toolName === 'PowerShell') found.push({ score: 60, words: 'runs a command that no parser here understands' });
  if (toolName === 'SetConfig') found.push({ score: 70, words: 'changes how Gatehouse itself is set' });
  if (toolName === 'Skill') found.push({ score: 32, words: 'runs a skill, which may bring rules along' });
  return found;
}

/** Judges a call: the worst that it does, with at most two reasons in words; nothing = 0 and empty. Pure. */
export function dangerOf(facts: CallFacts): Danger {
  const found = [...commandFindings(facts), ...facts.files.flatMap(fileFindings), ...otherFindings(facts)];
  if (found.length === 0)
    return facts.shellText !== null || facts.isReadOnly || onlyReads(facts.toolName)
      ? { score: 0, reason: '' }
      : { score: 10, reason: 'what it does is not known' };
  const sorted = [...found].sort((a, b) => b.score - a.score);
  const words = [...new Set(sorted.map((one) => one.words))].slice(0, 2);
  const score = sorted[0]?.score ?? 0;
  // A second reason is told only where it adds something.
  const told = words.filter((_, at) => at === 0 || (sorted.find((one) => one.words === words[at])?.score ?? 0) >= 34);
  return { score, reason: told.join('; ') };
}
