import { useState } from 'react';
import type { McpServerView } from '#shared/api/mcp';
import { useRules } from '../../../stores/rules';
import { type ServerChange, useTools } from '../../../stores/tools';
import { Button } from '../../../ui/Button';
import { Part } from '../detail/Part';
import { ConfigView } from './ConfigView';

const words = {
  trust: 'This server came with the folder. Trust the folder first; then decide on the server.',
  approval:
    'This server came with the folder. Once approved it runs with your rights, outside the sandbox, whenever this folder is open.',
  changed: 'You approved this server, and what it would run has changed since. Look at every line again.',
};

/** A server that came with the folder: what exactly would run, and the two answers. */
export function Approval({ server }: { readonly server: McpServerView }) {
  const change = useTools((store) => store.change);
  const setTrust = useRules((rules) => rules.setTrust);
  const [busy, setBusy] = useState(false);
  const needs = server.needs ?? 'approval';
  const answer = async (call: ServerChange, fact: string): Promise<void> => {
    setBusy(true);
    await change({ call, id: server.id, fact, ...(call === 'mcp.approve' ? { hash: server.configHash } : {}) });
    setBusy(false);
  };
  return (
    <Part title={needs === 'changed' ? 'What would run now' : 'What would run'}>
      <p className="mb-2.5">{words[needs]}</p>
      <ConfigView config={server.config} />
      <div className="mt-3 flex flex-wrap gap-2">
        {server.state === 'disabled' ? null : (
          <Button disabled={busy} onClick={() => void answer('mcp.reject', 'The server was not refused.')}>
            Refuse
          </Button>
        )}
        {needs === 'trust' ? (
          <Button variant="primary" disabled={busy} onClick={() => void setTrust(true)}>
            Trust the folder
          </Button>
        ) : (
          <Button
            variant="primary"
            disabled={busy}
            onClick={() => void answer('mcp.approve', 'The server was not approved.')}
          >
            Approve and start
          </Button>
        )}
      </div>
    </Part>
  );
}
