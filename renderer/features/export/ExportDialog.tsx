// A conversation to take along.
import { useState } from 'react';
import type { ConversationRef } from '#shared/api/search';
import { host } from '../../host/client';
import { useApp } from '../../stores/app';
import { useTranscripts } from '../../stores/transcripts';
import { useUi } from '../../stores/ui';
import { type Choice, Choices } from './Choices';
import { ExportSteps } from './ExportSteps';

type Format = 'markdown' | 'json' | 'html';

const formats: readonly Choice<Format>[] = [
  { value: 'markdown', label: 'Markdown', hint: 'Text for notes and issues; calls as short blocks.' },
  { value: 'html', label: 'HTML', hint: 'One page for reading in any browser, without scripts.' },
  { value: 'json', label: 'JSON', hint: 'Everything with its times, for programs.' },
];

/** The dialog over the page; what it exports is in `useUi().exporting`. */
export function ExportDialog() {
  const conversation = useUi((ui) => ui.exporting);
  const close = useUi((ui) => ui.setDialog);
  const title = useTitle(conversation);
  const [format, setFormat] = useState<Format>('markdown');
  if (conversation === null) return null;
  return (
    <ExportSteps
      what="conversation"
      title={title}
      make={(redact) => host().call('sessions.export', { in: conversation, format, redact })}
      onClose={() => close(null)}
    >
      <Choices legend="Format" name="export-format" value={format} choices={formats} onChange={setFormat} />
    </ExportSteps>
  );
}

function useTitle(conversation: ConversationRef | null): string {
  const session = useApp((app) =>
    conversation?.kind === 'session'
      ? app.sessions?.find(({ sessionId }) => sessionId === conversation.sessionId)
      : undefined,
  );
  const transcript = useTranscripts((transcripts) =>
    conversation?.kind === 'transcript' ? transcripts.list?.find(({ id }) => id === conversation.id) : undefined,
  );
  return session?.title ?? transcript?.title ?? '';
}
