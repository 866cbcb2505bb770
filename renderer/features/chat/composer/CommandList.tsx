import { useEffect, useRef } from 'react';
import type { TypedCommand } from '#shared/api/commands';
import { VisibleText } from '../../../ui/VisibleText';

interface Props {
  readonly id: string;
  readonly commands: readonly TypedCommand[];
  readonly active: number;
  /** Files that wait for trust. */
  readonly waiting: number;
  readonly onPick: (command: TypedCommand) => void;
}

export const optionId = (id: string, index: number) => `${id}-${index}`;

/** What fits the name being typed, above the message box. The keyboard stays in the box. */
export function CommandList({ id, commands, active, waiting, onPick }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[id="${optionId(id, active)}"]`)?.scrollIntoView?.({ block: 'nearest' });
  }, [id, active]);
  return (
    <div className="absolute inset-x-0 bottom-full z-10 mb-1.5 overflow-hidden rounded-card border border-line-strong bg-panel shadow-lg">
      <div ref={list} id={id} role="listbox" aria-label="Commands and skills" className="max-h-64 overflow-y-auto py-1">
        {commands.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the message box.
          // biome-ignore lint/a11y/useFocusableInteractive: the message box keeps the focus and names the active option.
          <div
            key={command.name}
            id={optionId(id, index)}
            role="option"
            aria-selected={index === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onPick(command)}
            className={`flex min-w-0 cursor-default items-baseline gap-2.5 px-3.5 py-1 text-small ${index === active ? 'bg-message' : ''}`}
          >
            <span className="shrink-0 font-mono text-mono">
              /<VisibleText text={command.name} />
              {command.argumentHint !== '' && (
                <span className="text-dim">
                  {' '}
                  <VisibleText text={command.argumentHint} />
                </span>
              )}
            </span>
            <span className="min-w-0 flex-1 truncate text-muted">
              <VisibleText text={command.description} />
            </span>
            <span className="shrink-0 text-dim">
              {command.allows.length > 0 ? `allows ${command.allows.join(', ')} · ` : ''}
              {command.source === 'user' ? 'yours' : 'project'}
            </span>
          </div>
        ))}
      </div>
      {waiting > 0 && (
        <p className="border-line border-t px-3.5 py-1.5 text-dim text-small">
          {waiting === 1 ? 'One file' : `${waiting} files`} of this folder will count once you trust it.
        </p>
      )}
    </div>
  );
}
