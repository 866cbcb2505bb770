// The newest of what a server printed beside the protocol, for people.
import { StringDecoder } from 'node:string_decoder';
import { visibleText } from './cleanText';

/** Characters kept. */
const keptChars = 64_000;
/** Shown of a stray line. */
const strayChars = 500;

export class ServerOutput {
  private readonly decoder = new StringDecoder('utf8');
  private kept = '';
  private dropped = 0;

  add(chunk: Buffer): void {
    this.append(this.decoder.write(chunk));
  }

  /** Text on the protocol stream that is no message. */
  stray(line: Buffer): void {
    const text = line
      .toString('utf8', 0, strayChars * 4)
      .trimEnd()
      .slice(0, strayChars);
    this.ownLine(`[skipped on the protocol stream] ${text}`);
  }

  /** A line of Gatehouse's own. */
  note(text: string): void {
    this.ownLine(`[gatehouse] ${text}`);
  }

  /** Plain text without escape sequences and unseen characters. */
  get text(): string {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for
    return visibleText(this.kept.replaceAll(/\u001b(\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(\u0007|\u001b\\)?|.)/g, ''));
  }

  get droppedChars(): number {
    return this.dropped;
  }

  /** The last line that says something, for a reason in words. */
  get lastLine(): string {
    const lines = this.text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('['));
    return (lines.at(-1) ?? '').trim().slice(0, 300);
  }

  private ownLine(text: string): void {
    this.append(`${this.kept === '' || this.kept.endsWith('\n') ? '' : '\n'}${text}\n`);
  }

  private append(text: string): void {
    const all = this.kept + text;
    const over = all.length - keptChars;
    // Cut with some room, so that not every line moves the whole text.
    if (over > keptChars / 4) {
      this.kept = all.slice(over);
      this.dropped += over;
    } else this.kept = all;
  }
}
