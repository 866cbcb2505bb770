import type { McpServerConfig } from '#shared/api/mcp';
import { VisibleText } from '../../../ui/VisibleText';
import { configLines } from './serverWords';

/** What a server runs or reaches, piece by piece. */
export function ConfigView({ config }: { readonly config: McpServerConfig }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 rounded-control border border-line bg-code px-3 py-2">
      {configLines(config).map(({ label, value, hidden }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a piece's place is what identifies it.
        <div key={index} className="contents">
          <dt className="whitespace-nowrap text-muted text-small">{label}</dt>
          <dd className="chat-verbatim font-mono text-mono">
            {value === '' ? <span className="text-muted">(empty)</span> : <VisibleText text={value} />}
            {hidden ? <span className="text-muted"> = •••••• (kept from this page)</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}
