import { boundContent } from './bound';
import type { ResultStore } from './resultStore';

/** Keeps nothing: a result that is too long loses its middle. */
export function headTailResults(folder: string): ResultStore {
  return {
    folder,
    outputFile: () => Promise.resolve(null),
    process: ({ content, maxChars }) => Promise.resolve({ content: boundContent(content, maxChars) }),
    isResultFile: () => false,
  };
}
