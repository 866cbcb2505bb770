// The Hooks page as a person finds it.
import { expect, type Locator, type Page } from '@playwright/test';

export class HooksPage {
  readonly list: Locator;
  readonly details: Locator;
  readonly trial: Locator;
  readonly dialog: Locator;

  constructor(private readonly page: Page) {
    this.list = page.getByRole('grid', { name: 'Hooks' });
    this.details = page.getByRole('region', { name: 'Details of the hook' });
    this.trial = page.getByRole('region', { name: 'Test with a past call' });
    this.dialog = page.getByRole('dialog');
  }

  async open(): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('button', { name: /^Hooks/ })
      .click();
    await expect(this.page.getByRole('heading', { name: 'Hooks', level: 1 })).toBeAttached();
  }

  /** The row of a hook, by a part of what it runs. */
  row(part: string): Locator {
    return this.list.getByRole('row').filter({ hasText: part });
  }

  /** Chooses in a list of the dialog. */
  async choose(label: string, option: string): Promise<void> {
    await this.dialog.getByRole('combobox', { name: label }).click();
    await this.page.getByRole('option', { name: option }).click();
  }
}
