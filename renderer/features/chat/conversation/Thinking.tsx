import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useApp } from '../../../stores/app';

/** What the model thought before it answered, folded. */
export function Thinking({ text, streaming }: { readonly text: string; readonly streaming: boolean }) {
  const density = useApp((app) => app.preferences?.density ?? 'normal');
  const [chosen, setOpen] = useState<boolean | null>(null);
  const open = chosen ?? density === 'verbose';
  if (density === 'summary' && !streaming) return null;
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="-ml-1 flex h-6 items-center gap-1 rounded-small pr-2 text-muted text-small hover:text-text"
      >
        <ChevronRight aria-hidden="true" size={14} strokeWidth={1.75} className={open ? 'rotate-90' : ''} />
        <span className={streaming ? 'breathing' : ''}>{streaming ? 'Thinking…' : 'Thought'}</span>
      </button>
      {open && <p className="chat-verbatim mt-1 border-line-strong border-l-2 pl-3 text-muted text-ui">{text}</p>}
    </div>
  );
}
