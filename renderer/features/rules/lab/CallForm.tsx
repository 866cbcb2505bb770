import { useEffect, useState } from 'react';
import type { TriedCall } from '#shared/api/rules';
import { useTools } from '../../../stores/tools';
import { Select } from '../../../ui/Select';
import { fieldOf, type Json } from '../../tools/form/fieldOf';
import { type Draft, readDraft } from '../../tools/form/formValue';
import { ObjectFields } from '../../tools/form/SchemaField';
import { TextArea } from '../../tools/form/TextArea';

type InputCall = Extract<TriedCall, { kind: 'input' }>;

/** A call as a form made from its tool's schema; what a form cannot hold is written as JSON. */
export function CallForm(props: {
  readonly value: InputCall | null;
  readonly onChange: (value: InputCall | null) => void;
}) {
  const { value, onChange } = props;
  const tools = useTools((store) => store.tools);
  const reload = useTools((store) => store.reload);
  useEffect(() => {
    if (tools === null) void reload();
  }, [tools, reload]);
  const [name, setName] = useState(value?.tool ?? 'Bash');
  const tool = tools?.find((one) => one.name === name);
  const field = fieldOf(tool?.schema);
  const [draft, setDraft] = useState<Draft>(() => draftFrom(value?.input ?? {}));
  const [json, setJson] = useState(() => JSON.stringify(value?.input ?? {}, null, 2));
  const known = [...new Set([name, ...(tools ?? []).map((one) => one.name)])].sort();
  // What the form began with decides; lists that are filled in there do not turn it into JSON on the way.
  const [start, setStart] = useState(value?.input ?? {});
  const isPlain =
    field.kind === 'object' &&
    fits(
      start,
      field.fields.map((one) => one.name),
    );
  const [problem, setProblem] = useState('');

  const give = (tool: string, input: Json) => {
    if (typeof input === 'object' && input !== null && !Array.isArray(input))
      onChange({ kind: 'input', tool, input: { ...input } });
  };
  const write = (next: Draft) => {
    setDraft(next);
    const reading = readDraft(field, next, 'required');
    setProblem(reading.state === 'wrong' ? reading.problem : '');
    if (reading.state !== 'wrong') give(name, reading.state === 'given' ? reading.value : {});
  };
  const writeJson = (text: string) => {
    setJson(text);
    const reading = readDraft({ kind: 'json', title: '', description: '' }, text, 'required');
    setProblem(reading.state === 'wrong' ? reading.problem : '');
    if (reading.state === 'given') give(name, reading.value);
  };
  return (
    <div className="flex flex-col gap-3">
      <Select
        label="Tool"
        value={name}
        options={known.map((one) => ({ value: one, label: one }))}
        onChange={(chosen) => {
          setName(chosen);
          setStart({});
          setDraft({});
          setJson('{}');
          setProblem('');
          onChange({ kind: 'input', tool: chosen, input: {} });
        }}
      />
      {isPlain && field.kind === 'object' ? (
        <>
          <ObjectFields field={field} draft={draft} onChange={write} />
          {problem === '' ? null : <p className="text-deny text-small">{problem}</p>}
        </>
      ) : (
        <TextArea label="Input, as JSON" rows={4} value={json} onChange={writeJson} problem={problem} />
      )}
    </div>
  );
}

/** Whether a form with these fields shows the whole input. */
function fits(input: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return Object.entries(input).every(
    ([name, value]) => names.includes(name) && ['string', 'number', 'boolean'].includes(typeof value),
  );
}

function draftFrom(input: Readonly<Record<string, unknown>>): Draft {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]): [string, Draft] => [
      name,
      typeof value === 'boolean' ? value : typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}
