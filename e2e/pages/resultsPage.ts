// The Results page as a person finds it.
import { expect, type Locator, type Page } from '@playwright/test';

export class ResultsPage {
  /** The list of files. */
  readonly table: Locator;
  /** The pane with the file that is read. */
  readonly file: Locator;
  /** The rows of its text. */
  readonly text: Locator;
  /** Those rows when only matches show. */
  readonly matches: Locator;
  readonly search: Locator;

  constructor(private readonly page: Page) {
    this.table = page.getByRole('grid', { name: 'Results' });
    this.file = page.getByRole('region', { name: 'File' });
    this.text = this.file.getByRole('grid', { name: 'Text of the file' });
    this.matches = this.file.getByRole('grid', { name: 'Lines that match' });
    this.search = this.file.getByRole('textbox', { name: 'Search in the file' });
  }

  async open(): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('button', { name: /^Results/ })
      .click();
    await expect(this.page.getByRole('heading', { name: 'Results', level: 1 })).toBeAttached();
  }

  row(words: string): Locator {
    return this.table.getByRole('row').filter({ hasText: words });
  }

  /** A button of the pane with the file. */
  button(name: string): Locator {
    return this.file.getByRole('button', { name, exact: true });
  }

  /** The row of a text that has the number of that line. */
  line(number: number, rows: Locator = this.text): Locator {
    return rows.getByRole('row').filter({
      has: this.page.getByRole('rowheader', { name: number.toLocaleString('en'), exact: true }),
    });
  }

  /** The row that keys are about. */
  async rowOfKeys(rows: Locator): Promise<Locator> {
    const id = await rows.getAttribute('aria-activedescendant');
    return this.page.locator(`[id="${id}"]`);
  }
}
