// A settings file as years of "always allow" leave it behind.
import { seeded } from './random.mjs';
import { anyCall } from './work.mjs';

/** Looks like a secret and is none. */
const fakeKey = (random) => `sk-sample-${random.hex(32)}`;

const fixed = [
  'Bash(npm test)',
  'Bash(npm test:*)',
  'Bash(npm test *)',
  'Bash(npm *)',
  'Bash(npm run *)',
  'Bash(git *)',
  'Bash(git status)',
  'Bash(git status:*)',
  'Bash(ls*)',
  'Bash(ls *)',
  'Bash(python3 *)',
  'Bash(npx *)',
  'Bash(docker exec *)',
  'Bash(timeout 20 npm test)',
  'Bash(git:* push)',
  'Write(src/**)',
  'MultiEdit(src/**)',
  'Glob(src/**)',
  'Bash(command:ls)',
  'mcp__*',
  'mcp__gone__*',
  'mcp__tracker__list_issues',
  'WebFetch',
  'WebFetch(domain:docs.example.com)',
  'WebFetch(domain:*.example.org)',
  'Read(/src/**)',
  'Read(//srv/app/**)',
  'Read(~/gone/**)',
  'Edit(src/**)',
  'Edit(src/pages/**)',
  'Bsah(npm test)',
  'Bash(npm test',
  'Bash()',
  'Bash(for f in *.ts)',
  'Bash(do wc -l "$f")',
  'Bash(done)',
  "Bash(cat <<'TEXT' > notes.md\n# Notes\nTEXT)",
  'Bash(git\u200b push)',
  'Bash(echo hi > out.txt)',
];

/**
 * Settings with about `rules` rules: duplicates, rules that others cover, shapes that never count, pieces of scripts and texts
 * that look like secrets. Everything is invented. The same seed gives the same settings.
 *
 * @param {{ seed?: number, rules?: number }} options
 */
export function messySettings({ seed = 1, rules = 200 } = {}) {
  const random = seeded(seed);
  const allow = [...fixed];
  const deny = ['Read(.env)', 'Bash(rm -rf *)', 'Bash(sudo *)', 'Write(/etc/**)', 'Read(secrets/**)'];
  const ask = ['Bash(git push *)', 'Bash(npm install *)', 'WebFetch(domain:status.example.com)'];
  while (allow.length + deny.length + ask.length < rules) {
    const kind = random.below(20);
    if (kind === 0) allow.push(random.pick(allow));
    else if (kind === 1) allow.push(`Bash(API_KEY=${fakeKey(random)} npm run deploy)`);
    else if (kind === 2)
      allow.push(`Bash(curl -H "Authorization: Bearer ${fakeKey(random)}" https://api.example.org/*)`);
    else if (kind === 3) deny.push(random.pick(['Bash(git push --force *)', 'Bash(curl *)', 'Read(**/*.pem)']));
    else {
      const [tool, input] = anyCall(random, '/srv/app');
      const main =
        input.command ?? input.file_path ?? (input.url === undefined ? null : `domain:${new URL(input.url).hostname}`);
      allow.push(main === null ? tool : `${tool}(${main})`);
    }
  }
  return {
    $schema: 'https://json.schemastore.org/claude-code-settings.json',
    permissions: { allow, ask, deny, additionalDirectories: ['/srv/shared', '../gone'], defaultMode: 'default' },
    env: { SAMPLE: '1' },
  };
}
