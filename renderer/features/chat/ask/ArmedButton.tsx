import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef } from 'react';
import { Button, type ButtonProps } from '../../../ui/Button';
import type { Arming } from './useArmed';

interface Props extends Pick<ButtonProps, 'variant' | 'keys' | 'icon' | 'title'> {
  readonly arming: Arming;
  readonly armDelayMs: number;
  /** Why it cannot be used even when armed; empty when it can. */
  readonly blocked: string;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

/**
 * A button that answers only after the arm delay, which it shows by filling up. A click counts when its press began on
 * the armed button; a key counts when it is no repeat and no part of composing text.
 */
export function ArmedButton({ arming, armDelayMs, blocked, onPress, children, title, ...look }: Props) {
  const ready = arming.armed && blocked === '';
  const pressBegan = useRef(false);
  const onClick = (event: MouseEvent) => {
    // `detail` counts clicks of a pointer; a key or assistive technology gives 0 and has no press to begin.
    const began = event.detail === 0 || pressBegan.current;
    pressBegan.current = false;
    if (ready && began) onPress();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.repeat || event.nativeEvent.isComposing || event.keyCode === 229) event.preventDefault();
  };
  return (
    <Button
      {...look}
      aria-disabled={!ready}
      title={blocked === '' ? title : blocked}
      className="relative overflow-hidden"
      onPointerDown={() => {
        pressBegan.current = ready;
      }}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      {!arming.armed && blocked === '' && (
        <span
          key={arming.round}
          aria-hidden="true"
          data-arming
          style={{ '--arm-delay': `${armDelayMs}ms` } as Record<string, string>}
          className="chat-arming pointer-events-none absolute inset-0 bg-current/14"
        />
      )}
      {children}
    </Button>
  );
}
