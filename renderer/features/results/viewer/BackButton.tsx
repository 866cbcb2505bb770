import { ArrowLeft } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { IconButton } from '../../../ui/IconButton';

/** The way back to the list where there is room for one of both. */
export function BackButton({ onClick }: { readonly onClick: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  // The list, and the focus in it, has just gone.
  useEffect(() => button.current?.focus(), []);
  return <IconButton ref={button} label="All results" icon={ArrowLeft} size="small" side="right" onClick={onClick} />;
}
