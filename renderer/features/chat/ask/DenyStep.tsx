import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/Button';
import { TextField } from '../../../ui/TextField';
import { ArmedButton } from './ArmedButton';
import type { Arming } from './useArmed';

interface Props {
  readonly arming: Arming;
  readonly armDelayMs: number;
  readonly blocked: string;
  /** The word on the button. */
  readonly label?: string;
  /** Empty words mean none. */
  readonly onDeny: (words: string) => void;
  readonly onBack: () => void;
}

/** Second step of Deny: optional words for the model. */
export function DenyStep({ arming, armDelayMs, blocked, label = 'Deny', onDeny, onBack }: Props) {
  const [words, setWords] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // The person pressed Deny, so the field they asked for may have the keyboard.
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  return (
    <div className="flex flex-wrap items-end gap-2 px-3.5 pt-2 pb-3">
      <ArmedButton arming={arming} armDelayMs={armDelayMs} blocked={blocked} onPress={() => onDeny(words.trim())}>
        {label}
      </ArmedButton>
      <TextField
        ref={field}
        label="Words for the model"
        hideLabel
        placeholder="Tell the model why, or what to do instead (optional)"
        maxLength={2_000}
        className="min-w-48 flex-1"
        value={words}
        onChange={setWords}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.repeat || event.nativeEvent.isComposing || event.keyCode === 229) return;
          event.preventDefault();
          if (arming.armed && blocked === '') onDeny(words.trim());
        }}
      />
      <Button variant="ghost" onClick={onBack}>
        Back
      </Button>
    </div>
  );
}
