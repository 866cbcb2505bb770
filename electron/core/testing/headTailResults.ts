import { boundContent } from '../results/bound';
import type { ResultStore } from '../results/resultStore';

// For tests: a store without a disk.

/** Keeps nothing: a result that is too long loses its middle. */
export function headTailResults(folder: string): ResultStore {
  return {
    folder,
    outputFile: () => Promise.resolve(null),
    process: ({ content, maxChars }) => Promise.resolve({ content: boundContent(content, maxChars) }),
    isResultFile: () => false,
    sessionFolder: () => null,
  };
}
