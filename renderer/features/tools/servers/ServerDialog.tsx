import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { McpServerConfig, McpServerView } from '#shared/api/mcp';
import { host } from '../../../host/client';
import { useSession } from '../../../stores/session';
import { messageOf } from '../../../stores/toasts';
import { useTools } from '../../../stores/tools';
import { useToolsPage } from '../../../stores/toolsPage';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { TextField } from '../../../ui/TextField';
import { Choices } from '../../settings/Choices';
import { configOf, draftOf, draftProblem, emptyServer, type ServerDraft } from './draftConfig';
import { ArgumentFields, PairFields } from './EntryFields';
import { ServerTest } from './ServerTest';

export interface ServerDialogProps {
  /** The server to change; null adds one. */
  readonly server: McpServerView | null;
  readonly onClose: () => void;
}

function firstDraft(server: McpServerView | null): ServerDraft {
  if (server === null) return emptyServer;
  return draftOf(server.name, server.scope === 'project' ? 'project' : 'gatehouse', server.config);
}

/** The form for a new server or a changed one, with a test before anything is saved. */
export function ServerDialog({ server, onClose }: ServerDialogProps) {
  const folder = useSession((session) => session.state.folder);
  const takeServers = useTools((store) => store.takeServers);
  const show = useToolsPage((page) => page.show);
  const [draft, setDraft] = useState(() => firstDraft(server));
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const formId = useId();
  const problem = draftProblem(draft);
  const config = configOf(draft, server?.config ?? null);
  const change = (part: Partial<ServerDraft>) => {
    setFailure('');
    setDraft({ ...draft, ...part });
  };

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    if (problem !== '' || busy) return;
    setBusy(true);
    try {
      const { view } =
        server === null
          ? await host().call('mcp.add', { folder, scope: draft.scope, name: draft.name.trim(), config })
          : await host().call('mcp.edit', { folder, id: server.id, config });
      takeServers(view);
      show({ tab: 'servers', server: server?.id ?? `${draft.scope}/${draft.name.trim()}` });
      onClose();
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
    }
  }

  const shownProblem = failure || (tried ? problem : '');
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      width="wide"
      title={server === null ? 'Add an MCP server' : `Change ${server.name}`}
      description={`It runs with your rights, outside the sandbox. \${VAR} in any field is filled in from the environment.`}
      footer={
        <>
          <p role="alert" className="mr-auto min-w-0 break-words text-deny">
            {shownProblem}
          </p>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" disabled={busy}>
            {busy ? 'Saving…' : server === null ? 'Add server' : 'Save'}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={(event) => void save(event)} className="flex flex-col gap-4">
        {server === null ? <NewServer draft={draft} onChange={change} /> : null}
        <Captioned caption="How it is reached">
          <Choices<McpServerConfig['type']>
            label="How it is reached"
            value={draft.type}
            choices={[
              { value: 'stdio', label: 'A program here', hint: 'stdio' },
              { value: 'http', label: 'An address', hint: 'streamable HTTP' },
              { value: 'sse', label: 'An older address', hint: 'SSE' },
            ]}
            onChoose={(type) => change({ type })}
          />
        </Captioned>
        {draft.type === 'stdio' ? (
          <>
            <TextField
              label="Command"
              mono
              placeholder="npx"
              value={draft.command}
              onChange={(command) => change({ command })}
              hint="The program alone; each argument has a field of its own."
            />
            <ArgumentFields args={draft.args} onChange={(args) => change({ args })} />
          </>
        ) : (
          <TextField
            label="Address"
            mono
            inputMode="url"
            placeholder="https://mcp.example.com/mcp"
            value={draft.url}
            onChange={(url) => change({ url })}
          />
        )}
        <PairFields
          kind={draft.type === 'stdio' ? 'Variable' : 'Header'}
          pairs={draft.pairs}
          onChange={(pairs) => change({ pairs })}
        />
        <ServerTest folder={folder} draft={draft} config={config} />
      </form>
    </Dialog>
  );
}

function NewServer(props: { readonly draft: ServerDraft; readonly onChange: (part: Partial<ServerDraft>) => void }) {
  const { draft, onChange } = props;
  return (
    <>
      <TextField
        label="Name"
        value={draft.name}
        onChange={(name) => onChange({ name })}
        placeholder="files"
        hint="Rules name its tools by it: mcp__name__tool."
      />
      <Captioned caption="Where it is saved">
        <Choices
          label="Where it is saved"
          value={draft.scope}
          choices={[
            { value: 'gatehouse', label: 'For me, in all folders', hint: 'Gatehouse’s own file' },
            { value: 'project', label: 'For this project', hint: '.mcp.json, which others who work here read too' },
          ]}
          onChoose={(scope) => onChange({ scope })}
        />
      </Captioned>
    </>
  );
}

/** The choices name themselves to assistive technology; this names them to the eye. */
function Captioned({ caption, children }: { readonly caption: string; readonly children: ReactNode }) {
  return (
    <div>
      <p aria-hidden className="mb-1.5 font-medium">
        {caption}
      </p>
      {children}
    </div>
  );
}
