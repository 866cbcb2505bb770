import { ArrowLeft } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '../../../ui/Button';

/** The way back to the list where there is room for one of both. */
export function BackButton({ onClick }: { readonly onClick: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  // The list, and the focus in it, has just gone.
  useEffect(() => button.current?.focus(), []);
  return (
    <Button ref={button} size="small" variant="ghost" icon={ArrowLeft} onClick={onClick}>
      All results
    </Button>
  );
}
