import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export interface TabInfo<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly disabled?: boolean;
}

export interface TabsProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly tabs: readonly TabInfo<Value>[];
  readonly onChange: (value: Value) => void;
  /** Stands right of the tabs. */
  readonly extra?: ReactNode;
  /** TabPanel elements. */
  readonly children: ReactNode;
}

/** A row of tabs, 46 px high as all page heads, and the panel below. */
export function Tabs<Value extends string>({ label, value, tabs, onChange, extra, children }: TabsProps<Value>) {
  return (
    <Radix.Root
      value={value}
      onValueChange={(chosen) => {
        const tab = tabs.find((candidate) => candidate.value === chosen);
        if (tab !== undefined) onChange(tab.value);
      }}
      className="flex min-h-0 flex-1 flex-col"
    >
      <div className="flex h-11.5 shrink-0 items-stretch border-b border-line pr-2 pl-2">
        <Radix.List aria-label={label} className="flex min-w-0 flex-1 overflow-x-auto">
          {tabs.map((tab) => (
            <Radix.Trigger
              key={tab.value}
              value={tab.value}
              disabled={tab.disabled ?? false}
              className="-mb-px border-b-2 border-transparent px-3 text-ui text-muted -outline-offset-4 hover:text-text disabled:opacity-45 data-[state=active]:border-accent data-[state=active]:font-semibold data-[state=active]:text-text"
            >
              {tab.label}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {extra === undefined ? null : <div className="flex items-center">{extra}</div>}
      </div>
      {children}
    </Radix.Root>
  );
}

/** What one tab shows; scrolls by itself. */
export function TabPanel({ value, children }: { readonly value: string; readonly children: ReactNode }) {
  return (
    <Radix.Content value={value} className="min-h-0 flex-1 overflow-y-auto -outline-offset-2">
      {children}
    </Radix.Content>
  );
}
