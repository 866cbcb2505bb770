// The settings as a person finds them.
import { expect, type Locator, type Page } from '@playwright/test';

export class SettingsPage {
  readonly baseUrl: Locator;
  readonly saveBaseUrl: Locator;
  readonly key: Locator;
  readonly outcome: Locator;

  constructor(private readonly page: Page) {
    this.baseUrl = page.getByRole('textbox', { name: 'Base URL' });
    this.saveBaseUrl = page
      .locator('form')
      .filter({ has: this.baseUrl })
      .getByRole('button', { name: 'Save', exact: true });
    this.key = page.getByLabel(/API key$/);
    this.outcome = page.getByRole('status').filter({ hasText: /^It (?:works|does not work)\./ });
  }

  async open(): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('button', { name: /^Settings/ })
      .click();
    await expect(this.page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  }

  async setBaseUrl(url: string): Promise<void> {
    await this.baseUrl.fill(url);
    await this.saveBaseUrl.click();
    await expect(this.saveBaseUrl).toBeDisabled();
  }

  async setKey(key: string): Promise<void> {
    await this.key.fill(key);
    await this.page.getByRole('button', { name: 'Save key' }).click();
    await expect(this.key).toHaveValue('');
  }

  async test(): Promise<void> {
    await this.page.getByRole('button', { name: 'Test connection' }).click();
  }
}
