import { Pencil, Power, PowerOff, RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { McpServerView } from '#shared/api/mcp';
import { useApp } from '../../../stores/app';
import { type ServerChange, useTools } from '../../../stores/tools';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { VisibleText } from '../../../ui/VisibleText';
import { homePath } from '../../frame/words';
import { Part } from '../detail/Part';
import { Approval } from './Approval';
import { ConfigView } from './ConfigView';
import { ServerDialog } from './ServerDialog';
import { ServerOutput } from './ServerOutput';
import { ServerState } from './ServerState';
import { ServerTools } from './ServerTools';
import { SignIn } from './SignIn';
import { scopeWords } from './serverWords';

/** One server: its state and what to do about it, what it runs, what it brings, what it printed. */
export function ServerDetail({ server }: { readonly server: McpServerView }) {
  const home = useApp((app) => app.hello?.home ?? '');
  const { label, meaning } = scopeWords[server.scope];
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <header className="border-line border-b px-4 py-3">
        <h2 className="chat-verbatim font-semibold text-title">
          <VisibleText text={server.name} />
        </h2>
        <div role="status" className="mt-1">
          <ServerState state={server.state} />
          {server.reason === '' ? null : (
            <p className="chat-verbatim mt-1">
              <VisibleText text={server.reason} />
            </p>
          )}
        </div>
        <Actions server={server} />
      </header>
      {server.needs === null ? null : <Approval server={server} />}
      {server.state === 'needsAuth' || server.signedIn ? <SignIn server={server} /> : null}
      {server.problems.length === 0 ? null : (
        <Part title="Left out of what it offers">
          <ul className="flex flex-col gap-1">
            {server.problems.map((problem) => (
              <li key={problem} className="chat-verbatim text-ask">
                <VisibleText text={problem} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      <ServerTools server={server} />
      {server.needs !== null ? null : (
        <Part title={server.config.type === 'stdio' ? 'What it runs' : 'Where it is reached'}>
          <ConfigView config={server.config} />
        </Part>
      )}
      <Part title="Where it is configured">
        <p>
          {label}
          <span className="text-muted"> · {meaning}</span>
        </p>
        {server.file === null ? null : (
          <p className="chat-verbatim font-mono text-mono text-muted">{homePath(server.file, home)}</p>
        )}
        {server.version === '' ? null : (
          <p className="chat-verbatim mt-1 text-muted">
            It calls itself <VisibleText text={server.version} />
            {server.resources ? ' · brings resources' : ''}
            {server.prompts ? ' · brings prompts' : ''}
          </p>
        )}
      </Part>
      {server.instructions === '' ? null : (
        <Part title="Its notes for the model, written by the server">
          <p className="chat-verbatim max-h-48 overflow-y-auto">
            <VisibleText text={server.instructions} />
          </p>
        </Part>
      )}
      <ServerOutput server={server} />
    </div>
  );
}

function Actions({ server }: { readonly server: McpServerView }) {
  const change = useTools((store) => store.change);
  const [editing, setEditing] = useState(false);
  const [removing, setRemoving] = useState(false);
  const [busy, setBusy] = useState(false);
  const run = async (call: ServerChange, fact: string): Promise<void> => {
    setBusy(true);
    await change({ call, id: server.id, fact });
    setBusy(false);
  };
  const runs = ['connecting', 'connected', 'failed', 'restarting', 'needsAuth'].includes(server.state);
  return (
    <div className="mt-2.5 flex flex-wrap gap-2">
      {runs ? (
        <Button
          size="small"
          icon={RotateCw}
          disabled={busy}
          onClick={() => void run('mcp.restart', 'The server was not started again.')}
        >
          Restart
        </Button>
      ) : null}
      {server.needs !== null ? null : server.state === 'disabled' ? (
        <Button
          size="small"
          icon={Power}
          disabled={busy}
          onClick={() => void run('mcp.enable', 'The server was not switched on.')}
        >
          Switch on
        </Button>
      ) : (
        <Button
          size="small"
          icon={PowerOff}
          disabled={busy}
          onClick={() => void run('mcp.disable', 'The server was not switched off.')}
        >
          Switch off
        </Button>
      )}
      {server.editable ? (
        <>
          <Button size="small" icon={Pencil} onClick={() => setEditing(true)}>
            Edit…
          </Button>
          <Button size="small" variant="danger" icon={Trash2} onClick={() => setRemoving(true)}>
            Remove…
          </Button>
        </>
      ) : null}
      {editing ? <ServerDialog server={server} onClose={() => setEditing(false)} /> : null}
      <Dialog
        open={removing}
        onOpenChange={setRemoving}
        width="narrow"
        title={`Remove ${server.name}?`}
        description={`Its entry is taken out of ${server.file ?? 'the configuration'}, and its tools are gone from every session here.`}
        footer={
          <>
            <Button onClick={() => setRemoving(false)}>Cancel</Button>
            <Button
              variant="danger"
              disabled={busy}
              onClick={() => {
                setRemoving(false);
                void run('mcp.remove', 'The server was not removed.');
              }}
            >
              Remove
            </Button>
          </>
        }
      />
    </div>
  );
}
