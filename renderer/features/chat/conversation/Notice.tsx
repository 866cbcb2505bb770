import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import { VisibleText } from '../../../ui/VisibleText';

interface Props {
  readonly level: 'info' | 'warning' | 'error';
  /** The fact. */
  readonly text: string;
  /** The next step; may be empty. */
  readonly next: string;
}

const looks = {
  info: { Picture: Info, look: 'border-line text-muted' },
  warning: { Picture: TriangleAlert, look: 'border-ask/40 bg-ask-tint text-ask' },
  error: { Picture: CircleAlert, look: 'border-deny/40 bg-deny-tint text-deny' },
};

/** Something people must know, in the place of the conversation where it happened. */
export function Notice({ level, text, next }: Props) {
  const { Picture, look } = looks[level];
  return (
    <div className={`flex items-start gap-2.5 rounded-card border px-3.5 py-2 ${look}`}>
      <Picture aria-hidden="true" size={16} strokeWidth={1.75} className="mt-0.5 shrink-0" />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        {/* Hooks and servers may have their say in it. */}
        <p className={`whitespace-pre-wrap ${level === 'info' ? '' : 'font-medium'}`}>
          <VisibleText text={text} />
        </p>
        {next !== '' && <p className="text-muted">{next}</p>}
      </div>
    </div>
  );
}
