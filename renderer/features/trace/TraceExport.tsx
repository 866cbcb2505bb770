// A trace to take along: its form and which calls.
import { useState } from 'react';
import { host } from '../../host/client';
import { useTracePage } from '../../stores/tracePage';
import { type Choice, Choices } from '../export/Choices';
import { ExportSteps } from '../export/ExportSteps';
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

export interface TraceExportProps {
  readonly sessionId: string;
  readonly title: string;
  /** The calls that fit the filter; null: there is no filter. */
  readonly filtered: readonly string[] | null;
  readonly all: number;
}

export function TraceExport({ sessionId, title, filtered, all }: TraceExportProps) {
  const show = useTracePage((page) => page.show);
  const [format, setFormat] = useState<Format>('json');
  const [scope, setScope] = useState<'all' | 'filtered'>(filtered === null ? 'all' : 'filtered');
  const callIds = scope === 'filtered' && filtered !== null ? [...filtered] : null;
  return (
    <ExportSteps
      what="trace"
      title={title}
      make={(redact) => host().call('trace.export', { sessionId, format, redact, callIds })}
      onClose={() => show({ exporting: false })}
    >
      <Choices legend="Format" name="export-format" value={format} choices={formats} onChange={setFormat} />
      {filtered === null ? null : (
        <Choices
          legend="Calls"
          name="export-calls"
          value={scope}
          choices={[
            { value: 'filtered', label: 'What fits the filter', hint: counted(filtered.length, 'call') },
            { value: 'all', label: 'All of the session', hint: counted(all, 'call') },
          ]}
          onChange={setScope}
        />
      )}
    </ExportSteps>
  );
}
