// The Tools & MCP page as a person finds it.
import { expect, type Locator, type Page } from '@playwright/test';

export class ToolsPage {
  readonly tools: Locator;
  readonly servers: Locator;
  readonly tool: Locator;
  readonly server: Locator;
  readonly dialog: Locator;

  constructor(private readonly page: Page) {
    this.tools = page.getByRole('grid', { name: 'Tools' });
    this.servers = page.getByRole('grid', { name: 'Servers' });
    this.tool = page.getByRole('region', { name: 'Details of the tool' });
    this.server = page.getByRole('region', { name: 'Details of the server' });
    this.dialog = page.getByRole('dialog');
  }

  async open(): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('button', { name: /^Tools & MCP/ })
      .click();
    await expect(this.page.getByRole('heading', { name: 'Tools & MCP', level: 1 })).toBeAttached();
  }

  async backToChat(): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: /^Chat/ }).click();
  }

  async tab(name: 'Tools' | 'Servers'): Promise<void> {
    await this.page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
  }

  async detailTab(name: 'About' | 'Rules' | 'Run it'): Promise<void> {
    await this.tool.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
  }

  row(name: string | RegExp): Locator {
    return this.tools.getByRole('row').filter({ hasText: name });
  }

  async choose(name: string | RegExp): Promise<void> {
    await this.row(name).first().click();
  }

  async defer(choice: 'When it pays' | 'Always' | 'Never'): Promise<void> {
    await this.page.getByRole('button', { name: 'Deferral…' }).click();
    await this.page.getByRole('radio', { name: new RegExp(`^${choice}`) }).click();
    await this.page.keyboard.press('Escape');
  }

  /** Fills in the form for a program; the dialog stays open. */
  async fillServer(server: { readonly name: string; readonly command: string; readonly args: readonly string[] }) {
    await this.page.getByRole('button', { name: 'Add server', exact: true }).first().click();
    await this.dialog.getByLabel('Name', { exact: true }).fill(server.name);
    await this.dialog.getByLabel('Command', { exact: true }).fill(server.command);
    for (const [index, arg] of server.args.entries()) {
      await this.dialog.getByRole('button', { name: 'Add argument' }).click();
      await this.dialog.getByLabel(`Argument ${index + 1}`, { exact: true }).fill(arg);
    }
  }

  async save(): Promise<void> {
    await this.dialog.getByRole('button', { name: 'Add server', exact: true }).click();
    await expect(this.dialog).toBeHidden();
  }
}
