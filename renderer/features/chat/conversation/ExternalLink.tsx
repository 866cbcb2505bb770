import { ExternalLink as Icon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { host } from '../../../host/client';
import { useApp } from '../../../stores/app';
import { reportFailure } from '../../../stores/toasts';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { VisibleText } from '../../../ui/VisibleText';
import { textNamesHost, webLink } from './safeLink';

interface Props {
  readonly address: string | undefined;
  /** The link's text without markup, to compare it with where the link goes. */
  readonly plainText: string;
  readonly children: ReactNode;
}

/** A link that a model wrote: says its real host, opens only after the whole address was shown. */
export function ExternalLink({ address, plainText, children }: Props) {
  const [asking, setAsking] = useState(false);
  const link = webLink(address);
  if (link === null) {
    const shown = address === undefined || address === '' || address === plainText ? null : ` (${address})`;
    return (
      <span>
        {children}
        {shown !== null && <span className="text-muted">{shown}</span>}
      </span>
    );
  }
  return (
    <>
      <button
        type="button"
        onClick={() => setAsking(true)}
        className="inline text-left text-accent underline decoration-from-font underline-offset-2 [overflow-wrap:anywhere]"
      >
        {children}
      </button>
      {!textNamesHost(plainText, link) && <span className="text-muted text-small"> ({link.host})</span>}
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={`Open ${link.host}?`}
        description="The model wrote this link. It opens in your browser, outside Gatehouse."
        footer={
          <>
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <OpenButton url={link.url} onDone={() => setAsking(false)} />
          </>
        }
      >
        <p className="chat-verbatim max-h-40 overflow-y-auto rounded-control border border-line bg-code px-3 py-2 font-mono text-mono">
          <VisibleText text={link.url} />
        </p>
      </Dialog>
    </>
  );
}

/** Through the host where it can, else as an ordinary link to a new tab. */
function OpenButton({ url, onDone }: { readonly url: string; readonly onDone: () => void }) {
  const canOpen = useApp((app) => app.hello?.capabilities.includes('openExternal') ?? false);
  const open = () => {
    onDone();
    if (canOpen) {
      host()
        .call('host.openExternal', { url })
        .catch((error: unknown) => reportFailure('The link was not opened.', error));
    } else window.open(url, '_blank', 'noopener,noreferrer');
  };
  return (
    <Button variant="primary" icon={Icon} onClick={open}>
      Open in browser
    </Button>
  );
}
