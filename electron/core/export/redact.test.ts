import { expect, it } from 'vitest';
import { createRedactor, redact } from './redact';

const places = { home: '/home/ada', folders: ['/srv/acme/tides'] };
const shownOf = (text: string): string => redact(text, places).text;

/** Made here, so that no tool that looks for keys finds one in this file. */
const made = (head: string, length = 24): string => head + 'a1B2c3D4e5F6'.repeat(9).slice(0, length);
const jwt = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxIn0', made('', 20)].join('.');
const pem = ['-----BEGIN RSA', 'PRIVATE KEY-----'].join(' ');
const pemEnd = '-----END RSA PRIVATE KEY-----';

const taken: readonly (readonly [text: string, shown: string])[] = [
  // keys by their form
  [`export K=${made('sk-ant-api03-')}`, 'export K=[api key]'],
  [`git clone https://${made('ghp_')}@github.com/a/b`, 'git clone https://[api key]@github.com/a/b'],
  [made('github_pat_', 40), '[api key]'],
  [made('sk_live_'), '[api key]'],
  [made('xoxb-'), '[api key]'],
  [made('AIza', 35), '[api key]'],
  [`id ${'AKIA'}IOSFODNN7EXAMPLE`, 'id [api key]'],
  [`first line\\n${made('glpat-')}`, 'first line\\n[api key]'],
  // tokens
  [`Authorization: Bearer ${made('')}`, 'Authorization: Bearer [token]'],
  [`-H "authorization: basic ${made('', 16)}=="`, '-H "authorization: basic [token]"'],
  [`the token was ${jwt}.`, 'the token was [token].'],
  [`Cookie: sid=abc; theme=dark\nnext`, 'Cookie: [cookie]\nnext'],
  // private keys
  [`${pem}\nMIIE\nabc=\n${pemEnd}\nafter`, '[private key]\nafter'],
  [`"${pem}\\nMIIE\\nabc=\\n${pemEnd}\\n"`, '"[private key]\\n"'],
  [`${pem}\nMIIEcutoff`, '[private key]'],
  // passwords in addresses and given to programs
  ['psql postgres://tides:low@water@db:5432/x', 'psql postgres://tides:[password]@db:5432/x'],
  ['redis://:s3cret@cache', 'redis://:[password]@cache'],
  ['curl -s -u ada:hunter2 https://x', 'curl -s -u ada:[password] https://x'],
  ['mysql -u root -phunter2 tides', 'mysql -u root -p[password] tides'],
  ['sshpass -p hunter2 ssh x', 'sshpass -p [password] ssh x'],
  ['deploy --password hunter2 --force', 'deploy --password [password] --force'],
  ["deploy --db-password='low water' x", "deploy --db-password='[password]' x"],
  // assignments
  ['PGPASSWORD=lowwater psql', 'PGPASSWORD=[password] psql'],
  ['DB_PASSWORD: "low water"', 'DB_PASSWORD: "[password]"'],
  ['password = "lowwater"', 'password = "[password]"'],
  ['Password: hunter2', 'Password: [password]'],
  ['{\\"password\\":\\"lowwater\\"}', '{\\"password\\":\\"[password]\\"}'],
  ['{"dbPassword":"lowwater","port":1}', '{"dbPassword":"[password]","port":1}'],
  [`API_TOKEN=${made('')}`, 'API_TOKEN=[secret]'],
  [`client_secret: '${made('', 20)}'`, "client_secret: '[secret]'"],
  [`"apiKey": "${made('', 12)}"`, '"apiKey": "[secret]"'],
  [`AWS_SECRET_ACCESS_KEY=${made('', 20)}/${made('', 18)}`, 'AWS_SECRET_ACCESS_KEY=[secret]'],
  [`x-api-key: ${made('', 32)}`, 'x-api-key: [secret]'],
  [`https://x/y?a=1&token=${made('')}&b=2`, 'https://x/y?a=1&token=[secret]&b=2'],
  [`url=https://x/?access_token=${made('')}`, 'url=https://x/?access_token=[secret]'],
  [`token="${made('', 30)}`, 'token="[secret]'],
  // persons and places
  ['Ada <ada.lovelace+x@tides.co.uk> wrote', 'Ada <[e-mail]> wrote'],
  ['cd /home/ada/code && ls', 'cd ~/code && ls'],
  ['in /home/ada, all', 'in ~, all'],
  ['see /srv/acme/tides/src/a.ts', 'see …/tides/src/a.ts'],
  ['/home/grace/notes', '/home/[user]/notes'],
  ['/Users/grace', '/Users/[user]'],
  ['"C:\\\\Users\\\\grace\\\\x"', '"C:\\\\Users\\\\[user]\\\\x"'],
  ['/mnt/ada/x', '/mnt/[user]/x'],
  ['projects/-home-ada-code-app/x.jsonl', 'projects/-home-[user]-code-app/x.jsonl'],
  ['ada@laptop:~$ ls', '[user]@laptop:~$ ls'],
  ['-I/home/ada/include', '-I/home/[user]/include'],
];

