// The Trace page as a person finds it.
import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';

export class TracePage {
  readonly calls: Locator;
  readonly filter: Locator;
  readonly details: Locator;
  readonly dialog: Locator;
  /** Times above the bars. */
  readonly axis: Locator;
  /** Shows the whole of the time axis again. */
  readonly whole: Locator;

  constructor(private readonly page: Page) {
    this.calls = page.getByRole('grid', { name: 'Calls' });
    this.filter = page.getByRole('combobox', { name: 'Filter calls' });
    this.details = page.getByRole('complementary', { name: 'Details of the call' });
    this.axis = page.getByTitle('Drag to look closer, double-click for all');
    this.whole = page.getByRole('group', { name: 'Time axis' }).getByRole('button', { name: 'All of it' });
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

  /** Drags from one part of the axis to another, from 0 to 1; `along`: over the bars of a row instead of over the axis. */
  async drag({
    from,
    to,
    along,
  }: {
    readonly from: number;
    readonly to: number;
    readonly along?: Locator;
  }): Promise<void> {
    const axis = await this.axis.boundingBox();
    const line = along === undefined ? axis : await along.boundingBox();
    if (axis === null || line === null) throw new Error('The time axis is not in view.');
    const y = line.y + line.height / 2;
    await this.page.mouse.move(axis.x + axis.width * from, y);
    await this.page.mouse.down();
    await this.page.mouse.move(axis.x + axis.width * ((from + to) / 2), y);
    await this.page.mouse.move(axis.x + axis.width * to, y);
    await this.page.mouse.up();
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
