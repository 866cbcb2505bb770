// What each kind of remark is and is not made for.
import type { LintKind } from '#shared/api/rules';
import type { LintWorld } from './lint';
import { type BenchWorld, folder, home } from './testing/lintBench';

export interface Row {
  readonly kind: LintKind;
  readonly world: BenchWorld;
  /** Texts of the rules (or names of files) that the kind is reported for. */
  readonly found: readonly string[];
  /** Text after the fix, `-` for a removal, `+text` for an addition, null for no fix; of the first that is found. */
  readonly fix?: string | null;
  readonly safe?: boolean;
}

export const user = (lists: object): BenchWorld['settings'] => ({ userSettings: lists });
const allow = (...rules: string[]): BenchWorld => ({ settings: user({ allow: rules }) });
const deny = (...rules: string[]): BenchWorld => ({ settings: user({ deny: rules }) });
const usage = (text: string, matched: number): LintWorld['usage'] => ({
  days: 30,
  calls: 812,
  usage: [
    {
      rule: {
        text,
        behavior: 'allow',
        source: 'localSettings',
        file: `${folder}/.claude/settings.local.json`,
        line: 4,
      },
      matched,
      lastUsed: null,
    },
  ],
});
const local = { localSettings: { allow: ['Bash(ls *)'] } };
const repo = { [`${folder}/.git/HEAD`]: 'ref' };
export const key = 'sk-ant-1234567890abcdef';

