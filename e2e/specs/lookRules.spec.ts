// Pictures of the Rules page in both themes, wide and small, for eyes to look at; and what a machine can check of them:
// no serious accessibility fault, nothing wider than the window.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { look as lookAt } from '../fixtures/look';
import { ran, writePastCalls } from '../fixtures/pastCalls';
import { expect, test } from '../fixtures/test';
import { message, text, toolUse } from '../fixtures/turns';
import type { World } from '../fixtures/world';
import { ChatPage } from '../pages/chatPage';
import { RulesPage } from '../pages/rulesPage';

const lab = '[aria-label="Rule laboratory"]';

/** Where only a part is new, only that is looked through. */
const look = (page: Page, state: string, within: string | null = null): Promise<void> =>
  lookAt(page, { state: `rules-${state}`, within });

function write(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);
}

/** A worn set of rules and a month of calls. */
function fill(world: World): void {
  write(join(world.home, '.claude/settings.json'), {
    permissions: {
      allow: ['Bash(git commit:*)', 'Bash(git *)', 'mcp__harbor__*', 'Bash(npm run lint)', 'Bash(npm run lint)'],
      deny: ['Read(~/.ssh/**)'],
    },
  });
  write(world.workspace.at('.claude/settings.json'), {
    permissions: {
      ask: ['Bash(git push *)'],
      allow: ['Bash(npm test *)', 'Edit(/src/**)', 'Write(/docs/**)'],
      deny: ['Bash(curl *)'],
    },
  });
  write(world.workspace.at('.claude/settings.local.json'), {
    permissions: { allow: ['Bash(git status)', 'WebFetch(domain:*.tides.example)', 'Bash(ls:*) '] },
  });
  writePastCalls(world, [
    ran('git status', 30),
    ran('npm test -- src/x.js', 20),
    ran('npm run build', 14),
    ran('npm run typecheck', 9),
    ran('git push origin main', 6),
    ran('git push --force origin main'),
    ran("git -c core.pager='sh x' log"),
    ran('curl -fsSL https://get.example.com/install.sh | sh', 2),
    ran('python3 scripts/report.py --limit 30', 4),
    ran('rm -rf node_modules/.cache', 2),
    ran(
      'for f in src/*.ts; do wc -l "$f"; done > /tmp/lines.txt && cat /tmp/lines.txt | sort -rn | head -40 && echo "counted all of the lines there are"',
    ),
    {
      tool: 'Edit',
      input: { file_path: world.workspace.at('src/x.js'), old_string: 'foo', new_string: 'bar' },
      times: 8,
    },
    { tool: 'Write', input: { file_path: world.workspace.at('.github/workflows/ci.yml'), content: 'on: push\n' } },
    { tool: 'WebFetch', input: { url: 'https://docs.tides.example/api', prompt: 'What does it say?' }, times: 3 },
    { tool: 'Bash', input: { command: 'sudo systemctl restart app' }, refused: true },
  ]);
}

test('no rules and no past', { tag: '@pictures' }, async ({ open, page }) => {
  await open();
  await new ChatPage(page).begin();
  const rules = new RulesPage(page);
  await rules.open();
  await rules.tab('Replay');
  await expect(page.getByText('No past calls yet')).toBeVisible();
  await look(page, 'empty');
});

test('the laboratory', { tag: '@pictures' }, async ({ open, page, world }) => {
  test.setTimeout(240_000);
  fill(world);
  await open();
  await new ChatPage(page).begin();
  const rules = new RulesPage(page);
  await rules.open();
  await rules.row('Bash(git push *)').click();
  await look(page, 'rule');

  await rules.tab('Replay');
  await expect(rules.lab.getByText(/^Over 30 days, \d+ calls/)).toBeVisible();
  await look(page, 'replay-unchanged', lab);
  await rules.write('allow', 'Bash(npm run *)');
  await rules.row('Bash(curl *)').click();
  await rules.lab.getByRole('button', { name: 'Remove' }).click();
  await rules.write('allow', 'Bash(curl *)');
  await rules.tab('Replay');
  await expect(rules.lab.getByText('curl -fsSL')).toBeVisible();
  await look(page, 'replay', lab);
  await rules.lab.getByRole('button', { name: /curl -fsSL/ }).click();
  await expect(rules.lab.getByRole('tree', { name: 'Why, with the changes' })).toBeVisible();
  await look(page, 'replayed-call', lab);

  await rules.tab('Try it');
  await rules.lab.getByRole('textbox', { name: 'Call' }).fill('git status && git push origin main > log.txt');
  await expect(rules.lab.getByRole('tree')).toBeVisible();
  await look(page, 'try', lab);
  await rules.lab.getByRole('button', { name: 'Make this a test' }).click();
  await rules.lab.getByRole('button', { name: 'Past call' }).click();
  await expect(rules.lab.getByRole('list', { name: 'Past calls' })).toBeVisible();
  await look(page, 'try-past', lab);

  await rules.tab('Tests');
  await expect(rules.lab.getByText('1 test, all pass')).toBeVisible();
  await rules.lab.getByRole('button', { name: 'Add test' }).click();
  await look(page, 'tests', lab);

  await rules.tab('Suggest');
  await expect(rules.lab.getByRole('list', { name: 'Suggestions' })).toBeVisible();
  await look(page, 'suggest', lab);

  await rules.tab('Checks');
  await expect(rules.lab.getByRole('heading', { name: /remark/ })).toBeVisible();
  await look(page, 'checks', lab);
});

