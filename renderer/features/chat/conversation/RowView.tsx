import { memo } from 'react';
import { assertNever } from '#shared/util/assertNever';
import { CallCard, type CallCardProps } from '../cards/CallCard';
import { Compaction } from './Compaction';
import { Markdown } from './Markdown';
import { MessageMenu } from './MessageMenu';
import { Notice } from './Notice';
import type { Row } from './rows';
import { Thinking } from './Thinking';

export interface RowViewProps extends Omit<CallCardProps, 'call' | 'selected'> {
  readonly row: Row;
  readonly selectedCallId: string | null;
}

/** One row of the conversation. */
export const RowView = memo(function RowView({ row, selectedCallId, ...card }: RowViewProps) {
  switch (row.kind) {
    case 'user':
      return (
        <section
          aria-labelledby={`turn-${row.turn}`}
          className="group/message flex items-start justify-end gap-1.5 pt-3 pb-4"
        >
          <h2 id={`turn-${row.turn}`} className="sr-only">
            Turn {row.turn}, you
          </h2>
          <MessageMenu messageId={row.key} text={row.text} of="you" at={row.at} className="mt-2" />
          <p
            title={new Date(row.at).toISOString()}
            className="chat-verbatim max-w-[82%] rounded-card rounded-br-small border border-line-strong bg-message px-3.5 py-2 text-conversation"
          >
            {row.text}
          </p>
        </section>
      );
    case 'answer':
      return <h2 className="sr-only">Turn {row.turn}, answer</h2>;
    case 'text':
      return (
        <div className="group/message relative pb-3.5" aria-busy={row.streaming}>
          <Markdown text={row.text} />
          {row.streaming ? null : (
            <MessageMenu
              messageId={row.key.slice(0, row.key.lastIndexOf('-'))}
              text={row.text}
              of="model"
              className="absolute top-0 -right-6.5"
            />
          )}
        </div>
      );
    case 'thinking':
      return (
        <div className="pb-2">
          <Thinking text={row.text} streaming={row.streaming} />
        </div>
      );
    case 'call':
      return (
        <div className="pb-2.5">
          <CallCard {...card} call={row.call} selected={row.call.callId === selectedCallId} />
        </div>
      );
    case 'cutOff':
      return (
        <div className="pb-3.5">
          <Notice
            level="warning"
            text="The answer was cut off at the model's length limit."
            next="Ask it to go on. Calls that were cut off have not run."
          />
        </div>
      );
    case 'compaction':
      return (
        <div className="pb-3.5">
          <Compaction summary={row.summary} at={row.at} />
        </div>
      );
    case 'notice':
      return (
        <div className="pb-3.5">
          <Notice level={row.level} text={row.text} next={row.next} />
        </div>
      );
    default:
      return assertNever(row, 'row');
  }
});
