import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { Toast as Radix } from 'radix-ui';
import { Button } from './Button';
import { IconButton } from './IconButton';

export interface ShownToast {
  readonly id: number;
  readonly level: 'info' | 'error';
  readonly title: string;
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

export interface ToastRegionProps {
  readonly toasts: readonly ShownToast[];
  readonly onDismiss: (id: number) => void;
}

/** Long enough to read two sentences; failures stay until dismissed. */
const infoMs = 8_000;

/** The corner where outcomes of actions appear. They pause under the pointer and the focus. */
export function ToastRegion({ toasts, onDismiss }: ToastRegionProps) {
  return (
    <Radix.Provider swipeDirection="right" label="Message">
      {toasts.map((toast) => (
        <Radix.Root
          key={toast.id}
          type={toast.level === 'error' ? 'foreground' : 'background'}
          duration={toast.level === 'error' ? Number.POSITIVE_INFINITY : infoMs}
          onOpenChange={(open) => {
            if (!open) onDismiss(toast.id);
          }}
          className="appear flex items-start gap-3 rounded-card border border-line-strong bg-raised p-3 shadow-float"
        >
          {toast.level === 'error' ? (
            <CircleAlert aria-hidden size={17} strokeWidth={1.75} className="mt-0.5 shrink-0 text-deny" />
          ) : (
            <CircleCheck aria-hidden size={17} strokeWidth={1.75} className="mt-0.5 shrink-0 text-allow" />
          )}
          <div className="min-w-0 flex-1 break-words">
            <Radix.Title className="font-semibold">{toast.title}</Radix.Title>
            <Radix.Description className="max-h-40 overflow-y-auto text-muted">{toast.text}</Radix.Description>
            {toast.action === undefined ? null : (
              <Radix.Action asChild altText={toast.action.label}>
                <Button size="small" className="mt-2" onClick={toast.action.run}>
                  {toast.action.label}
                </Button>
              </Radix.Action>
            )}
          </div>
          <Radix.Close asChild>
            <IconButton label="Dismiss" icon={X} size="small" />
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport className="fixed top-14 right-4 z-60 flex w-96 max-w-[calc(100vw-32px)] flex-col gap-2" />
    </Radix.Provider>
  );
}
