import type { LucideIcon } from 'lucide-react';
import { EmptyState } from './EmptyState';

export interface NeedsFolderProps {
  readonly icon: LucideIcon;
  /** Why the page needs a folder, and what it shows then. */
  readonly children: string;
}

/** A page that is about a folder, before one is open. */
export function NeedsFolder({ icon: Icon, children }: NeedsFolderProps) {
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <p className="flex items-center gap-2.5 border-line border-b px-4 py-3 text-muted">
        <Icon aria-hidden size={17} strokeWidth={1.75} className="shrink-0" />
        {children}
      </p>
      <div className="min-h-0 flex-1">
        <EmptyState />
      </div>
    </div>
  );
}
