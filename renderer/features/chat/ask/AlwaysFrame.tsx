import { RadioGroup } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/Button';
import { ArmedButton } from './ArmedButton';
import type { Arming } from './useArmed';

interface AlwaysFrameProps {
  /** What may be chosen: it scrolls where there is little room. */
  readonly choices: ReactNode;
  /** What is about to be saved, and where: always on screen. */
  readonly children: ReactNode;
  readonly arming: Arming;
  readonly armDelayMs: number;
  /** Why it cannot be saved; empty when it can. */
  readonly blocked: string;
  /** The button's words, such as "Save and run". */
  readonly action: string;
  readonly onSave: () => void;
  readonly onBack: () => void;
}

/** The second step of "Always allow…", whatever is allowed. */
export function AlwaysFrame(props: AlwaysFrameProps) {
  return (
    <div className="flex min-h-0 flex-col border-line border-t">
      <div className="flex min-h-0 flex-col gap-3 overflow-y-auto px-3.5 pt-3 pb-1 chat-ask-step">{props.choices}</div>
      <div className="flex flex-col gap-2 px-3.5 pt-2.5">{props.children}</div>
      <div className="flex flex-wrap items-center gap-2 px-3.5 pt-2 pb-3">
        <ArmedButton
          variant="primary"
          arming={props.arming}
          armDelayMs={props.armDelayMs}
          blocked={props.blocked}
          onPress={props.onSave}
        >
          {props.action}
        </ArmedButton>
        <Button variant="ghost" onClick={props.onBack}>
          Back
        </Button>
      </div>
    </div>
  );
}

/** The round mark of one choice among several. */
export function ChoiceMark() {
  return (
    <span className="mt-0.5 grid size-3.5 shrink-0 place-items-center rounded-full border border-control group-data-[state=checked]:border-accent">
      <RadioGroup.Indicator className="size-2 rounded-full bg-accent" />
    </span>
  );
}
