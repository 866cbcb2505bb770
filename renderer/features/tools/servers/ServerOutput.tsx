import { RefreshCw } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import type { McpServerView } from '#shared/api/mcp';
import { host } from '../../../host/client';
import { useSession } from '../../../stores/session';
import { messageOf } from '../../../stores/toasts';
import { Button } from '../../../ui/Button';
import { VisibleText } from '../../../ui/VisibleText';
import { ScrollBox } from '../../chat/views/ScrollBox';
import { Part } from '../detail/Part';

/** Shown at most, in characters: the newest. */
const shownChars = 20_000;

/** What a server printed beside the protocol: plain text, whatever is in it. */
export function ServerOutput({ server }: { readonly server: McpServerView }) {
  const folder = useSession((session) => session.state.folder);
  const [output, setOutput] = useState<{ readonly text: string; readonly droppedChars: number } | null>(null);
  const [problem, setProblem] = useState('');
  const { id, state } = server;
  const stdio = server.config.type === 'stdio';
  const load = useCallback(async () => {
    try {
      setOutput(await host().call('mcp.stderr', { folder, id }));
      setProblem('');
    } catch (error) {
      setProblem(messageOf(error));
    }
  }, [folder, id]);
  useEffect(() => {
    if (stdio && state !== 'needsApproval') void load();
  }, [load, state, stdio]);
  if (!stdio || state === 'needsApproval') return null;
  const text = output?.text.slice(-shownChars) ?? '';
  const left = (output?.droppedChars ?? 0) + (output?.text.length ?? 0) - text.length;
  return (
    <Part title="What it printed (stderr)">
      {problem === '' ? null : <p className="break-words text-muted">{problem}</p>}
      {output === null || problem !== '' ? null : text.trim() === '' ? (
        <p className="text-muted">Nothing.</p>
      ) : (
        <ScrollBox
          label="What the server printed"
          className="max-h-72 overflow-auto rounded-control border border-line bg-code"
        >
          <pre className="chat-verbatim px-3 py-2 font-mono text-mono">
            {left > 0 ? (
              <span className="block text-muted">… {left.toLocaleString('en')} characters before this</span>
            ) : null}
            <VisibleText text={text} />
          </pre>
        </ScrollBox>
      )}
      <Button size="small" variant="ghost" icon={RefreshCw} className="mt-2 -ml-2" onClick={() => void load()}>
        Look again
      </Button>
    </Part>
  );
}
