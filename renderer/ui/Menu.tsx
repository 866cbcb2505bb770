import type { LucideIcon } from 'lucide-react';
import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { classes } from './classes';
import { Kbd } from './Kbd';

const item =
  'flex min-h-8 items-center gap-2.5 rounded-small px-2 py-1 text-ui outline-none select-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover';

export interface MenuProps {
  /** The element that opens it; must take a ref and button properties. */
  readonly trigger: ReactElement;
  readonly label: string;
  readonly align?: 'start' | 'center' | 'end' | undefined;
  readonly side?: 'top' | 'right' | 'bottom' | 'left' | undefined;
  readonly open?: boolean | undefined;
  readonly onOpenChange?: ((open: boolean) => void) | undefined;
  /** Moves the focus when the menu has closed; left out: back to the trigger. */
  readonly focusAfter?: (() => void) | undefined;
  readonly children: ReactNode;
}

/** A menu that drops from a button; holds MenuItem, MenuChoices, MenuLine. */
export function Menu(props: MenuProps) {
  const { trigger, label, align = 'start', side = 'bottom', open, onOpenChange, focusAfter, children } = props;
  return (
    <DropdownMenu.Root
      modal={false}
      {...(open === undefined ? {} : { open })}
      {...(onOpenChange === undefined ? {} : { onOpenChange })}
    >
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          aria-label={label}
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          {...(focusAfter === undefined
            ? {}
            : {
                onCloseAutoFocus: (event: Event) => {
                  event.preventDefault();
                  focusAfter();
                },
              })}
          className="appear z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 max-w-96 overflow-y-auto rounded-card border border-line-strong bg-raised p-1 text-text shadow-float"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export interface MenuItemProps {
  readonly icon?: LucideIcon | undefined;
  readonly keys?: string | undefined;
  readonly danger?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

/** One thing to do. */
export function MenuItem({ icon: Icon, keys, danger = false, disabled = false, onSelect, children }: MenuItemProps) {
  return (
    <DropdownMenu.Item className={classes(item, danger && 'text-deny')} disabled={disabled} onSelect={onSelect}>
      {Icon === undefined ? null : <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />}
      <span className="min-w-0 flex-1">{children}</span>
      {keys === undefined ? null : <Kbd keys={keys} />}
    </DropdownMenu.Item>
  );
}

export interface MenuChoice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** Second line: what it means, or why it cannot be chosen. */
  readonly hint?: string | undefined;
  readonly disabled?: boolean | undefined;
}

export interface MenuChoicesProps<Value extends string> {
  readonly value: Value;
  readonly choices: readonly MenuChoice<Value>[];
  readonly onChoose: (value: Value) => void;
}

/** One of several, the present one ticked. */
export function MenuChoices<Value extends string>({ value, choices, onChoose }: MenuChoicesProps<Value>) {
  return (
    <DropdownMenu.RadioGroup value={value}>
      {choices.map((choice) => (
        <DropdownMenu.RadioItem
          key={choice.value}
          value={choice.value}
          disabled={choice.disabled ?? false}
          onSelect={() => onChoose(choice.value)}
          className={classes(item, 'items-start')}
        >
          <span className="flex w-4 shrink-0 justify-center pt-0.5">
            <DropdownMenu.ItemIndicator>
              <Check aria-hidden size={16} strokeWidth={2} className="text-accent" />
            </DropdownMenu.ItemIndicator>
          </span>
          <span className="min-w-0">
            <span className="block break-words">{choice.label}</span>
            {choice.hint === undefined || choice.hint === '' ? null : (
              <span className="block text-small text-muted">{choice.hint}</span>
            )}
          </span>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

/** Line between groups. */
export function MenuLine() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />;
}
