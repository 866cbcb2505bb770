import { useEffect, useState } from 'react';
import type { AppContract } from '#shared/api/app';
import type { McpServerView, McpToolView } from '#shared/api/mcp';
import type { Answer } from '#shared/rpc/contract';
import { host } from '../../../host/client';
import { useSession } from '../../../stores/session';
import { messageOf } from '../../../stores/toasts';
import { useTools } from '../../../stores/tools';
import { Button } from '../../../ui/Button';
import { VisibleText } from '../../../ui/VisibleText';
import { DiffView } from '../../chat/views/DiffView';
import { ScrollBox } from '../../chat/views/ScrollBox';
import { Part } from '../detail/Part';
import { diffOf } from './diffOf';

/** Tools that are not what the person agreed to: what changed in each, and a word on it. */
export function ChangedTools(props: { readonly server: McpServerView; readonly tools: readonly McpToolView[] }) {
  const { server, tools } = props;
  return (
    <Part title="Definitions that changed since you agreed">
      <p className="mb-2">
        Rules that allow these tools wait until you confirm what they say now. Until then each call asks.
      </p>
      <ul className="flex flex-col gap-3">
        {tools.map((tool) => (
          <li key={tool.originalName} className="overflow-hidden rounded-control border border-ask/60">
            <ChangedTool server={server} name={tool.originalName} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

function ChangedTool({ server, name }: { readonly server: McpServerView; readonly name: string }) {
  const folder = useSession((session) => session.state.folder);
  const change = useTools((store) => store.change);
  const [definition, setDefinition] = useState<Answer<AppContract, 'mcp.definition'> | null>(null);
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);

  // With each news of the server, because the definition may have changed once more.
  useEffect(() => {
    let wanted = true;
    host()
      .call('mcp.definition', { folder, id: server.id, tool: name })
      .then(
        (answer) => {
          if (wanted) setDefinition(answer);
        },
        (error: unknown) => {
          if (wanted) setProblem(messageOf(error));
        },
      );
    return () => {
      wanted = false;
    };
  }, [folder, server, name]);

  async function confirm(hash: string): Promise<void> {
    setBusy(true);
    const fact = 'The definition was not confirmed.';
    await change({ call: 'mcp.confirmTools', id: server.id, tools: [name], hash, fact });
    setBusy(false);
  }

  return (
    <>
      <p className="chat-verbatim border-line border-b px-3 py-1.5 font-medium font-mono text-mono">
        <VisibleText text={name} />
      </p>
      {problem === '' ? null : <p className="break-words px-3 py-2 text-deny">{problem}</p>}
      {definition === null ? null : (
        <>
          <ScrollBox label={`What changed in ${name}`} className="max-h-80 overflow-auto bg-code">
            {definition.before === null ? (
              <>
                <p className="px-3 py-1.5 text-muted text-small">
                  What it said before is not known any more. It says now:
                </p>
                <pre className="chat-verbatim px-3 pb-2 font-mono text-mono">
                  <VisibleText text={definition.now} />
                </pre>
              </>
            ) : (
              <DiffView view={diffOf(name, { before: definition.before, now: definition.now })} />
            )}
          </ScrollBox>
          <div className="border-line border-t px-3 py-2">
            <Button size="small" disabled={busy} onClick={() => void confirm(definition.hash)}>
              Confirm this definition
            </Button>
          </div>
        </>
      )}
    </>
  );
}
