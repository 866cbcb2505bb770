import { keyNames } from './keyNames';

/** Keys as caps: `Mod+Enter`. */
export function Kbd({ keys }: { readonly keys: string }) {
  return (
    <kbd className="inline-flex gap-1 font-mono text-head" aria-hidden>
      {keyNames(keys).map((name) => (
        <span key={name} className="min-w-4 rounded-small border border-current/25 px-1 text-center leading-4">
          {name}
        </span>
      ))}
    </kbd>
  );
}
