import { describe, expect, it } from 'vitest';
import type { RuleSource } from '#shared/permissions/sources';
import type { SettingsInForce } from '../permissions/settingsInForce';
import { readSandboxSettings, type SandboxSettings, usualProcesses } from './sandboxSettings';

type File = { readonly sandbox?: unknown; readonly waits?: boolean; readonly unknown?: boolean };

const order: readonly RuleSource[] = [
  'userSettings',
  'projectSettings',
  'localSettings',
  'flagSettings',
  'policySettings',
];
const pathOf: Partial<Record<RuleSource, string>> = {
  userSettings: '/home/ada/.claude/settings.json',
  projectSettings: '/srv/app/.claude/settings.json',
  localSettings: '/srv/app/.claude/settings.local.json',
  policySettings: '/etc/claude-code/managed-settings.json',
};

function read(files: Partial<Record<RuleSource, File>>): SandboxSettings {
  return readSandboxSettings({
    folder: '/srv/app',
    files: order.flatMap((source): SettingsInForce[] => {
      const file = files[source];
      if (file === undefined) return [];
      const content = { value: { sandbox: file.sandbox }, lineOf: (path: readonly unknown[]) => path.length };
      return [
        {
          source,
          path: pathOf[source] ?? null,
          content: file.unknown === true ? null : content,
          unknown: file.unknown ?? false,
          waits: file.waits ?? false,
        },
      ];
    }),
  });
}

const from = (source: RuleSource, line: number | null = 2) => ({
  kind: 'setting' as const,
  source,
  path: pathOf[source] ?? null,
  line,
});
const byDefault = { kind: 'default' as const };

describe('switches', () => {
  it('confines commands when nothing is said', () => {
    const { enabled, failIfUnavailable, autoAllow, allowOutside, limits, ignored, problem } = read({});
    expect({ enabled, failIfUnavailable, autoAllow, allowOutside, limits, ignored, problem }).toEqual({
      enabled: { on: true, from: byDefault },
      failIfUnavailable: { on: false, from: byDefault },
      autoAllow: { on: false, from: byDefault },
      allowOutside: { on: true, from: byDefault },
      limits: { processes: usualProcesses },
      ignored: [],
      problem: '',
    });
  });

  it.each<
    readonly [string, Parameters<typeof read>[0], { readonly on: boolean; readonly from: unknown }, readonly string[]]
  >([
    ['the user', { userSettings: { sandbox: { enabled: false } } }, { on: false, from: from('userSettings') }, []],
    [
      'a higher source over the user',
      { userSettings: { sandbox: { enabled: false } }, localSettings: { sandbox: { enabled: true } } },
      { on: true, from: from('localSettings') },
      [],
    ],
    [
      'the policy over all',
      { projectSettings: { sandbox: { enabled: false } }, policySettings: { sandbox: { enabled: true } } },
      { on: true, from: from('policySettings') },
      [],
    ],
    [
      'not a folder that is not trusted',
      { projectSettings: { sandbox: { enabled: false }, waits: true } },
      { on: true, from: byDefault },
      ['sandbox.enabled: false | The folder is not trusted, and this would weaken the sandbox.'],
    ],
    [
      'such a folder where it confines more',
      { userSettings: { sandbox: { enabled: false } }, projectSettings: { sandbox: { enabled: true }, waits: true } },
      { on: true, from: from('projectSettings') },
      [],
    ],
    [
      'a wrong type as its strictest',
      { userSettings: { sandbox: { enabled: 'false' } } },
      { on: true, from: from('userSettings') },
      ['sandbox.enabled: "false" | It must be true or false, so it counts as true.'],
    ],
    [
      'nothing weaker beside a policy that nobody can read',
      { userSettings: { sandbox: { enabled: false } }, policySettings: { unknown: true } },
      { on: true, from: byDefault },
      ['sandbox.enabled: false | The policy cannot be read, so nobody knows whether it allows this.'],
    ],
  ])('follows %s', (_what, files, enabled, ignored) => {
    const settings = read(files);
    expect(settings.enabled).toEqual(enabled);
    expect(settings.ignored.map(({ setting, why }) => `${setting} | ${why}`)).toEqual(ignored);
  });

  it('takes each switch that is not understood as its strictest', () => {
    const settings = read({
      userSettings: {
        sandbox: {
          failIfUnavailable: 1,
          autoAllowBashIfSandboxed: 'yes',
          allowUnsandboxedCommands: 'yes',
          network: { strictAllowlist: null, allowAllUnixSockets: {} },
        },
      },
    });
    const { failIfUnavailable, autoAllow, allowOutside, network } = settings;
    expect([failIfUnavailable.on, autoAllow.on, allowOutside.on, network.strict.on, network.unixSockets.on]).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
  });

  it('is at its strictest beside a policy that nobody can read', () => {
    const { failIfUnavailable, allowOutside, network } = read({ policySettings: { unknown: true } });
    const policy = from('policySettings', null);
    expect({ failIfUnavailable, allowOutside, strict: network.strict }).toEqual({
      failIfUnavailable: { on: true, from: policy },
      allowOutside: { on: false, from: policy },
      strict: { on: true, from: policy },
    });
  });
});

