import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PermissionAsk } from '#shared/session/ask';
import { VisibleText } from '../../../ui/VisibleText';
import { hasInvisible } from '../../../ui/visibleCharacters';
import { sentence } from '../../frame/words';
import { ViewBody } from '../views/ViewBody';
import { askContent } from './askContent';
import { PartList } from './PartList';

/** All that a person should see before answering: the call verbatim, its parts, what it touches. */
export function AskBody({ ask }: { readonly ask: PermissionAsk }) {
  const content = askContent(ask);
  const hidden = hasInvisible(content.allText);
  const moved = ask.paths.filter((path) => path.real !== path.given);
  return (
    <div className="flex flex-col gap-2.5">
      {ask.sandbox.outside !== undefined && <Outside sandbox={ask.sandbox} />}
      {ask.warning !== undefined && <Warning tone="deny">{ask.warning}</Warning>}
      {hidden && (
        <Warning tone="ask">
          This text has characters that cannot be seen or that change the order of others. They are marked below.
        </Warning>
      )}
      {content.drawView && <Picture ask={ask} />}
      {content.fields.length > 0 && <Fields fields={content.fields} />}
      {content.inPicture.length > 0 && (
        <p className="text-muted text-small">
          The change above is the whole of <code className="font-mono text-mono">{content.inPicture.join(', ')}</code>.
        </p>
      )}
      {ask.parts.length > 1 && <PartList parts={ask.parts} />}
      {moved.length > 0 && (
        <ul aria-label="Real paths" className="flex flex-col gap-1">
          {moved.map((path) => (
            <li key={`${path.access}-${path.given}`} className="text-small">
              <span className="text-muted">{path.access === 'write' ? 'writes' : 'reads'} </span>
              <code className="chat-verbatim font-mono text-mono">
                <VisibleText text={path.given} />
              </code>
              <span className="text-muted"> which is really </span>
              <code className="chat-verbatim font-mono text-mono text-ask">
                <VisibleText text={path.real} />
              </code>
            </li>
          ))}
        </ul>
      )}
      {ask.hosts.length > 0 && (
        <p className="text-small">
          <span className="text-muted">Contacts </span>
          <code className="chat-verbatim font-mono text-mono">
            <VisibleText text={ask.hosts.join(', ')} />
          </code>
        </p>
      )}
    </div>
  );
}

const outsideWords = {
  wanted: 'The model wants to run this outside of the sandbox.',
  excluded: 'This runs outside of the sandbox.',
};

/** Said before anything else: yes means more here than in other asks. */
function Outside({ sandbox }: { readonly sandbox: PermissionAsk['sandbox'] }) {
  if (sandbox.outside === undefined) return null;
  return (
    <Warning tone="deny">
      <strong className="font-semibold">{outsideWords[sandbox.outside]}</strong> Nothing confines it there: it can read
      and change all that you can, and reach the network.{' '}
      {sandbox.outside !== 'excluded' || sandbox.reason === '' ? null : <VisibleText text={sentence(sandbox.reason)} />}
    </Warning>
  );
}

function Picture({ ask }: { readonly ask: PermissionAsk }) {
  if (ask.view.kind === 'terminal') {
    return (
      <pre className="chat-verbatim rounded-control border border-line bg-code px-3 py-2.5 font-mono text-mono text-text">
        <VisibleText text={ask.view.command} />
      </pre>
    );
  }
  return (
    <div className="overflow-x-auto rounded-control border border-line bg-code">
      <ViewBody view={ask.view} wrap />
    </div>
  );
}

function Fields({ fields }: { readonly fields: readonly { readonly name: string; readonly text: string }[] }) {
  return (
    <dl aria-label="Arguments" className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 font-mono text-mono">
      {fields.map((field) => (
        <div key={field.name} className="contents">
          <dt className="text-muted">{field.name}</dt>
          <dd className="chat-verbatim">
            <VisibleText text={field.text} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Warning({ tone, children }: { readonly tone: 'ask' | 'deny'; readonly children: ReactNode }) {
  return (
    <p
      className={`flex items-start gap-2 rounded-control px-2.5 py-1.5 text-small ${
        tone === 'deny' ? 'bg-deny-tint text-deny' : 'bg-ask-tint text-ask'
      }`}
    >
      <TriangleAlert aria-hidden="true" size={15} strokeWidth={1.75} className="mt-px shrink-0" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </p>
  );
}
