import type { ResultBlock } from '#shared/session/events';

/**
 * Keeps a result within `maxChars` characters of text by leaving out the middle, and says how much. Never cuts
 * inside a surrogate pair. Infinity leaves it whole.
 */
export function boundContent(content: readonly ResultBlock[], maxChars: number): readonly ResultBlock[] {
  return content.map((block) => (block.type === 'text' ? { ...block, text: boundText(block.text, maxChars) } : block));
}

/** Head and tail of a text, three quarters to the head. */
export function boundText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const headEnd = safeCut(text, Math.floor(maxChars * 0.75));
  const tailStart = safeCut(text, text.length - Math.floor(maxChars * 0.25));
  const hidden = tailStart - headEnd;
  return `${text.slice(0, headEnd)}\n… ${hidden.toLocaleString('en')} characters left out …\n${text.slice(tailStart)}`;
}

function safeCut(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
