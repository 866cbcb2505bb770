// Text in a user message that the person did not write, marked so that the model can tell.

const tag = 'gatehouse-context';

/** Marks text of a hook or of the workspace. It cannot end its own mark or begin another one. */
export function contextText(from: string, text: string): string {
  const source = from.replaceAll(/[<>"&\s]+/g, ' ').trim();
  const inner = text.replaceAll(new RegExp(`<(?=/?\\s*${tag})`, 'gi'), '&lt;');
  return `<${tag} source="${source}">\n${inner}\n</${tag}>`;
}

/** Stands for everything that the model is no longer shown word for word. */
export function summaryText(summary: string): string {
  return contextText('summary of the conversation so far', summary);
}
