import { useEffect, useState } from 'react';
import { useToasts } from '../../../stores/toasts';

/** Copies text; `copied` is true for a moment afterwards. */
export function useCopy(): { readonly copied: boolean; copy(text: string): void } {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  return {
    copied,
    copy(text) {
      navigator.clipboard.writeText(text).then(
        () => setCopied(true),
        () =>
          useToasts.getState().show({
            level: 'error',
            title: 'Nothing was copied.',
            text: 'The browser refused access to the clipboard. Select the text and copy it with the keyboard.',
          }),
      );
    },
  };
}
