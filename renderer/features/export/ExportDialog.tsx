// A conversation to take along: its form, then what is taken out of it, then a file or the clipboard.
import { Check, Copy, Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ConversationRef } from '#shared/api/search';
import type { Exported } from '#shared/api/trace';
import { host } from '../../host/client';
import { useApp } from '../../stores/app';
import { messageOf, useToasts } from '../../stores/toasts';
import { useTranscripts } from '../../stores/transcripts';
import { useUi } from '../../stores/ui';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Skeleton } from '../../ui/Skeleton';
import { Switch } from '../../ui/Switch';
import { useCopy } from '../chat/views/useCopy';
import { ExportPreview } from './ExportPreview';
import { saveText } from './saveText';

type Format = 'markdown' | 'json' | 'html';

const formats: readonly { readonly value: Format; readonly label: string; readonly hint: string }[] = [
  { value: 'markdown', label: 'Markdown', hint: 'Text for notes and issues; calls as short blocks.' },
  { value: 'html', label: 'HTML', hint: 'One page for reading in any browser, without scripts.' },
  { value: 'json', label: 'JSON', hint: 'Everything with its times, for programs.' },
];

/** The dialog over the page; what it exports is in `useUi().exporting`. */
export function ExportDialog() {
  const conversation = useUi((ui) => ui.exporting);
  const title = useTitle(conversation);
  if (conversation === null) return null;
  return <Export conversation={conversation} title={title} />;
}

function Export({ conversation, title }: { readonly conversation: ConversationRef; readonly title: string }) {
  const close = useUi((ui) => ui.setDialog);
  const [step, setStep] = useState<'form' | 'preview'>('form');
  const [format, setFormat] = useState<Format>('markdown');
  const [redact, setRedact] = useState(true);
  const made = useMade({ conversation, format, redact, wanted: step === 'preview' });
  const exported = made.exported;
  return (
    <Dialog
      open
      onOpenChange={() => close(null)}
      title="Export conversation"
      description={<p className="truncate">{title}</p>}
      footer={
        step === 'form' ? (
          <>
            <Button onClick={() => close(null)}>Cancel</Button>
            <Button variant="primary" type="submit" form="export-form">
              Preview…
            </Button>
          </>
        ) : (
          <>
            <Button className="mr-auto" onClick={() => setStep('form')}>
              Back
            </Button>
            <CopyButton exported={exported} />
            <Button
              variant="primary"
              icon={Download}
              disabled={exported === null}
              onClick={() => {
                if (exported === null) return;
                saveText(exported);
                close(null);
                useToasts.getState().show({ level: 'info', title: 'Conversation exported.', text: exported.name });
              }}
            >
              Save file
            </Button>
          </>
        )
      }
    >
      {step === 'form' ? (
        <form
          id="export-form"
          onSubmit={(event) => {
            event.preventDefault();
            setStep('preview');
          }}
          className="flex flex-col gap-4"
        >
          <FormatChoice value={format} onChange={setFormat} />
          <Switch
            label="Take out secrets and personal details"
            checked={redact}
            onChange={setRedact}
            hint="Keys, tokens, your home folder and addresses of people. The next step shows what was found."
          />
        </form>
      ) : made.problem !== '' ? (
        <div role="alert" className="text-deny">
          <p className="font-medium">The conversation was not exported.</p>
          <p>{made.problem}</p>
        </div>
      ) : exported === null ? (
        <Skeleton label="Making the export" rows={4} className="py-2" />
      ) : (
        <>
          <p className="mb-4 flex flex-wrap gap-x-2 text-muted">
            <span className="font-mono text-mono text-text [overflow-wrap:anywhere]">{exported.name}</span>
            <span>{sizeWords(exported.text)}</span>
          </p>
          <ExportPreview exported={exported} redacted={redact} />
        </>
      )}
    </Dialog>
  );
}

function FormatChoice({ value, onChange }: { readonly value: Format; readonly onChange: (format: Format) => void }) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">Format</legend>
      <div className="flex flex-col gap-1.5">
        {formats.map((format) => (
          <label
            key={format.value}
            className="flex items-start gap-2.5 rounded-control border border-line px-3 py-2 hover:bg-hover has-checked:border-accent has-checked:bg-accent-tint"
          >
            <input
              type="radio"
              name="export-format"
              value={format.value}
              checked={value === format.value}
              onChange={() => onChange(format.value)}
              className="mt-0.5 size-4 shrink-0 accent-(--accent)"
            />
            <span>
              <span className="block font-medium">{format.label}</span>
              <span className="block text-muted text-small">{format.hint}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function CopyButton({ exported }: { readonly exported: Exported | null }) {
  const { copied, copy } = useCopy();
  return (
    <Button
      icon={copied ? Check : Copy}
      disabled={exported === null}
      onClick={() => {
        if (exported !== null) copy(exported.text);
      }}
    >
      {copied ? 'Copied' : 'Copy'}
    </Button>
  );
}

interface Made {
  readonly exported: Exported | null;
  readonly problem: string;
}

const nothingYet: Made = { exported: null, problem: '' };

/** The export as it would be saved, made as soon as it is wanted. */
function useMade(options: {
  readonly conversation: ConversationRef;
  readonly format: Format;
  readonly redact: boolean;
  readonly wanted: boolean;
}): Made {
  const { conversation, format, redact, wanted } = options;
  const [made, setMade] = useState<Made>(nothingYet);
  useEffect(() => {
    if (!wanted) return;
    let outdated = false;
    setMade(nothingYet);
    host()
      .call('sessions.export', { in: conversation, format, redact })
      .then(
        (exported) => {
          if (!outdated) setMade({ exported, problem: '' });
        },
        (error: unknown) => {
          if (!outdated) setMade({ exported: null, problem: messageOf(error) });
        },
      );
    return () => {
      outdated = true;
    };
  }, [conversation, format, redact, wanted]);
  return made;
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

/** "12 characters", "3.4 kB", "1.2 MB"; of a text saved as UTF-8. */
function sizeWords(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes < 1_000) return `${bytes} bytes`;
  if (bytes < 999_950) return `${(bytes / 1_000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
