import { useEffect, useState } from 'react';
import { type CodeToken, highlight } from './highlight';

/** Code that still streams in is not coloured before it has been still this long. */
const settleMs = 120;

/** Coloured lines of `code`, or null until they are there (or for ever, where there are no colours for it). */
export function useHighlight(code: string, language: string | undefined): CodeToken[][] | null {
  const [result, setResult] = useState<{ readonly code: string; readonly lines: CodeToken[][] | null } | null>(null);
  useEffect(() => {
    if (language === undefined || language === '') return;
    let wanted = true;
    const timer = setTimeout(() => {
      highlight(code, language).then(
        (lines) => wanted && setResult({ code, lines }),
        // A grammar that cannot be loaded costs the colours only.
        () => wanted && setResult({ code, lines: null }),
      );
    }, settleMs);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [code, language]);
  return result?.code === code ? result.lines : null;
}