export const rows: readonly Row[] = [
  {
    kind: 'syntax',
    world: { settings: { userSettings: '{"permissions":{"deny":["Read(x"]}}' } },
    found: ['settings.json'],
  },
  { kind: 'syntax', world: deny(' Bash(rm *)'), found: [' Bash(rm *)'], fix: 'Bash(rm *)', safe: true },
  { kind: 'syntax', world: { settings: { userSettings: '{"permissions": {"allow": [}}' } }, found: ['settings.json'] },
  { kind: 'syntax', world: allow('Bash()'), found: ['Bash()'], fix: '-' },
  { kind: 'syntax', world: deny('Bash()'), found: ['Bash()'], fix: 'Bash', safe: true },
  { kind: 'syntax', world: allow('Read()'), found: ['Read()'], fix: 'Read', safe: false },
  { kind: 'syntax', world: allow('Bash(git push)'), found: [] },

  { kind: 'unknownTool', world: deny('bash(rm *)'), found: ['bash(rm *)'], fix: 'Bash(rm *)', safe: true },
  { kind: 'unknownTool', world: deny('WebFech'), found: ['WebFech'], fix: 'WebFetch', safe: false },
  { kind: 'unknownTool', world: allow('Zork'), found: ['Zork'], fix: null },
  { kind: 'unknownTool', world: deny('my_tool', 'mcp__x', 'Grep'), found: [] },

  { kind: 'neverConsulted', world: deny('Write(src/**)'), found: ['Write(src/**)'], fix: 'Edit(src/**)', safe: true },
  { kind: 'neverConsulted', world: allow('Bash(command:git push)'), found: ['Bash(command:git push)'] },
  { kind: 'neverConsulted', world: allow('mcp__*'), found: ['mcp__*'], fix: '-', safe: true },
  {
    kind: 'neverConsulted',
    world: allow('WebFetch(https://example.com/x)'),
    found: ['WebFetch(https://example.com/x)'],
    fix: 'WebFetch(domain:example.com)',
    safe: false,
  },
  { kind: 'neverConsulted', world: deny('Edit(src/**)', 'Write', 'mcp__*'), found: [] },

  {
    kind: 'shadowedByDeny',
    world: { settings: user({ allow: ['Bash(git push *)'], deny: ['Bash(git:*)'] }) },
    found: ['Bash(git push *)'],
    fix: '-',
    safe: true,
  },
  {
    kind: 'shadowedByDeny',
    world: { settings: { userSettings: { allow: ['Bash(ls)'] }, projectSettings: { deny: ['Bash'] } } },
    found: ['Bash(ls)'],
    fix: null,
  },
  {
    kind: 'shadowedByDeny',
    world: { settings: user({ ask: ['mcp__git__push'], deny: ['mcp__git'] }) },
    found: ['mcp__git__push'],
    fix: '-',
    safe: true,
  },
  {
    kind: 'shadowedByDeny',
    world: { settings: user({ allow: ['Bash(git *)'], deny: ['Bash(git push *)'] }) },
    found: [],
  },
  {
    kind: 'shadowedByDeny',
    world: { settings: user({ allow: ['Read(//srv/x/a/**)'], deny: ['Read(//srv/x/**)', 'Read(!//srv/x/a/**)'] }) },
    found: [],
  },

  {
    kind: 'shadowedByAsk',
    world: { settings: user({ allow: ['Bash(git push origin *)'], ask: ['Bash(git push:*)'] }) },
    found: ['Bash(git push origin *)'],
    fix: '-',
    safe: true,
  },
  {
    kind: 'shadowedByAsk',
    world: { settings: user({ allow: ['WebFetch(domain:a.example.com)'], ask: ['WebFetch(domain:*.example.com)'] }) },
    found: ['WebFetch(domain:a.example.com)'],
  },
  {
    kind: 'shadowedByAsk',
    world: { settings: user({ allow: ['WebFetch(domain:example.com)'], ask: ['WebFetch(domain:*.example.com)'] }) },
    found: [],
  },

  {
    kind: 'subsumed',
    world: allow('Bash(git log --oneline *)', 'Bash(git log *)'),
    found: ['Bash(git log --oneline *)'],
    fix: '-',
    safe: true,
  },
  { kind: 'subsumed', world: allow('Bash(npm test)', 'Bash(npm *)'), found: ['Bash(npm test)'], fix: '-', safe: true },
  {
    kind: 'subsumed',
    world: deny('Read(//srv/x/keys/**)', 'Read(//srv/x/**)'),
    found: ['Read(//srv/x/keys/**)'],
    fix: '-',
    safe: true,
  },
  { kind: 'subsumed', world: allow('WebFetch(domain:localhost)', 'WebFetch(domain:*)'), found: [] },
  {
    kind: 'subsumed',
    world: allow('Bash(timeout 5 npm *)', 'Bash(timeout *)', 'Bash(lsof *)', 'Bash(ls *)'),
    found: [],
  },
  {
    kind: 'subsumed',
    world: {
      settings: { userSettings: { allow: ['Bash(make test *)'] }, projectSettings: { allow: ['Bash(make *)'] } },
    },
    found: ['Bash(make test *)'],
    fix: null,
  },

  {
    kind: 'duplicate',
    world: allow('Bash(git push:*)', 'Bash(git push *)'),
    found: ['Bash(git push *)'],
    fix: '-',
    safe: true,
  },
  {
    kind: 'duplicate',
    world: { settings: { userSettings: { deny: ['Bash(rm *)'] }, localSettings: { deny: ['Bash(rm *)'] } } },
    found: ['Bash(rm *)'],
    fix: '-',
    safe: true,
  },
  {
    kind: 'duplicate',
    world: { settings: { userSettings: { allow: ['Task(x)'] }, projectSettings: { allow: ['Agent(x)'] } } },
    found: ['Agent(x)'],
    fix: null,
  },
  { kind: 'duplicate', world: { settings: user({ allow: ['Bash(ls)'], deny: ['Bash(ls)'] }) }, found: [] },

  {
    kind: 'wrongAnchor',
    world: { settings: { projectSettings: { allow: ['Read(/etc/hosts)'] } } },
    found: ['Read(/etc/hosts)'],
    fix: 'Read(//etc/hosts)',
    safe: false,
  },
  {
    kind: 'wrongAnchor',
    world: deny('Read(/secrets/**)'),
    found: ['Read(/secrets/**)'],
    fix: 'Read(//secrets/**)',
    safe: false,
  },
  {
    kind: 'wrongAnchor',
    world: deny('Read($HOME/.ssh/**)'),
    found: ['Read($HOME/.ssh/**)'],
    fix: 'Read(~/.ssh/**)',
    safe: true,
  },
  {
    kind: 'wrongAnchor',
    world: { settings: { projectSettings: { deny: ['Read(/secrets/**)', 'Read(//etc/x)', 'Read(~/x)'] } } },
    found: [],
  },

  { kind: 'wordBoundary', world: allow('Bash(ls*)'), found: ['Bash(ls*)'], fix: 'Bash(ls *)', safe: true },
  { kind: 'wordBoundary', world: deny('Bash(rm*)'), found: ['Bash(rm*)'], fix: 'Bash(rm *)', safe: false },
  { kind: 'wordBoundary', world: allow('Bash(npm run test*)'), found: ['Bash(npm run test*)'], safe: true },
  {
    kind: 'wordBoundary',
    world: allow('Bash(ls *)', 'Bash(npm run test:*)', 'Bash(./scripts/*)', 'Bash(* --help)'),
    found: [],
  },

  {
    kind: 'misplacedColonStar',
    world: allow('Bash(cargo:* test)'),
    found: ['Bash(cargo:* test)'],
    fix: 'Bash(cargo * test)',
    safe: false,
  },
  {
    kind: 'misplacedColonStar',
    world: deny('Bash(git * push:*)'),
    found: ['Bash(git * push:*)'],
    fix: 'Bash(git * push *)',
    safe: true,
  },
  { kind: 'misplacedColonStar', world: allow('Bash(:*)'), found: ['Bash(:*)'], fix: '-' },
  { kind: 'misplacedColonStar', world: allow('Bash(cargo test:*)'), found: [] },

  { kind: 'overBroad', world: allow('Bash(*)'), found: ['Bash(*)'], safe: false },
  {
    kind: 'overBroad',
    world: allow('Bash(python3 *)', 'Bash(npx *)', 'Bash(git -c *)'),
    found: ['Bash(python3 *)', 'Bash(npx *)', 'Bash(git -c *)'],
  },
  { kind: 'overBroad', world: allow('Edit(//**)', 'WebFetch'), found: ['Edit(//**)', 'WebFetch'] },
  { kind: 'overBroad', world: deny('Bash(*)', 'Bash(python3 *)'), found: [] },
  {
    kind: 'overBroad',
    world: allow('Bash(python3 -m pytest tests)', 'Bash(git *)', 'Edit(src/**)', 'Bash(npx eslint *)'),
    found: [],
  },

  { kind: 'wrapperNotStripped', world: allow('Bash(watch *)'), found: ['Bash(watch *)'], fix: '-', safe: true },
  {
    kind: 'wrapperNotStripped',
    world: allow('Bash(timeout 30 *)'),
    found: ['Bash(timeout 30 *)'],
    fix: '-',
    safe: true,
  },
  {
    kind: 'wrapperNotStripped',
    world: allow('Bash(docker exec web *)'),
    found: ['Bash(docker exec web *)'],
    safe: false,
  },
  {
    kind: 'wrapperNotStripped',
    world: allow('Bash(timeout 30 npm *)', 'Bash(watch ls)', 'Bash(docker exec web ls *)'),
    found: [],
  },

  { kind: 'denyWalkedRound', world: deny('Read(.env)'), found: ['Read(.env)'], fix: null },
  { kind: 'denyWalkedRound', world: deny('Edit(src/**)'), found: ['Edit(src/**)'] },
  { kind: 'denyWalkedRound', world: deny('Read(.env)', 'Bash'), found: [] },
  { kind: 'denyWalkedRound', world: allow('Read(.env)'), found: [] },

  {
    kind: 'redirect',
    world: allow('Bash(date > out.txt)'),
    found: ['Bash(date > out.txt)'],
    fix: '+Edit(out.txt)',
    safe: false,
  },
  {
    kind: 'redirect',
    world: deny('Bash(* > /etc/hosts)'),
    found: ['Bash(* > /etc/hosts)'],
    fix: '+Edit(//etc/hosts)',
    safe: true,
  },
  { kind: 'redirect', world: allow('Bash(sort < *)'), found: ['Bash(sort < *)'], fix: null },
  {
    kind: 'redirect',
    world: allow('Bash(grep "a > b" *)', "Bash(awk '{if ($1>2) print}' x)", 'Bash(ls *)'),
    found: [],
  },

  {
    kind: 'multiLine',
    world: allow('Bash(git commit -m "a\nb")'),
    found: ['Bash(git commit -m "a\nb")'],
    fix: '-',
    safe: true,
  },
  { kind: 'multiLine', world: allow('Bash(cat <<EOF)'), found: ['Bash(cat <<EOF)'] },
  { kind: 'multiLine', world: allow('Bash(done)', 'Bash(for f in *)'), found: ['Bash(done)', 'Bash(for f in *)'] },
  { kind: 'multiLine', world: allow('Bash(format *)', 'Bash(do-release *)'), found: [] },

  {
    kind: 'credential',
    world: allow(`Bash(curl -H "x-api-key: ${key}" *)`),
    found: [`Bash(curl -H "x-api-key: ${key}" *)`],
    fix: '-',
    safe: true,
  },
  { kind: 'credential', world: allow('Bash(PGPASSWORD=hunter22 psql *)'), found: ['Bash(PGPASSWORD=hunter22 psql *)'] },
  {
    kind: 'credential',
    world: { settings: { policySettings: { allow: [`Bash(x ${key})`] } } },
    found: [`Bash(x ${key})`],
    fix: null,
  },
  {
    kind: 'credential',
    world: allow('Bash(gh auth status)', 'Read(//srv/app/some/rather/long/path/to/a/file/with/names)'),
    found: [],
  },

  {
    kind: 'invisibleCharacters',
    world: allow('Bash(rm\u200b x)'),
    found: ['Bash(rm\u200b x)'],
    fix: 'Bash(rm x)',
    safe: false,
  },
  {
    kind: 'invisibleCharacters',
    world: deny('Read(\u202e.env)'),
    found: ['Read(\u202e.env)'],
    fix: 'Read(.env)',
    safe: false,
  },
  { kind: 'invisibleCharacters', world: allow('mcp__a\u00adb'), found: ['mcp__a\u00adb'] },
  { kind: 'invisibleCharacters', world: allow('Bash(echo Grüße *)', 'Read(文/**)'), found: [] },

  { kind: 'missingPath', world: allow('Read(//srv/gone/**)'), found: ['Read(//srv/gone/**)'], fix: '-', safe: true },
  { kind: 'missingPath', world: allow('Bash(/opt/gone/run.sh *)'), found: ['Bash(/opt/gone/run.sh *)'] },
  { kind: 'missingPath', world: allow('Edit(~/gone/x.txt)'), found: ['Edit(~/gone/x.txt)'] },
  {
    kind: 'missingPath',
    world: {
      settings: {
        userSettings: {
          deny: ['Read(//srv/gone/**)'],
          allow: ['Read(//srv/app/package.json)', 'Edit(*.ts)', 'Read(~/.profile)', 'Edit(.env)'],
        },
      },
    },
    found: [],
  },

  {
    kind: 'neverUsed',
    world: { settings: local, usage: usage('Bash(ls *)', 0) },
    found: ['Bash(ls *)'],
    fix: '-',
    safe: true,
  },
  { kind: 'neverUsed', world: { settings: local, usage: usage('Bash(ls *)', 3) }, found: [] },
  { kind: 'neverUsed', world: { settings: local }, found: [] },
  {
    kind: 'neverUsed',
    world: { settings: { localSettings: { deny: ['Bash(ls *)'] } }, usage: usage('Bash(ls *)', 0) },
    found: [],
  },

  {
    kind: 'needsTrust',
    world: { settings: { projectSettings: { allow: ['Bash(make *)'] } }, trusted: false },
    found: ['Bash(make *)'],
    safe: false,
  },
  {
    kind: 'needsTrust',
    world: { settings: { projectSettings: { deny: ['Bash(make *)'] } }, trusted: false },
    found: [],
  },
  { kind: 'needsTrust', world: { settings: { projectSettings: { allow: ['Bash(make *)'] } } }, found: [] },

  {
    kind: 'managedOnly',
    world: {
      settings: {
        policySettings: { deny: ['Bash(rm *)'] },
        userSettings: { allow: ['Bash(ls *)'] },
        projectSettings: { allow: ['Bash(make *)'] },
      },
      managedOnly: true,
    },
    found: ['settings.json', 'settings.json'],
    fix: null,
  },
  {
    kind: 'managedOnly',
    world: { settings: { policySettings: { deny: ['Bash(rm *)'] } }, managedOnly: true },
    found: [],
  },
  { kind: 'managedOnly', world: allow('Bash(ls *)'), found: [] },

  { kind: 'localNotIgnored', world: { settings: local, files: repo }, found: ['settings.local.json'], fix: null },
  {
    kind: 'localNotIgnored',
    world: { settings: local, files: { ...repo, [`${folder}/.gitignore`]: '.claude/*\n!.claude/settings.local.json' } },
    found: ['settings.local.json'],
  },
  {
    kind: 'localNotIgnored',
    world: { settings: local, files: { ...repo, [`${folder}/.gitignore`]: 'settings.local.json' }, tracked: true },
    found: ['settings.local.json'],
  },
  {
    kind: 'localNotIgnored',
    world: { settings: local, files: { ...repo, [`${folder}/.gitignore`]: '.claude/' } },
    found: [],
  },
  {
    kind: 'localNotIgnored',
    world: { settings: local, files: { ...repo, [`${folder}/.git/info/exclude`]: '**/settings.local.json' } },
    found: [],
  },
  {
    kind: 'localNotIgnored',
    world: { settings: local, files: { ...repo, [`${home}/.config/git/ignore`]: '**/.claude/settings.local.json' } },
    found: [],
  },
  {
    kind: 'localNotIgnored',
    world: {
      settings: local,
      files: { ...repo, [`${home}/.gitconfig`]: '[core]\n  excludesFile = ~/mine', [`${home}/mine`]: '*.local.json' },
    },
    found: [],
  },
  { kind: 'localNotIgnored', world: { settings: local }, found: [] },

  {
    kind: 'notStrictJson',
    world: { settings: { userSettings: '{"permissions": {"allow": ["Bash(ls)",]}}' } },
    found: ['settings.json'],
    fix: null,
  },
  { kind: 'notStrictJson', world: { settings: { projectSettings: '// mine\n{}' } }, found: ['settings.json'] },
  { kind: 'notStrictJson', world: { settings: { projectSettings: '{"permissions": {"allow": [}}' } }, found: [] },
  { kind: 'notStrictJson', world: { settings: { projectSettings: '{"a": "// no comment,"}' } }, found: [] },

  {
    kind: 'platform',
    world: deny('Read(C:\\secrets\\**)'),
    found: ['Read(C:\\secrets\\**)'],
    fix: 'Read(//c/secrets/**)',
    safe: true,
  },
  {
    kind: 'platform',
    world: deny('Read(//d/secrets/**)', 'PowerShell(rm *)'),
    found: ['Read(//d/secrets/**)', 'PowerShell(rm *)'],
    fix: null,
  },
  { kind: 'platform', world: allow('Read(//srv/APP/package.json)'), found: ['Read(//srv/APP/package.json)'] },
  { kind: 'platform', world: { ...deny('Read(//d/secrets/**)', 'PowerShell(rm *)'), platform: 'win32' }, found: [] },
  { kind: 'platform', world: allow('Read(//srv/app/package.json)'), found: [] },

  {
    kind: 'unknownMcpServer',
    world: { ...allow('mcp__gone__x'), servers: ['git'] },
    found: ['mcp__gone__x'],
    fix: '-',
    safe: true,
  },
  {
    kind: 'unknownMcpServer',
    world: { ...deny('mcp__gone', 'mcp__gone__*'), servers: [] },
    found: ['mcp__gone', 'mcp__gone__*'],
    fix: null,
  },
  {
    kind: 'unknownMcpServer',
    world: { ...allow('mcp__my_files__read', 'mcp__git__*'), servers: ['my files', 'git'] },
    found: [],
  },
  { kind: 'unknownMcpServer', world: allow('mcp__gone__x'), found: [] },
];
