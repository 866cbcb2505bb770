// The list of sessions, the search and the export as a person finds them: by roles and names, never by class.
import { type Download, expect, type Locator, type Page } from '@playwright/test';

export class SessionsPage {
  readonly list: Locator;
  readonly searchField: Locator;
  readonly finder: Locator;

  constructor(readonly page: Page) {
    this.list = page.getByRole('complementary', { name: 'Sessions' });
    this.searchField = page.getByRole('textbox', { name: 'Search in all conversations' });
    this.finder = page.getByRole('search', { name: 'Find in this conversation' });
  }

  group(name: string): Locator {
    return this.list.getByRole('region', { name, exact: true });
  }

  row(title: string): Locator {
    return this.list.locator('[data-session-row]').filter({ hasText: title });
  }

  /** Chooses from the menu of a row with the mouse. */
  async choose(title: string, action: string): Promise<void> {
    await this.row(title).hover();
    await this.list.getByRole('button', { name: `Actions for ${title}` }).click();
    await this.page.getByRole('menuitem', { name: action }).click();
  }

  /** Goes through both steps of the export that is open, and saves the file. */
  async saveExport(format: 'Markdown' | 'HTML' | 'JSON'): Promise<Download> {
    await this.page.getByRole('radio', { name: format }).check();
    await this.page.getByRole('button', { name: 'Preview…' }).click();
    const button = this.page.getByRole('button', { name: 'Save file' });
    await expect(button).toBeEnabled();
    const download = this.page.waitForEvent('download');
    await button.click();
    return download;
  }
}
