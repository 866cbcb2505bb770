// The dialog of everything that is exported: its form, then what is taken out of it, then a file or the clipboard.
import { Check, Copy, Download } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { Exported } from '#shared/api/trace';
import { messageOf, useToasts } from '../../stores/toasts';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Skeleton } from '../../ui/Skeleton';
import { Switch } from '../../ui/Switch';
import { useCopy } from '../chat/views/useCopy';
import { ExportPreview } from './ExportPreview';
import { saveText } from './saveText';

interface Props {
  /** What it is, as the middle of a sentence: "trace". */
  readonly what: string;
  /** Of which one. */
  readonly title: string;
  /** The choices of the form, beside what is taken out. */
  readonly children: ReactNode;
  /** Makes it as it will be saved. Called anew each time that the preview is opened. */
  readonly make: (redact: boolean) => Promise<Exported>;
  readonly onClose: () => void;
}

const formId = 'export-form';

export function ExportSteps({ what, title, children, make, onClose }: Props) {
  const [step, setStep] = useState<'form' | 'preview'>('form');
  const [redact, setRedact] = useState(true);
  const { exported, problem } = useMade(step === 'preview', () => make(redact));
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Export ${what}`}
      description={<p className="truncate">{title}</p>}
      footer={
        step === 'form' ? (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="primary" type="submit" form={formId}>
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
                onClose();
                const title = `${what.charAt(0).toUpperCase()}${what.slice(1)} exported.`;
                useToasts.getState().show({ level: 'info', title, text: exported.name });
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
          id={formId}
          onSubmit={(event) => {
            event.preventDefault();
            setStep('preview');
          }}
          className="flex flex-col gap-4"
        >
          {children}
          <Switch
            label="Take out secrets and personal details"
            checked={redact}
            onChange={setRedact}
            hint="Keys, tokens, passwords, e-mail addresses and your home folder. The next step shows what was found."
          />
        </form>
      ) : problem !== '' ? (
        <div role="alert" className="text-deny">
          <p className="font-medium">The {what} was not exported.</p>
          <p>{problem}</p>
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

/** Made once, as soon as it is wanted: what is saved is what was looked at. */
function useMade(wanted: boolean, make: () => Promise<Exported>): Made {
  const [made, setMade] = useState<Made>(nothingYet);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what happens meanwhile, as new calls, is not in it.
  useEffect(() => {
    if (!wanted) return;
    let outdated = false;
    setMade(nothingYet);
    make().then(
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
  }, [wanted]);
  return made;
}

/** "12 bytes", "3.4 kB", "1.2 MB"; of a text saved as UTF-8. */
function sizeWords(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes < 1_000) return `${bytes} bytes`;
  if (bytes < 999_950) return `${(bytes / 1_000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
