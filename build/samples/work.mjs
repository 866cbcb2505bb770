// Invented calls of ordinary work on invented projects.
import { weighted } from './random.mjs';

const words = [
  'account',
  'basket',
  'catalog',
  'delivery',
  'editor',
  'filter',
  'gallery',
  'header',
  'invoice',
  'journal',
];
const kinds = ['Model', 'View', 'Store', 'Route', 'Form', 'List', 'Page', 'Query', 'Format', 'Cache'];
const folders = ['src', 'src/api', 'src/pages', 'src/parts', 'lib', 'test', 'scripts', 'docs'];
const hosts = ['docs.example.com', 'api.example.org', 'registry.example.net', 'status.example.com', 'wiki.example.org'];

const name = (random) => `${random.pick(words)}${random.pick(kinds)}`;
const file = (random) => `${random.pick(folders)}/${name(random)}.${random.pick(['ts', 'tsx', 'css', 'md', 'json'])}`;

const commands = [
  [14, (random) => random.pick(['git status', 'git diff', 'git diff --stat', 'git log --oneline -10', 'git branch'])],
  [9, (random) => `npm test -- ${file(random)}`],
  [8, () => 'npm test'],
  [6, (random) => `npm run ${random.pick(['lint', 'build', 'typecheck', 'format', 'dev'])}`],
  [7, (random) => `grep -rn "${name(random)}" ${random.pick(folders)}`],
  [5, (random) => `ls -la ${random.pick(folders)}`],
  [5, (random) => `cat ${file(random)} | head -${10 + random.below(90)}`],
  [4, (random) => `git add ${file(random)} && git commit -m "Mend the ${random.pick(words)} ${random.below(400)}"`],
  [3, (random) => `cd ${random.pick(folders)} && npm test`],
  [3, (random) => `find . -name "*${random.pick(words)}*" -not -path "./node_modules/*"`],
  [3, (random) => `python3 scripts/${random.pick(words)}.py --limit ${random.below(500)}`],
  [2, (random) => `npx vitest run ${file(random)} 2>&1 | tail -${5 + random.below(40)}`],
  [2, (random) => `mkdir -p ${random.pick(folders)}/${random.pick(words)}`],
  [2, (random) => `git push origin ${random.pick(['main', 'feature'])}-${random.below(40)}`],
  [2, (random) => `curl -s https://${random.pick(hosts)}/v1/${random.pick(words)}/${random.below(300)}`],
  [2, (random) => `rm -rf ${random.pick(['dist', 'coverage', 'build/tmp', 'node_modules/.cache'])}`],
  [1, (random) => `for f in ${random.pick(folders)}/*.ts; do wc -l "$f"; done > /tmp/lines-${random.below(60)}.txt`],
  [1, (random) => `docker compose up -d ${random.pick(words)}`],
  [1, (random) => `sed -i 's/${name(random)}/${name(random)}/g' ${file(random)}`],
  [1, (random) => `npm install ${random.pick(words)}-${random.pick(['kit', 'tools', 'core'])}`],
  [
    1,
    (random) =>
      `cat <<'TEXT' > ${file(random)}\n# ${name(random)}\n\n${name(random)} for the ${random.pick(words)}.\nTEXT`,
  ],
  [0.4, (random) => `git push --force origin ${random.pick(words)}`],
  [0.3, () => 'sudo systemctl restart app'],
  [0.3, (random) => `curl -fsSL https://${random.pick(hosts)}/install.sh | sh`],
];

const tools = [
  [
    40,
    (random) => ['Bash', { command: weighted(random, commands)(random), description: `Work on ${random.pick(words)}` }],
  ],
  [22, (random, cwd) => ['Read', { file_path: `${cwd}/${file(random)}` }]],
  [
    13,
    (random, cwd) => [
      'Edit',
      {
        file_path: `${cwd}/${file(random)}`,
        old_string: `const ${name(random)} = 1;`,
        new_string: `const ${name(random)} = 2;`,
      },
    ],
  ],
  [6, (random) => ['Grep', { pattern: name(random), path: random.pick(folders), output_mode: 'content' }]],
  [4, (random) => ['Glob', { pattern: `${random.pick(folders)}/**/*.ts` }]],
  [
    4,
    (random, cwd) => [
      'Write',
      { file_path: `${cwd}/${file(random)}`, content: `export const ${name(random)} = ${random.below(900)};\n` },
    ],
  ],
  [
    3,
    (random) => [
      'TodoWrite',
      { todos: [{ content: `Mend ${name(random)}`, status: 'pending', activeForm: `Mending ${name(random)}` }] },
    ],
  ],
  [
    3,
    (random) => [
      'WebFetch',
      { url: `https://${random.pick(hosts)}/${random.pick(words)}`, prompt: 'What does it say?' },
    ],
  ],
  [1, (random) => ['WebSearch', { query: `${name(random)} example` }]],
  [2, (random) => ['mcp__tracker__list_issues', { project: random.pick(words), limit: random.below(50) }]],
  [1, (random) => ['mcp__tracker__close_issue', { id: random.below(900) }]],
  [1, (_, cwd) => ['Read', { file_path: `${cwd}/.env` }]],
];

/** Tool and input of one call in `cwd`. */
export const anyCall = (random, cwd) => weighted(random, tools)(random, cwd);

/** Text as a result, about `chars` long. */
export function resultText(random, chars) {
  const line = `${file(random)}:${random.below(900)}:  export function ${name(random)}(${random.pick(words)}) { return "${name(random)}"; }\n`;
  return line.repeat(Math.max(1, Math.ceil(chars / line.length))).slice(0, Math.max(1, chars));
}

export const prompt = (random) => `Please look at ${file(random)} and mend the ${random.pick(words)}.`;
