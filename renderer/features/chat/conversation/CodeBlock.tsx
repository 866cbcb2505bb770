import { Check, Copy } from 'lucide-react';
import { useCopy } from '../views/useCopy';
import { CodeLine } from './CodeLine';
import { useHighlight } from './useHighlight';

/** A fenced block of an answer, with its language's name and a copy button. */
export function CodeBlock({ code, language }: { readonly code: string; readonly language: string | undefined }) {
  const tokens = useHighlight(code, language);
  const { copied, copy } = useCopy();
  const Icon = copied ? Check : Copy;
  return (
    <div className="group/code overflow-hidden rounded-control border border-line bg-code">
      <div className="flex h-7 items-center justify-between border-line border-b pr-1 pl-3 text-dim text-head">
        <span>{language ?? 'text'}</span>
        <button
          type="button"
          onClick={() => copy(code)}
          aria-label={copied ? 'Copied' : 'Copy code'}
          className="flex h-6 items-center gap-1.5 rounded-small px-1.5 hover:bg-hover hover:text-text"
        >
          <Icon aria-hidden="true" size={14} strokeWidth={1.75} />
          {copied ? 'Copied' : 'Copy'}
        </button>
      </div>
      <pre className="overflow-x-auto px-3 py-2 font-mono text-mono">
        <code>
          {code.split('\n').map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of one block have no other identity and never move.
            <div key={index} className="min-h-[18px]">
              <CodeLine text={line} tokens={tokens?.[index]} />
            </div>
          ))}
        </code>
      </pre>
    </div>
  );
}
