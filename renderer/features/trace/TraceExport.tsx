// A trace to take along: its form and which calls, then what is taken out of it, then a file or the clipboard.
import { Check, Copy, Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Exported } from '#shared/api/trace';
import { host } from '../../host/client';
import { messageOf, useToasts } from '../../stores/toasts';
import { useTracePage } from '../../stores/tracePage';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Skeleton } from '../../ui/Skeleton';
import { Switch } from '../../ui/Switch';
import { useCopy } from '../chat/views/useCopy';
import { ExportPreview } from '../export/ExportPreview';
import { saveText } from '../export/saveText';
import { counted } from '../frame/words';

type Format = 'json' | 'otlp';

const formats: readonly Choice<Format>[] = [
  {
    value: 'json',
    label: 'JSON',
    hint: 'Everything: steps, decisions, hooks, inputs and results, by their names here.',
  },
  { value: 'otlp', label: 'OpenTelemetry', hint: 'Spans as OTLP/JSON, for collectors and viewers of traces.' },
];

interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint: string;
}

export interface TraceExportProps {
  readonly sessionId: string;
  readonly title: string;
  /** The calls that fit the filter; null: there is no filter. */
  readonly filtered: readonly string[] | null;
  readonly all: number;
}

export function TraceExport({ sessionId, title, filtered, all }: TraceExportProps) {
  const show = useTracePage((page) => page.show);
  const [step, setStep] = useState<'form' | 'preview'>('form');
  const [format, setFormat] = useState<Format>('json');
  const [scope, setScope] = useState<'all' | 'filtered'>(filtered === null ? 'all' : 'filtered');
  const [redact, setRedact] = useState(true);
  const { exported, problem } = useMade({
    sessionId,
    format,
    redact,
    callIds: scope === 'filtered' ? filtered : null,
    wanted: step === 'preview',
  });
  const { copied, copy } = useCopy();
  const close = () => show({ exporting: false });
  return (
    <Dialog
      open
      onOpenChange={close}
      title="Export trace"
      description={<p className="truncate">{title}</p>}
      footer={
        step === 'form' ? (
          <>
            <Button onClick={close}>Cancel</Button>
            <Button variant="primary" type="submit" form="trace-export">
              Preview…
            </Button>
          </>
        ) : (
          <>
            <Button className="mr-auto" onClick={() => setStep('form')}>
              Back
            </Button>
            <Button
              icon={copied ? Check : Copy}
              disabled={exported === null}
              onClick={() => {
                if (exported !== null) copy(exported.text);
              }}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
            <Button
              variant="primary"
              icon={Download}
              disabled={exported === null}
              onClick={() => {
                if (exported === null) return;
                saveText(exported);
                close();
                useToasts.getState().show({ level: 'info', title: 'Trace exported.', text: exported.name });
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
          id="trace-export"
          onSubmit={(event) => {
            event.preventDefault();
            setStep('preview');
          }}
          className="flex flex-col gap-4"
        >
          <Choices legend="Format" name="trace-format" value={format} choices={formats} onChange={setFormat} />
          {filtered === null ? null : (
            <Choices
              legend="Calls"
              name="trace-scope"
              value={scope}
              choices={[
                { value: 'filtered', label: `What fits the filter`, hint: counted(filtered.length, 'call') },
                { value: 'all', label: 'All of the session', hint: counted(all, 'call') },
              ]}
              onChange={setScope}
            />
          )}
          <Switch
            label="Take out secrets and personal details"
            checked={redact}
            onChange={setRedact}
            hint="Keys, tokens, passwords, e-mail addresses and your home folder. The next step shows what was found."
          />
        </form>
      ) : problem !== '' ? (
        <div role="alert" className="text-deny">
          <p className="font-medium">The trace was not exported.</p>
          <p>{problem}</p>
        </div>
      ) : exported === null ? (
        <Skeleton label="Making the export" rows={4} className="py-2" />
      ) : (
        <>
          <p className="mb-4 flex flex-wrap gap-x-2 text-muted">
            <span className="font-mono text-mono text-text [overflow-wrap:anywhere]">{exported.name}</span>
            <span>{counted(exported.text.length, 'character')}</span>
          </p>
          <ExportPreview exported={exported} redacted={redact} />
        </>
      )}
    </Dialog>
  );
}

function Choices<Value extends string>(props: {
  readonly legend: string;
  readonly name: string;
  readonly value: Value;
  readonly choices: readonly Choice<Value>[];
  readonly onChange: (value: Value) => void;
}) {
  const { legend, name, value, choices, onChange } = props;
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">{legend}</legend>
      <div className="flex flex-col gap-1.5">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="flex items-start gap-2.5 rounded-control border border-line px-3 py-2 hover:bg-hover has-checked:border-accent has-checked:bg-accent-tint"
          >
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={value === choice.value}
              onChange={() => onChange(choice.value)}
              className="mt-0.5 size-4 shrink-0 accent-(--accent)"
            />
            <span>
              <span className="block font-medium">{choice.label}</span>
              <span className="block text-muted text-small">{choice.hint}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface Made {
  readonly exported: Exported | null;
  readonly problem: string;
}

const nothingYet: Made = { exported: null, problem: '' };

/** The export as it would be saved, made as soon as it is wanted. */
function useMade(options: {
  readonly sessionId: string;
  readonly format: Format;
  readonly redact: boolean;
  readonly callIds: readonly string[] | null;
  readonly wanted: boolean;
}): Made {
  const { sessionId, format, redact, callIds, wanted } = options;
  const [made, setMade] = useState<Made>(nothingYet);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is saved is what was looked at; calls made meanwhile are not in it.
  useEffect(() => {
    if (!wanted) return;
    let outdated = false;
    setMade(nothingYet);
    host()
      .call('trace.export', { sessionId, format, redact, callIds: callIds === null ? null : [...callIds] })
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
  }, [sessionId, format, redact, wanted]);
  return made;
}
