import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { McpServerView } from '#shared/api/mcp';
import { host } from '../../../host/client';
import { useApp } from '../../../stores/app';
import { useSession } from '../../../stores/session';
import { messageOf, reportFailure } from '../../../stores/toasts';
import { useTools } from '../../../stores/tools';
import { Button } from '../../../ui/Button';
import { VisibleText } from '../../../ui/VisibleText';
import { webLink } from '../../chat/conversation/safeLink';
import { Part } from '../detail/Part';

/** Signing in to a server, in the person's own browser; the address is shown before anything opens. */
export function SignIn({ server }: { readonly server: McpServerView }) {
  const folder = useSession((session) => session.state.folder);
  const change = useTools((store) => store.change);
  const canOpen = useApp((app) => app.hello?.capabilities.includes('openExternal') ?? false);
  const [busy, setBusy] = useState(false);
  const [url, setUrl] = useState('');
  const [problem, setProblem] = useState('');

  async function begin(): Promise<void> {
    setBusy(true);
    setProblem('');
    try {
      const answer = await host().call('mcp.authorize', { folder, id: server.id });
      setUrl(answer.url);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  }

  if (server.signedIn && server.state !== 'needsAuth') {
    return (
      <Part title="Signed in">
        <p className="mb-2 text-muted">Gatehouse keeps what the server gave it, outside this page.</p>
        <Button
          size="small"
          onClick={() => void change({ call: 'mcp.signOut', id: server.id, fact: 'You are still signed in.' })}
        >
          Sign out
        </Button>
      </Part>
    );
  }
  const link = webLink(url);
  const open = (address: string) => {
    if (canOpen)
      host()
        .call('host.openExternal', { url: address })
        .catch((error: unknown) => reportFailure('The page was not opened.', error));
    else window.open(address, '_blank', 'noopener,noreferrer');
  };
  return (
    <Part title="Sign in">
      {link === null ? (
        <Button icon={KeyRound} variant="primary" disabled={busy} onClick={() => void begin()}>
          {busy ? 'Asking the server…' : 'Sign in…'}
        </Button>
      ) : (
        <>
          <p>
            Sign in at <span className="font-semibold">{link.host}</span> in your browser. The server connects by itself
            once you have agreed there.
          </p>
          <p className="chat-verbatim my-2 max-h-32 overflow-y-auto rounded-control border border-line bg-code px-3 py-2 font-mono text-mono">
            <VisibleText text={link.url} />
          </p>
          <span className="flex gap-2">
            <Button variant="primary" onClick={() => open(link.url)}>
              Open in browser
            </Button>
            <Button variant="ghost" onClick={() => setUrl('')}>
              Cancel
            </Button>
          </span>
        </>
      )}
      {problem === '' ? null : (
        <p role="alert" className="mt-2 break-words text-deny">
          {problem}
        </p>
      )}
    </Part>
  );
}
