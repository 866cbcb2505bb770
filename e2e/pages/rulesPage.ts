// The Rules page as a person finds it.
import { expect, type Locator, type Page } from '@playwright/test';

type Tab = 'Rule' | 'Try it' | 'Replay' | 'Tests' | 'Suggest' | 'Checks';

export class RulesPage {
  readonly table: Locator;
  /** The pane with the tabs. */
  readonly lab: Locator;
  readonly draftBar: Locator;

  constructor(private readonly page: Page) {
    this.table = page.getByRole('grid', { name: 'Rules' });
    this.lab = page.getByRole('region', { name: 'Rule laboratory' });
    this.draftBar = page.getByRole('region', { name: 'Unsaved changes' });
  }

  async open(): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('button', { name: /^Rules/ })
      .click();
    await expect(this.page.getByRole('heading', { name: 'Rules', level: 1 })).toBeAttached();
  }

  async backToChat(): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: /^Chat/ }).click();
  }

  async tab(name: Tab): Promise<void> {
    await this.page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
  }

  row(rule: string): Locator {
    return this.table.getByRole('row').filter({ hasText: rule });
  }

  /** Opens the form of a new rule and adds it to the draft. */
  async write(verdict: 'allow' | 'ask' | 'deny', rule: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Add rule' }).click();
    await this.lab.getByRole('radio', { name: verdict }).check({ force: true });
    await this.lab.getByRole('textbox', { name: 'Rule' }).fill(rule);
    await this.lab.getByRole('button', { name: 'Add to the draft' }).click();
    await expect(this.draftBar).toBeVisible();
  }
}
