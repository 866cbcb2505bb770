import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { View } from '#shared/tools/presentation';

export type Json = Extract<View, { kind: 'json' }>['value'];

/** Children beyond this many are shown on demand. */
const pageSize = 100;

/** A JSON value as a tree of which the first two levels are open. */
export function JsonTree({ value }: { readonly value: Json }) {
  return (
    <div className="px-3.5 py-2 font-mono text-mono">
      <Node name={null} value={value} depth={0} />
    </div>
  );
}

interface NodeProps {
  readonly name: string | null;
  readonly value: Json;
  readonly depth: number;
}

function Node({ name, value, depth }: NodeProps) {
  const label = name === null ? null : <span className="text-muted">{name}: </span>;
  if (value === null || typeof value !== 'object') {
    return (
      <div className="chat-verbatim pl-[18px]">
        {label}
        <Leaf value={value} />
      </div>
    );
  }
  return <Branch name={name} value={value} depth={depth} />;
}

function Branch({ name, value, depth }: NodeProps & { readonly value: object }) {
  const [open, setOpen] = useState(depth < 2);
  const [limit, setLimit] = useState(pageSize);
  const entries = Object.entries(value) as [string, Json][];
  const isList = Array.isArray(value);
  const count = `${entries.length} ${isList ? (entries.length === 1 ? 'item' : 'items') : entries.length === 1 ? 'field' : 'fields'}`;
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex w-full items-start gap-1 rounded-small text-left hover:bg-hover"
      >
        <ChevronRight aria-hidden="true" size={14} className={`mt-0.5 shrink-0 text-dim ${open ? 'rotate-90' : ''}`} />
        <span className="chat-verbatim">
          {name !== null && <span className="text-muted">{name} </span>}
          <span className="text-dim">
            {isList ? '[ ]' : '{ }'} {count}
          </span>
        </span>
      </button>
      {open && (
        <div className="ml-[7px] border-line border-l pl-2">
          {entries.slice(0, limit).map(([key, child]) => (
            <Node key={key} name={key} value={child} depth={depth + 1} />
          ))}
          {entries.length > limit && (
            <button
              type="button"
              className="pl-[18px] text-accent hover:underline"
              onClick={() => setLimit(limit + pageSize)}
            >
              Show {Math.min(pageSize, entries.length - limit)} more
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function Leaf({ value }: { readonly value: string | number | boolean | null }) {
  if (typeof value === 'string') return <span className="text-added">{JSON.stringify(value)}</span>;
  return <span className="text-allow">{String(value)}</span>;
}
