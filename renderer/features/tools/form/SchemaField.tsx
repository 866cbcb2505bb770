import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { Button } from '../../../ui/Button';
import { IconButton } from '../../../ui/IconButton';
import { Select } from '../../../ui/Select';
import { TextField } from '../../../ui/TextField';
import { visibleName } from '../visibleName';
import type { Field } from './fieldOf';
import { type Draft, emptyDraft, readDraft } from './formValue';
import { TextArea } from './TextArea';

export interface SchemaFieldProps {
  readonly name: string;
  readonly required: boolean;
  readonly field: Field;
  /** undefined: not given. */
  readonly draft: Draft | undefined;
  readonly onChange: (draft: Draft) => void;
}

/** Radix forbids an empty value; this one stands for "not given". */
const notGiven = 'not-given';

/** One entry of an input, by the kind of its schema. */
export function SchemaField(props: SchemaFieldProps) {
  const { field, draft, onChange } = props;
  const label = labelOf(props);
  const text = typeof draft === 'string' ? draft : '';
  const hint = field.description === '' ? {} : { hint: visibleName(field.description) };
  switch (field.kind) {
    case 'string':
      return <TextArea label={label} {...hint} value={text} onChange={onChange} />;
    case 'number':
      return <TextField label={label} {...hint} inputMode="decimal" mono value={text} onChange={onChange} />;
    case 'json': {
      const reading = readDraft(field, text, 'optional');
      const problem = reading.state === 'wrong' ? { problem: reading.problem } : {};
      return <TextArea label={`${label}, as JSON`} {...hint} {...problem} value={text} onChange={onChange} />;
    }
    case 'boolean':
    case 'choice':
      return <Choice {...props} label={label} />;
    case 'list':
      return <ListField {...props} label={label} />;
    case 'object':
      return (
        <fieldset className="rounded-control border border-line px-3 pt-1 pb-3">
          <legend className="px-1 font-medium">{label}</legend>
          <ObjectFields field={field} draft={draft} onChange={onChange} />
        </fieldset>
      );
  }
}

function labelOf({ name, required }: SchemaFieldProps): string {
  return required ? `${visibleName(name)} (required)` : visibleName(name);
}

/** The entries of an object, one below the other. */
export function ObjectFields(props: {
  readonly field: Extract<Field, { kind: 'object' }>;
  readonly draft: Draft | undefined;
  readonly onChange: (draft: Draft) => void;
}) {
  const { field, draft, onChange } = props;
  const drafts =
    typeof draft === 'object' && !Array.isArray(draft) ? (draft as { readonly [name: string]: Draft }) : {};
  return (
    <div className="flex flex-col gap-4">
      {field.fields.map(({ name, required, field: inner }) => (
        <SchemaField
          key={name}
          name={name}
          required={required}
          field={inner}
          draft={Object.hasOwn(drafts, name) ? drafts[name] : undefined}
          onChange={(next) => onChange({ ...drafts, [name]: next })}
        />
      ))}
    </div>
  );
}

function Choice({ field, draft, onChange, label }: SchemaFieldProps & { readonly label: string }) {
  const options =
    field.kind === 'choice'
      ? field.options.map((option) => ({ value: String(option), label: visibleName(String(option)) || '(empty)' }))
      : [
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ];
  return (
    <div className="flex flex-col gap-1.5">
      <Select
        label={label}
        value={draft === undefined || draft === '' ? notGiven : String(draft)}
        options={[{ value: notGiven, label: 'Not given' }, ...options.filter(({ value }) => value !== '')]}
        onChange={(value) => onChange(value === notGiven ? '' : value)}
      />
      {field.description === '' ? null : (
        <p className="break-words text-muted text-small">{visibleName(field.description)}</p>
      )}
    </div>
  );
}

function ListField({ name, field, draft, onChange, label }: SchemaFieldProps & { readonly label: string }) {
  const id = useId();
  if (field.kind !== 'list') return null;
  const drafts = Array.isArray(draft) ? (draft as readonly Draft[]) : [];
  const without = (at: number) => drafts.filter((_, index) => index !== at);
  return (
    <fieldset aria-describedby={id} className="flex flex-col gap-2 rounded-control border border-line px-3 pt-1 pb-3">
      <legend className="px-1 font-medium">{label}</legend>
      <p id={id} className="break-words text-muted text-small">
        {field.description === '' ? 'A list.' : visibleName(field.description)}
      </p>
      {drafts.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an entry's place is what identifies it.
        <div key={index} className="flex items-end gap-1.5">
          <div className="min-w-0 flex-1">
            <SchemaField
              name={`${name} ${index + 1}`}
              required={false}
              field={field.item}
              draft={entry}
              onChange={(next) => onChange(drafts.map((old, at) => (at === index ? next : old)))}
            />
          </div>
          <IconButton
            label={`Remove ${visibleName(name)} ${index + 1}`}
            icon={X}
            onClick={() => onChange(without(index))}
          />
        </div>
      ))}
      <div>
        <Button size="small" icon={Plus} onClick={() => onChange([...drafts, emptyDraft(field.item)])}>
          Add
        </Button>
      </div>
    </fieldset>
  );
}