const left: readonly string[] = [
  'const token = tokens[i1];',
  'password: string;',
  'password: SecretStr',
  'function login(password: string, token: Token) {}',
  'password = os.environ["DB"]',
  'password = req.body.password',
  'PASSWORD=$DB_PASSWORD x',
  'password: "<your password>"',
  'Password: must be long',
  'token: string',
  'token: Base64String',
  'maxTokens=4096, input_tokens: 12345678',
  'tokenCount=1234567890123456a',
  'secretName: tides-tls-2026a1',
  'TOKEN_FILE=/run/secrets/tides1',
  'tests pass: 12, bypass: true',
  'the bearer of bad news, Basic authentication',
  'PWD=/srv/app',
  'import { secret } from "./secret"',
  'npm_config_registry=https://registry.npmjs.org',
  'hf_hub_download sk-learn-estimators pypi-attestations-0.0.28',
  'commit 3bca962b0f2d4c6e8a1b3c5d7e9f0a1b2c3d4e5f',
  'sha512-9dTnXk0b1mZb6h7JmWvKc5uU0cQe9oV8k3vYc1Zt7b5xk1N8Rk8uTg==',
  '8f14e45f-ceea-467f-a0e6-3c1b9d2e7f10',
  'http://localhost:3000/@vite/client',
  'https://user:$PASS@host/',
  'git@github.com:tides/app.git, noreply@tides.org',
  'react@18.2.0 @scope/pkg@1.2.3 icon@2x.png getty@tty1.service ada@example.com',
  '/home/user/x src/home/index.ts',
  '/srv/acme/tides-old/x',
  '/tmp/x ~/code ./home/x',
  'ada went home',
  'curl -u "$USER:$PASS" https://x',
  '',
];

it.each(taken)('takes out of %j', (text, shown) => {
  expect(shownOf(text)).toBe(shown);
});

it.each(left)('leaves %j as it is', (text) => {
  expect(redact(text, places)).toEqual({ text, redactions: [] });
});

it.each(taken)('finds nothing more in what it made of %j', (text) => {
  const once = shownOf(text);
  expect(redact(once, places)).toEqual({ text: once, redactions: [] });
});

it('counts by kind and shows one place of each, never the secret', () => {
  const text = `first\nPGPASSWORD=lowwater psql -h db # in /home/ada/x\n/home/ada/y ${made('ghp_')}`;
  expect(redact(text, places)).toEqual({
    text: 'first\nPGPASSWORD=[password] psql -h db # in ~/x\n~/y [api key]',
    redactions: [
      { kind: 'home folder', count: 2, sample: 'WORD=[password] psql -h db # in ~/x' },
      { kind: 'password', count: 1, sample: 'PGPASSWORD=[password] psql -h db # in ~/x' },
      { kind: 'api key', count: 1, sample: '~/y [api key]' },
    ],
  });
});

it('looks at data by the names of its fields, and leaves the data itself alone', () => {
  const redactor = createRedactor(places);
  const value = {
    password: 'low water',
    apiKey: made('', 20),
    env: [{ name: 'API_TOKEN', value: made('') }],
    file: '/home/ada/x',
    tokens: 12,
    nested: { text: `run\nBearer ${made('')}`, none: null, yes: true },
  };
  const before = structuredClone(value);
  expect(redactor.value(value)).toEqual({
    password: '[password]',
    apiKey: '[secret]',
    env: [{ name: 'API_TOKEN', value: '[secret]' }],
    file: '~/x',
    tokens: 12,
    nested: { text: 'run\nBearer [token]', none: null, yes: true },
  });
  expect(value).toEqual(before);
  expect(redactor.redactions().map(({ kind, count }) => [kind, count])).toEqual([
    ['secret', 2],
    ['password', 1],
    ['home folder', 1],
    ['token', 1],
  ]);
});

it('knows a home folder of another system however it is written', () => {
  const windows = { home: 'C:\\Users\\Ada', folders: [] };
  for (const text of ['C:\\Users\\Ada\\x', 'c:\\\\users\\\\ada\\\\x', 'C:/Users/Ada/x'])
    expect(redact(text, windows).text).toMatch(/^~[\\/]+x$/);
  expect(redact('/root/x', { home: '/root', folders: [] }).text).toBe('~/x');
});

const hostile: readonly (readonly [what: string, piece: string])[] = [
  ['names', 'token='],
  ['quoted names', 'token="'],
  ['dashes', '-token'],
  ['heads of tokens', 'eyJaaaaaaaa-'],
  ['heads of keys', '-----BEGIN PRIVATE KEY-----'],
  ['addresses', '://a:b'],
  ['persons', 'a.a@'],
  ['dots', 'a@a.'],
  ['programs', 'curl mysql '],
  ['homes', '/home/'],
  ['blanks', 'password = '],
  ['one letter', 'a'],
  ['base64', 'QUJD'],
  ['backslashes', '\\\\'],
];

it.each(hostile)('takes twice the time for twice the text: %s', (_, piece) => {
  // The processor's time, because others are at work on this machine as well.
  const time = (length: number): number => {
    const text = piece.repeat(Math.ceil(length / piece.length));
    const took = [0, 1, 2].map(() => {
      const before = process.cpuUsage();
      redact(text, places);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    });
    return Math.min(...took) / 1_000;
  };
  time(10_000);
  // Four times the text: about four times the time, sixteen times if it were the square.
  expect(time(80_000) / Math.max(time(20_000), 4)).toBeLessThan(10);
});
