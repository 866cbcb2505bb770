// The chat as a person finds it: by roles and names, never by class.
import { expect, type Locator, type Page } from '@playwright/test';

export type AskButton = 'Deny' | 'Allow once' | 'Always allow…';

export class ChatPage {
  readonly composer: Locator;
  readonly conversation: Locator;
  readonly ask: Locator;
  readonly stopButton: Locator;

  constructor(readonly page: Page) {
    this.composer = page.getByRole('textbox', { name: 'Message' });
    this.conversation = page.getByRole('log');
    this.ask = page.getByRole('alertdialog').or(page.getByRole('region', { name: /permission required|question/i }));
    this.stopButton = page.getByRole('button', { name: 'Stop', exact: true });
  }

  /** Waits until a message can be written. */
  async ready(): Promise<void> {
    await expect(this.composer).toBeVisible();
  }

  async send(text: string): Promise<void> {
    await this.ready();
    await this.composer.fill(text);
    await this.composer.press('Enter');
    await expect(this.composer).toHaveValue('');
  }

  /** Presses a button of the waiting ask as soon as it may be pressed. */
  async answer(button: AskButton): Promise<void> {
    const target = this.ask.getByRole('button', { name: button, exact: true });
    await expect(target).toBeVisible({ timeout: 20_000 });
    await expect(target).not.toHaveAttribute('aria-disabled', 'true');
    await target.click();
  }

  /** The button on a card, whose name says tool, summary and state. */
  card(name: RegExp): Locator {
    return this.conversation.getByRole('button', { name });
  }

  /** Waits until nothing runs. */
  async idle(): Promise<void> {
    await expect(this.stopButton).toBeHidden({ timeout: 30_000 });
  }
}