describe('lists', () => {
  it('puts those of all sources together, each entry with its line and the folder it starts from', () => {
    const settings = read({
      userSettings: { sandbox: { filesystem: { allowWrite: ['out'] } } },
      projectSettings: { sandbox: { filesystem: { allowWrite: ['build', '~/cache'] } } },
    });
    expect(settings.allowWrite).toEqual([
      { text: 'out', base: '/home/ada/.claude', from: from('userSettings', 4) },
      { text: 'build', base: '/srv/app', from: from('projectSettings', 4) },
      { text: '~/cache', base: '/srv/app', from: from('projectSettings', 4) },
    ]);
  });

  it('lets a folder that is not trusted refuse, not open', () => {
    const settings = read({
      projectSettings: {
        waits: true,
        sandbox: {
          excludedCommands: ['docker *'],
          filesystem: {
            allowWrite: ['/srv/x'],
            allowRead: ['~/.ssh'],
            denyRead: ['/srv/secret'],
            denyWrite: ['/srv/ro'],
          },
          network: { allowedDomains: ['a.example'], deniedDomains: ['b.example'], allowAllUnixSockets: true },
        },
      },
    });
    const texts = (entries: readonly { readonly text: string }[]) => entries.map(({ text }) => text);
    expect({
      excluded: texts(settings.excluded),
      allowWrite: texts(settings.allowWrite),
      allowRead: texts(settings.allowRead),
      denyRead: texts(settings.denyRead),
      denyWrite: texts(settings.denyWrite),
      allowed: texts(settings.network.allowed),
      denied: texts(settings.network.denied),
      sockets: settings.network.unixSockets.on,
      ignored: settings.ignored.map(({ setting }) => setting).sort(),
    }).toEqual({
      excluded: [],
      allowWrite: [],
      allowRead: [],
      denyRead: ['/srv/secret'],
      denyWrite: ['/srv/ro'],
      allowed: [],
      denied: ['b.example'],
      sockets: false,
      ignored: [
        'sandbox.excludedCommands: ["docker *"]',
        'sandbox.filesystem.allowRead: ["~/.ssh"]',
        'sandbox.filesystem.allowWrite: ["/srv/x"]',
        'sandbox.network.allowAllUnixSockets: true',
        'sandbox.network.allowedDomains: ["a.example"]',
      ],
    });
  });

  it('lets the policy alone allow domains and reads where it says so', () => {
    const settings = read({
      userSettings: { sandbox: { network: { allowedDomains: ['a.example'] }, filesystem: { allowRead: ['~/.ssh'] } } },
      policySettings: {
        sandbox: {
          network: { allowedDomains: ['corp.example'], allowManagedDomainsOnly: true },
          filesystem: { allowManagedReadPathsOnly: true },
        },
      },
    });
    expect(settings.network.allowed.map(({ text }) => text)).toEqual(['corp.example']);
    expect(settings.network.managedOnly).toBe(true);
    expect(settings.allowRead).toEqual([]);
    expect(settings.ignored.map(({ why }) => why)).toEqual([
      'The policy lets only its own entries count.',
      'The policy lets only its own entries count.',
    ]);
  });

  it('takes a managed switch from the policy alone', () => {
    const settings = read({ userSettings: { sandbox: { network: { allowManagedDomainsOnly: true } } } });
    expect(settings.network.managedOnly).toBe(false);
    expect(settings.ignored.map(({ why }) => why)).toEqual(['It counts in the policy alone.']);
  });

  it.each<readonly [string, unknown]>([
    ['a refusal that is no list', { filesystem: { denyRead: 5 } }],
    ['an entry of a refusal that is no text', { filesystem: { denyWrite: ['/srv/x', null] } }],
    ['an empty entry of a refusal', { network: { deniedDomains: [''] } }],
    ['a refusal that names no host', { network: { deniedDomains: ['a b'] } }],
    ['a group that is none', { filesystem: ['/srv/x'] }],
    ['a whole that is no object', true],
  ])('runs no command with %s', (_what, sandbox) => {
    const { problem, ignored } = read({ userSettings: { sandbox } });
    expect(problem).toMatch(
      /^sandbox\S* in \/home\/ada\/\.claude\/settings\.json, line \d is not understood: .*Mend it/,
    );
    expect(ignored.at(-1)?.why).toMatch(/Until it is mended no command runs\.$/);
  });

  it.each<readonly [string, unknown]>([
    ['an opening that is no list', { filesystem: { allowWrite: 5 } }],
    ['an entry of it that is no text', { excludedCommands: ['docker *', 7] }],
    ['an entry of it that is no host', { network: { allowedDomains: ['https://a.example/'] } }],
  ])('skips %s', (_what, sandbox) => {
    const { problem, ignored } = read({ userSettings: { sandbox } });
    expect({ problem, why: ignored.map(({ why }) => why) }).toEqual({
      problem: '',
      why: [expect.stringMatching(/; it was skipped\.$/)],
    });
  });

  it('takes one text for a list of one', () => {
    expect(read({ userSettings: { sandbox: { filesystem: { denyRead: '~/notes' } } } }).denyRead).toEqual([
      { text: '~/notes', base: '/home/ada/.claude', from: from('userSettings', 3) },
    ]);
  });
});

