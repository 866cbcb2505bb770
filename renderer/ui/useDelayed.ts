import { useEffect, useState } from 'react';

/** False until `ms` have passed since the component appeared: what is quick shows no sign of waiting. */
export function useDelayed(ms: number): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return passed;
}
