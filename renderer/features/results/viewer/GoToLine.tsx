import { type FormEvent, useState } from 'react';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { TextField } from '../../../ui/TextField';

export interface GoToLineProps {
  /** Known so far. */
  readonly lines: number;
  /** Whether all lines are known. */
  readonly isAll: boolean;
  /** Resolves once the line is shown. */
  readonly onGo: (line: number) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the number of a line. */
export function GoToLine({ lines, isAll, onGo, onClose }: GoToLineProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const [going, setGoing] = useState(false);
  const go = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const line = Number(text.replaceAll(/[\s,.']/g, ''));
    if (!Number.isSafeInteger(line) || line < 1) {
      setProblem('Lines count from 1.');
      return;
    }
    setGoing(true);
    await onGo(line);
    onClose();
  };
  return (
    <Dialog open onOpenChange={onClose} title="Go to line" width="narrow">
      <form onSubmit={(event) => void go(event)} className="flex items-start gap-2">
        <TextField
          label="Line"
          hideLabel
          mono
          inputMode="numeric"
          className="flex-1"
          value={text}
          onChange={(typed) => {
            setText(typed);
            setProblem('');
          }}
          problem={problem}
          hint={isAll ? `1 to ${lines.toLocaleString('en')}` : `${lines.toLocaleString('en')} lines counted so far`}
        />
        <Button type="submit" variant="primary" disabled={going}>
          {going ? 'Counting…' : 'Go'}
        </Button>
      </form>
    </Dialog>
  );
}
