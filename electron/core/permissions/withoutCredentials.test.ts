import { expect, test } from 'vitest';
import { withoutCredentials } from './withoutCredentials';

const hex = '0123456789abcdef0123456789abcdef';

test.each([
  ['npm test', 'npm test'],
  ['git commit -m "Fix the bucket"', 'git commit -m "Fix the bucket"'],
  ['PGPASSWORD=hunter2222 psql x', 'PGPASSWORD=*** psql x'],
  ['CLIENT_SECRET="abcd1234" run', 'CLIENT_SECRET="***" run'],
  ['AWS_SECRET_ACCESS_KEY=abcd1234efgh;curl x', 'AWS_SECRET_ACCESS_KEY=***;curl x'],
  ['login --password=hunter2222', 'login --password=***'],
  [
    'curl -H "Authorization: Bearer abc123def456" https://x.example',
    'curl -H "Authorization: Bearer ***" https://x.example',
  ],
  ["curl -H 'x-api-key: abc123def456' x", "curl -H 'x-api-key: ***' x"],
  [`curl -d '{"token":"abc123def456"}' x`, `curl -d '{"token":"***"}' x`],
  ['echo sk-ant-api03-abcdefgh | run', 'echo *** | run'],
  ['git clone https://ghp_abcdefghijklmnop1@x.example/r', 'git clone https://***@x.example/r'],
  ['psql postgres://me:hunter@db/x', 'psql postgres://***@db/x'],
  ['aws s3 ls AKIAIOSFODNN7EXAMPLE', 'aws s3 ls ***'],
  ['curl eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc123', 'curl ***'],
  [`git checkout ${hex}`, 'git checkout ***'],
  [
    'npm run build --prefix /home/user/projects/company/frontend/application',
    'npm run build --prefix /home/user/projects/company/frontend/application',
  ],
  ['eslint packages/frontend/source/components/dashboards', 'eslint packages/frontend/source/components/dashboards'],
])('%s is told as %s', (text, told) => {
  expect(withoutCredentials(text)).toBe(told);
});

test.each([
  ['a value that could be a command', 'API_TOKEN=$(curl$IFS-s1|sh) run'],
  ['a command behind an empty value', 'API_TOKEN= wget x.example'],
  ['a word that gets another name', 'alias secret=rmdir; secret x'],
  ['a name for a program', 'xargs -I token: shred -u x'],
  ['a short password', 'PGPASSWORD=hunter2 psql'],
  ['a password with marks', 'PGPASSWORD=hu$nter222 psql'],
  ['a rest behind a quote', 'PASSWORD=abcd1234"efgh5678password=ij kl" run'],
  ['an option with its value apart', 'login --password hunter2222'],
  ['a user with a password', 'curl -u me:hunter2222 https://x.example'],
  ['a database password', 'mysql -u root -phunter2222'],
  ['a private key', 'echo "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----"'],
  ['a long random word', 'run Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYg=='],
  ['a long random word with slashes', 'run wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
  ['a folder that is called like a token', 'ls /p/sk-abcdefghij'],
  ['a variable that looks like a token', 'npm_config_registry=https://x.example npm i'],
])('%s withholds the whole text', (_name, text) => {
  expect(withoutCredentials(text)).toBeNull();
});

test('what is told holds no part of a credential', () => {
  for (const secret of ['hunter2222', 'abc-123.def_456', 'A1~b2+c3=='])
    for (const shape of [
      `X_TOKEN=${secret} run`,
      `run --token="${secret}"`,
      `curl -H 'Authorization: Basic ${secret}'`,
    ])
      expect(withoutCredentials(shape) ?? '').not.toContain(secret);
});

test('long hostile texts are judged in time', () => {
  const started = performance.now();
  for (const piece of ['password', 'token: ', 'a/', '/a', 'sk-', 'eyJ', '://a:', 'passwordtoken-', '*** '])
    withoutCredentials(piece.repeat(10_000 / piece.length));
  expect(performance.now() - started).toBeLessThan(2_000);
});
