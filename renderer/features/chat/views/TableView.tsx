import type { View } from '#shared/tools/presentation';

/** A small table of text. */
export function TableView({ view }: { readonly view: Extract<View, { kind: 'table' }> }) {
  return (
    <table className="w-full border-collapse text-left text-small">
      <thead>
        <tr>
          {view.columns.map((column) => (
            <th
              key={column}
              scope="col"
              className="border-line border-b px-3.5 py-1.5 font-semibold text-head text-muted"
            >
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {view.rows.map((cells, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity and never move.
          <tr key={row} className="border-line border-b last:border-b-0">
            {cells.map((cell, column) => (
              <td key={view.columns[column] ?? column} className="chat-verbatim px-3.5 py-1.5 align-top">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
