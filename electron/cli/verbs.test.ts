import { expect, it } from 'vitest';
import { memoryHost } from './testing/memoryHost';

it('says what it can do', async () => {
  const { code, out } = await memoryHost().run('--help');
  expect(code).toBe(0);
  expect(out).toContain('gatehouse check --tool NAME --input JSON');
});

it('refuses a command line without a verb, or with one that is not there', async () => {
  const host = memoryHost();
  expect((await host.run()).code).toBe(3);
  const { code, err } = await host.run('chek');
  expect(code).toBe(3);
  expect(err).toContain(
    'There is no command “chek”. Known: run, trace, export, check, lint, test, diff, replay, doctor.',
  );
});