describe('limits and ports', () => {
  it.each<readonly [string, Parameters<typeof read>[0], SandboxSettings['limits'], number]>([
    [
      'counts in MiB',
      { userSettings: { sandbox: { limits: { memoryMiB: 2, fileMiB: 1, processes: 50 } } } },
      { memoryBytes: 2 * 1024 * 1024, fileBytes: 1024 * 1024, processes: 50 },
      0,
    ],
    [
      'lets a higher source raise a limit',
      {
        userSettings: { sandbox: { limits: { processes: 50 } } },
        localSettings: { sandbox: { limits: { processes: 9_000 } } },
      },
      { processes: 9_000 },
      0,
    ],
    [
      'lets a folder that is not trusted lower it',
      { projectSettings: { sandbox: { limits: { processes: 10, memoryMiB: 1 } }, waits: true } },
      { processes: 10, memoryBytes: 1024 * 1024 },
      0,
    ],
    [
      'lets such a folder not raise it',
      { projectSettings: { sandbox: { limits: { processes: 9_000 } }, waits: true } },
      { processes: usualProcesses },
      1,
    ],
    [
      'skips what is no number',
      { userSettings: { sandbox: { limits: { processes: 0, memoryMiB: '4' } } } },
      { processes: usualProcesses },
      2,
    ],
  ])('%s', (_what, files, limits, ignored) => {
    const settings = read(files);
    expect(settings.limits).toEqual(limits);
    expect(settings.ignored).toHaveLength(ignored);
  });

  it('reads ports of proxies', () => {
    const network = { httpProxyPort: 8080, socksProxyPort: 70_000 };
    const settings = read({ userSettings: { sandbox: { network } } });
    expect([settings.network.httpProxyPort, settings.network.socksProxyPort]).toEqual([8080, null]);
    expect(settings.ignored.map(({ setting }) => setting)).toEqual(['sandbox.network.socksProxyPort: 70000']);
  });
});

it('says why a setting does nothing here', () => {
  const { ignored } = read({
    userSettings: { sandbox: { bwrapPath: '/x', enabld: true, network: { tlsTerminate: {} } } },
  });
  expect(ignored.map(({ setting, why }) => `${setting} | ${why}`)).toEqual([
    'sandbox.bwrapPath | The program is looked for in PATH.',
    'sandbox.enabld | There is no such setting.',
    'sandbox.network.tlsTerminate | Encrypted traffic is not looked into.',
  ]);
});

describe('credentials', () => {
  it('hides files and keeps variables back, from folders that nobody trusts, too', () => {
    const { denyRead, deniedVariables, ignored, problem } = read({
      userSettings: { sandbox: { credentials: { files: [{ path: '~/.tok', mode: 'deny' }] } } },
      projectSettings: {
        sandbox: {
          credentials: {
            files: [{ path: 'keys', mode: 'mask', injectHosts: ['a.example'] }],
            envVars: [{ name: 'TOKEN', mode: 'deny' }, { name: 'KEY' }],
            sigv4: {},
          },
        },
        waits: true,
      },
    });
    expect({ denyRead, deniedVariables, problem }).toEqual({
      denyRead: [
        { text: '~/.tok', from: from('userSettings', 4), base: '/home/ada/.claude' },
        { text: 'keys', from: from('projectSettings', 4), base: '/srv/app' },
      ],
      deniedVariables: ['TOKEN', 'KEY'],
      problem: '',
    });
    expect(ignored.map(({ setting, why }) => `${setting.split(':')[0]}: ${why}`)).toEqual([
      'sandbox.credentials.sigv4: Nothing is put in the place of what is hidden.',
      'sandbox.credentials.files: Nothing is put in the place of what is masked, so it is hidden from commands altogether, as with the mode "deny".',
      'sandbox.credentials.envVars: The mode must be "deny", so it counts as that.',
    ]);
  });

  it.each([
    ['no list', { files: 'x' }],
    ['a bare path', { files: ['~/.tok'] }],
    ['no name', { envVars: [{ mode: 'deny' }] }],
    ['no group', []],
  ])('that are not understood stop all commands: %s', (_name, credentials) => {
    expect(read({ userSettings: { sandbox: { credentials } } }).problem).toMatch(
      /^sandbox\.credentials.* is not understood: .*Mend it, then commands run again\.$/,
    );
  });
});
