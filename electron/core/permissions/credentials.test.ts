import { expect, test } from 'vitest';
import { holdsCredential } from './credentials';

test.each([
  ['an API key', 'Bash(X=sk-ant-api03-abcdefgh run)'],
  ['a token of a code host', 'Bash(git clone https://ghp_abcdefghijklmnop@x.example/r)'],
  ['a fine-grained one', 'Bash(echo github_pat_11ABCDEFG0123456789)'],
  ['a token of a registry', 'Bash(npm_abcdefghijklmnop)'],
  ['a cloud key id', 'Bash(aws AKIAIOSFODNN7EXAMPLE)'],
  ['a web token', 'Bash(curl eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc)'],
  ['a private key', 'Bash(echo "-----BEGIN RSA PRIVATE KEY-----")'],
  ['a password in an address', 'Bash(psql postgres://me:hunter2@db/x)'],
  ['a password option', 'Bash(login --password hunter22)'],
  ['a password variable', 'Bash(PGPASSWORD=hunter22 psql)'],
  ['an environment secret', 'Bash(CLIENT_SECRET=abcd run)'],
  ['a header', 'Bash(curl -H "Authorization: Bearer abcdefgh" x)'],
  ['a key header', 'Bash(curl -H "x-api-key: abcdefgh" x)'],
  ['user and password for curl', 'Bash(curl -u me:hunter2 https://x.example)'],
  ['the same written out', 'Bash(curl --user=me:hunter2 https://x.example)'],
  ['a database password', 'Bash(mysql -u root -phunter2)'],
  ['a login helper', 'Bash(sshpass -p hunter2 ssh x)'],
  ['a long hexadecimal number', 'Bash(run 0123456789abcdef0123456789abcdef)'],
  ['a long random word', 'Bash(run Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYg==)'],
])('%s is one', (_name, text) => {
  expect(holdsCredential(text)).toBe(true);
});

test.each([
  'Bash(npm run build:prod)',
  'Bash(git commit -m "Fix the bucket")',
  'Bash(docker run -u 1000:1000 x)',
  'Bash(git checkout 3f2a91c)',
  'Bash(curl -u)',
  'Bash(mkdir -p src)',
  'Bash(mysql -u root)',
  'Read(/src/authentication/passwordReset.ts)',
  'Edit(//srv/very/long/path/of/folders/that/goes/on/and/on/index.ts)',
  'WebFetch(domain:docs.example.org)',
  'Bash(cargo test --all-features --workspace --no-fail-fast)',
])('%s is none', (text) => {
  expect(holdsCredential(text)).toBe(false);
});

test('long hostile texts are judged in time', () => {
  const started = performance.now();
  holdsCredential('curl -u '.repeat(2_000));
  holdsCredential('mysql a '.repeat(2_000));
  holdsCredential('password '.repeat(2_000));
  expect(performance.now() - started).toBeLessThan(1_000);
});
