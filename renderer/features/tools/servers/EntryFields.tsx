import { Plus, X } from 'lucide-react';
import { Button } from '../../../ui/Button';
import { IconButton } from '../../../ui/IconButton';
import { TextField } from '../../../ui/TextField';
import type { Pair } from './draftConfig';

/** A program's arguments, one field each, so that blanks and quotes mean themselves. */
export function ArgumentFields(props: {
  readonly args: readonly string[];
  readonly onChange: (args: readonly string[]) => void;
}) {
  const { args, onChange } = props;
  return (
    <fieldset>
      <legend className="font-medium">Arguments</legend>
      <div className="mt-1.5 flex flex-col gap-1.5">
        {args.map((arg, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an argument's place is what identifies it.
          <div key={index} className="flex items-center gap-1.5">
            <TextField
              label={`Argument ${index + 1}`}
              hideLabel
              mono
              className="flex-1"
              value={arg}
              onChange={(text) => onChange(args.map((old, at) => (at === index ? text : old)))}
            />
            <IconButton
              label={`Remove argument ${index + 1}`}
              icon={X}
              onClick={() => onChange(args.filter((_, at) => at !== index))}
            />
          </div>
        ))}
        <div>
          <Button size="small" icon={Plus} onClick={() => onChange([...args, ''])}>
            Add argument
          </Button>
        </div>
      </div>
    </fieldset>
  );
}

/** Variables or headers; values that the file has already are not shown. */
export function PairFields(props: {
  readonly kind: 'Variable' | 'Header';
  readonly pairs: readonly Pair[];
  readonly onChange: (pairs: readonly Pair[]) => void;
}) {
  const { kind, pairs, onChange } = props;
  const change = (index: number, part: Partial<Pair>) =>
    onChange(pairs.map((pair, at) => (at === index ? { ...pair, ...part } : pair)));
  return (
    <fieldset>
      <legend className="font-medium">{kind === 'Variable' ? 'Environment variables' : 'Headers'}</legend>
      <div className="mt-1.5 flex flex-col gap-1.5">
        {pairs.map((pair, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a pair's place is what identifies it.
          <div key={index} className="flex items-center gap-1.5">
            <TextField
              label={`${kind} ${index + 1}, name`}
              hideLabel
              mono
              className="flex-1"
              placeholder="Name"
              value={pair.name}
              onChange={(name) => change(index, { name, kept: false })}
            />
            <TextField
              label={`${kind} ${index + 1}, value`}
              hideLabel
              mono
              className="flex-1"
              type="password"
              placeholder={pair.kept ? 'as it is written now' : 'Value'}
              value={pair.value}
              onChange={(value) => change(index, { value })}
            />
            <IconButton
              label={`Remove ${kind.toLowerCase()} ${index + 1}`}
              icon={X}
              onClick={() => onChange(pairs.filter((_, at) => at !== index))}
            />
          </div>
        ))}
        <div>
          <Button size="small" icon={Plus} onClick={() => onChange([...pairs, { name: '', value: '', kept: false }])}>
            Add {kind.toLowerCase()}
          </Button>
        </div>
      </div>
    </fieldset>
  );
}
