// What a line of the person's says, without what the program wrote around it.

/** `said` by the person; `told` to the model beside it; `shown` by a command of the program. */
export interface UserText {
  readonly said: string;
  readonly told: readonly string[];
  readonly shown: string;
}

const reminder = /<system-reminder>([\s\S]*?)<\/system-reminder>/g;
const command = /<command-name>([\s\S]*?)<\/command-name>/;
const args = /<command-args>([\s\S]*?)<\/command-args>/;
const output = /^\s*<local-command-(?:stdout|stderr)>([\s\S]*?)<\/local-command-(?:stdout|stderr)>\s*$/;
/** What stands where a message would when a turn was stopped. */
const interruption = /^\s*\[Request interrupted by user[^\]]*\]\s*$/;
const sequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are made of them.
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]+[0-~]|[0-Z\\^-~])/g;

export const isInterruption = (text: string): boolean => interruption.test(text);

/** The text without escape sequences. */
export const plain = (text: string): string => text.replace(sequence, '');

/** Takes a text apart. */
export function userText(text: string): UserText {
  const told: string[] = [];
  const rest = text.replace(reminder, (_whole, inner: string) => {
    told.push(inner.trim());
    return '';
  });
  const printed = output.exec(rest);
  if (printed !== null) return { said: '', told, shown: plain(printed[1] ?? '').trim() };
  const name = command.exec(rest)?.[1]?.trim();
  if (name !== undefined && name !== '') {
    const given = args.exec(rest)?.[1]?.trim() ?? '';
    const typed = name.startsWith('/') ? name : `/${name}`;
    return { said: given === '' ? typed : `${typed} ${given}`, told, shown: '' };
  }
  return { said: rest.trim(), told, shown: '' };
}