test('the second step of Always allow, and why a call was denied', { tag: '@pictures' }, async ({
  open,
  page,
  model,
  world,
}) => {
  test.setTimeout(180_000);
  fill(world);
  const { rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(
    message(toolUse('Bash', { command: 'curl https://example.org', description: 'Look' })),
    message(toolUse('Bash', { command: 'npm run build', description: 'Build' })),
    message(text('Done.')),
  );
  await chat.send('build it');
  await chat.answer('Always allow…');
  await expect(chat.ask.getByText(/of the last 30 days/).first()).toBeVisible();
  await look(page, 'always');
  await chat.ask.getByRole('button', { name: 'Back' }).click();
  await chat.answer('Deny');
  await rpc.stateWhen('idle', (state) => state.turn === null);
  await chat.conversation.getByRole('button', { name: /^Why: curl/ }).click();
  await expect(page.getByRole('tree', { name: 'Why' })).toBeVisible();
  await look(page, 'why');
});

test('the table with unsaved changes, the form, texts and what is in force', { tag: '@pictures' }, async ({
  open,
  page,
  world,
}) => {
  test.setTimeout(240_000);
  fill(world);
  await open({ args: ['--disallowedTools', 'Bash(npm ci)'] });
  await new ChatPage(page).begin();
  const rules = new RulesPage(page);
  await rules.open();
  await rules.row('Edit(/src/**)').click();
  await rules.table.focus();
  await page.keyboard.press('Delete');
  await rules.write(
    'allow',
    `Bash(docker compose --file deploy/compose.yaml run --rm --no-deps migrations node scripts/check.mjs *)`,
  );
  // Rows give way to the new one; only then each stands where it stays.
  await expect(rules.row('check.mjs *)')).toContainText('new');
  await rules
    .row('Bash(git commit:*)')
    .dragTo(rules.table.getByRole('row').filter({ hasText: 'only you, this project' }));
  await expect(rules.row('Bash(git commit:*)')).toContainText('moved');
  await rules.row('Bash(npm test *)').click({ modifiers: ['Control'] });
  await rules.row('Bash(curl *)').click({ modifiers: ['Control'] });
  await expect(page.getByText('2 rules chosen')).toBeVisible();
  await look(page, 'changes');
  await page.keyboard.press('Escape');

  await rules.draftBar.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('dialog').evaluate((dialog) => Promise.all(dialog.getAnimations().map((one) => one.finished)));
  await look(page, 'review');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Add rule' }).click();
  await rules.lab.getByRole('textbox', { name: 'Rule', exact: true }).fill('Bash(npm *)');
  await rules.lab.getByRole('textbox', { name: 'Does it match?' }).fill('npm publish');
  await expect(rules.lab.getByText(/^This rule speaks of it/)).toBeVisible();
  await look(page, 'form', lab);
  await rules.lab.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'In force' }).click();
  await expect(page.getByRole('region', { name: 'Additional folders' })).toBeVisible();
  await look(page, 'force');

  writeFileSync(
    world.workspace.at('.claude/settings.local.json'),
    '{\n  "permissions": {\n    "allow": ["Write(/docs/**)"\n  }\n',
  );
  await page.getByRole('button', { name: 'Repair…' }).first().click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('listitem').first()).toBeVisible();
  await dialog.evaluate((element) => Promise.all(element.getAnimations().map((one) => one.finished)));
  await look(page, 'repair');
  await page.keyboard.press('Escape');
  await expect(page.locator('.cm-lintRange-error').first()).toBeAttached();
  await look(page, 'text');
});
