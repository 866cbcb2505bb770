// The chat as a person finds it: by roles and names, never by class.
import { expect, type Locator, type Page } from '@playwright/test';

type AskButton = 'Deny' | 'Allow once' | 'For this session' | 'Always allow…' | 'Save and connect';
type ModeLabel = 'Default' | 'Accept edits' | 'Plan' | 'Bypass' | 'Auto';
/** Names of the places a rule can be saved to. */
const places = { session: 'This session', local: 'Only me, here', project: 'Project, shared', user: 'All my projects' };

export class ChatPage {
  readonly composer: Locator;
  readonly conversation: Locator;
  /** The docked ask: an alert dialog when it has the focus, a named group when not. */
  readonly ask: Locator;
  readonly liveOutput: Locator;
  readonly sessionList: Locator;
  readonly alwaysStep: AlwaysStep;
  private readonly stopButton: Locator;

  constructor(readonly page: Page) {
    const name = /^(?:Permission required: |Network access required: |The model has a question)/;
    this.composer = page.getByRole('textbox', { name: 'Message' });
    this.conversation = page.getByRole('log');
    this.ask = page.getByRole('alertdialog', { name }).or(page.getByRole('group', { name }));
    this.liveOutput = page.getByRole('group', { name: 'Live output' });
    this.sessionList = page.getByRole('complementary', { name: 'Sessions' });
    this.alwaysStep = new AlwaysStep(this.ask);
    this.stopButton = page.getByRole('button', { name: 'Stop', exact: true }).last();
  }

  /** Waits until a message can be written. */
  async begin(): Promise<void> {
    await expect(this.composer).toBeVisible();
  }

  async send(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press('Enter');
    await expect(this.composer).toHaveValue('');
  }

  /** Presses a button of the waiting ask as soon as it may be pressed. A denial of a call has a second step, left empty here. */
  async answer(button: AskButton): Promise<void> {
    const aboutHost = (await this.ask.getAttribute('aria-label'))?.startsWith('Network') === true;
    await this.press(button);
    if (button === 'Deny' && !aboutHost) {
      await expect(this.ask.getByRole('textbox', { name: 'Words for the model' })).toBeVisible();
      await this.press('Deny');
    }
  }

  /** Denies with words for the model. */
  async denyWith(words: string): Promise<void> {
    await this.press('Deny');
    await this.ask.getByRole('textbox', { name: 'Words for the model' }).fill(words);
    await this.press('Deny');
  }

  /** Chooses an option of a question and sends the answer. */
  async choose(option: string): Promise<void> {
    await this.ask.getByText(option, { exact: true }).click();
    await this.press('Answer');
  }

  /** The button at the head of a card; its name says tool, summary and state. */
  card(name: RegExp): Locator {
    return this.conversation.getByRole('button', { name });
  }

  async stop(): Promise<void> {
    await this.stopButton.click();
  }

  /** Waits until nothing runs. */
  async idle(): Promise<void> {
    await expect(this.stopButton).toBeHidden({ timeout: 30_000 });
  }

  async setMode(mode: ModeLabel): Promise<void> {
    await this.page.getByRole('button', { name: /^Permission mode: / }).click();
    await this.page.getByRole('menuitemradio', { name: new RegExp(`^${mode}`) }).click();
  }

  async chooseModel(label: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Model: / }).click();
    await this.page.getByRole('menuitemradio', { name: new RegExp(`^${label}`) }).click();
  }

  /** Takes a queued message back. */
  async unqueue(text: string): Promise<void> {
    await this.page.getByRole('button', { name: `Remove from the queue: ${text}` }).click();
  }

  private async press(button: string | RegExp): Promise<void> {
    const target = this.ask.getByRole('button', { name: button, exact: typeof button === 'string' });
    await expect(target).toBeVisible({ timeout: 20_000 });
    await expect(target).not.toHaveAttribute('aria-disabled', 'true');
    await target.click();
  }
}

/** The second step of "Always allow…". */
class AlwaysStep {
  constructor(private readonly ask: Locator) {}

  /** The rule that is proposed first. */
  suggestedRule(): Promise<string> {
    return this.ask.getByRole('textbox', { name: 'Rule, as it will be saved' }).inputValue();
  }

  /** Chooses another of the proposed rules. */
  async choose(rule: RegExp): Promise<void> {
    await this.ask.getByRole('radio', { name: rule }).click();
  }

  async save(place: keyof typeof places): Promise<void> {
    await this.ask.getByRole('radio', { name: places[place] }).click();
    const button = this.ask.getByRole('button', { name: 'Save and run', exact: true });
    // What comes late arms the button anew, and a click in that moment is meant to do nothing.
    await expect(async () => {
      if (!(await button.isVisible())) return;
      await expect(button).not.toHaveAttribute('aria-disabled', 'true');
      await button.click();
      await expect(button).toBeHidden({ timeout: 2_000 });
    }).toPass({ timeout: 30_000 });
  }
}
