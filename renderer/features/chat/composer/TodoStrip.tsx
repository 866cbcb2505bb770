import { ChevronRight, Circle, CircleCheck, CircleDot } from 'lucide-react';
import { useState } from 'react';
import type { Todo } from '#shared/session/events';

const pictures = { pending: Circle, in_progress: CircleDot, completed: CircleCheck };
const looks = { pending: 'text-dim', in_progress: 'text-accent', completed: 'text-allow' };
const words = { pending: 'to do', in_progress: 'in work', completed: 'done' };

/** The model's list of steps, folded to the one in work. */
export function TodoStrip({ todos }: { readonly todos: readonly Todo[] }) {
  const [open, setOpen] = useState(false);
  if (todos.length === 0) return null;
  const done = todos.filter((todo) => todo.status === 'completed').length;
  const current = todos.find((todo) => todo.status === 'in_progress');
  const next = todos.find((todo) => todo.status === 'pending');
  const line = current?.activeForm ?? (next === undefined ? 'All steps done' : `Next: ${next.content}`);
  return (
    <section aria-label="Steps" className="rounded-card border border-line bg-panel">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-8 w-full items-center gap-2 rounded-card px-3 text-left text-small hover:bg-hover"
      >
        <ChevronRight aria-hidden="true" size={14} className={`shrink-0 text-dim ${open ? 'rotate-90' : ''}`} />
        <span className="min-w-0 truncate">{line}</span>
        <span aria-hidden="true" className="ml-auto flex shrink-0 gap-[3px]">
          {todos.map((todo, index) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole.
              key={index}
              className={`h-1 w-3 rounded-full ${todo.status === 'completed' ? 'bg-allow' : todo.status === 'in_progress' ? 'bg-accent' : 'bg-segment'}`}
            />
          ))}
        </span>
        <span className="shrink-0 text-muted">
          {done} of {todos.length}
        </span>
      </button>
      {open && (
        <ul className="max-h-52 overflow-y-auto border-line border-t px-3 py-2">
          {todos.map((todo, index) => {
            const Picture = pictures[todo.status];
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above.
              <li key={index} className="flex items-start gap-2 py-0.5">
                <Picture
                  aria-hidden="true"
                  size={15}
                  strokeWidth={1.75}
                  className={`mt-0.5 shrink-0 ${looks[todo.status]}`}
                />
                <span className={todo.status === 'completed' ? 'text-muted' : undefined}>
                  <span className="sr-only">{words[todo.status]}: </span>
                  {todo.content}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
