import type { ReactNode } from 'react';
import { useUi } from '../../../stores/ui';
import type { FilePlace } from './filePlace';

/** A file that a model named: opens in the inspector, at its line. */
export function FileLink({ place, children }: { readonly place: FilePlace; readonly children: ReactNode }) {
  const showFile = useUi((ui) => ui.showFile);
  return (
    <button
      type="button"
      title={`Show ${place.path}${place.line === null ? '' : `, line ${place.line},`} beside the chat`}
      onClick={() => showFile(place)}
      className="inline text-left text-accent underline decoration-dotted decoration-from-font underline-offset-2 [overflow-wrap:anywhere]"
    >
      {children}
    </button>
  );
}
