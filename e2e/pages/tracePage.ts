// The Trace page as a person finds it.
import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';

export class TracePage {
  readonly calls: Locator;
  readonly filter: Locator;
  readonly details: Locator;
  readonly dialog: Locator;

  constructor(private readonly page: Page) {
    this.calls = page.getByRole('grid', { name: 'Calls' });
    this.filter = page.getByRole('combobox', { name: 'Filter calls' });
    this.details = page.getByRole('complementary', { name: 'Details of the call' });
    this.dialog = page.getByRole('dialog', { name: 'Export trace' });
  }

  async open(): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('button', { name: 'Trace', exact: true })
      .click();
    await expect(this.page.getByRole('heading', { name: 'Trace', level: 1 })).toBeVisible();
  }

  row(text: string | RegExp): Locator {
    return this.calls.getByRole('row').filter({ hasText: text });
  }

  /** The bars of one kind in a row. */
  bars(row: Locator, kind: 'early' | 'preHook' | 'permission' | 'waiting' | 'execution'): Locator {
    return row.locator(`[data-kind="${kind}"]`);
  }

  async view(name: 'Waterfall' | 'List' | 'Totals'): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click();
  }

  async tab(name: 'Steps' | 'Why' | 'Hooks' | 'Input' | 'Output'): Promise<void> {
    await this.details.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
  }

  /** Saves the export that the dialog previews, and reads the file. */
  async saved(): Promise<{ readonly name: string; readonly text: string }> {
    const saving = this.page.waitForEvent('download');
    await this.dialog.getByRole('button', { name: 'Save file' }).click();
    const download = await saving;
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
  }
}
