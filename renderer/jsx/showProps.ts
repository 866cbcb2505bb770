// Every text of the page passes here on its way into an element. Text comes from models, commands, servers, files and
// their names; none of it may turn around what stands beside it, or hide. Places where each character counts say more,
// with `VisibleText`.
import { shownText } from '../ui/visibleCharacters';

/** Attributes that are shown or read aloud, of elements of the page itself. */
const spoken = ['title', 'alt', 'placeholder'] as const;

/** The properties of an element with its texts made showable; the same object when there is nothing to change. */
export function showProps(type: unknown, props: unknown): unknown {
  if (typeof props !== 'object' || props === null) return props;
  let changed: Record<string, unknown> | undefined;
  const change = (name: string, value: unknown): void => {
    const shown = showValue(value);
    if (shown === value) return;
    changed ??= { ...props };
    changed[name] = shown;
  };
  if ('children' in props) change('children', props.children);
  if (typeof type === 'string') for (const name of spoken) if (name in props) change(name, Reflect.get(props, name));
  for (const name in props) if (name[0] === 'a' && name.startsWith('aria-')) change(name, Reflect.get(props, name));
  return changed ?? props;
}

function showValue(value: unknown): unknown {
  if (typeof value === 'string') return shownText(value);
  if (!Array.isArray(value)) return value;
  let changed: unknown[] | undefined;
  for (const [index, item] of value.entries()) {
    const shown = typeof item === 'object' && !Array.isArray(item) ? item : showValue(item);
    if (shown === item) continue;
    changed ??= [...value];
    changed[index] = shown;
  }
  return changed ?? value;
}
