import { useEffect, useState } from 'react';
import type { HookEntry } from '#shared/api/hooks';
import type { TrustView } from '#shared/api/permissions';
import { ruleSources } from '#shared/permissions/sources';
import { host } from '../../host/client';
import { useApp } from '../../stores/app';
import { useWaitingFiles } from '../../stores/commands';
import { useRules } from '../../stores/rules';
import { useSession } from '../../stores/session';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { VisibleText } from '../../ui/VisibleText';
import { homePath } from './words';

/** Button and dialog that show everything that waits, and ask whether to trust the folder. */
export function TrustDialog({ trust, onLater }: { readonly trust: TrustView; readonly onLater: () => void }) {
  const [open, setOpen] = useState(false);
  const setTrust = useRules((rules) => rules.setTrust);
  const home = useApp((app) => app.hello?.home ?? '');
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Show what waits…
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Do you trust this folder?"
        description={
          <>
            <span className="break-all font-mono text-mono">{homePath(trust.folder, home)}</span> brings what would let
            the agent act without asking you, or tell it what to do. Trust it only if you know who wrote it.
          </>
        }
        footer={
          <>
            <Button
              onClick={() => {
                setOpen(false);
                onLater();
              }}
            >
              Not now
            </Button>
            <Button
              variant="primary"
              onClick={() => {
                setOpen(false);
                void setTrust(true);
              }}
            >
              Trust this folder
            </Button>
          </>
        }
      >
        <TrustList trust={trust} />
      </Dialog>
    </>
  );
}

function TrustList({ trust }: { readonly trust: TrustView }) {
  const { waitingRules, waitingDirectories } = trust;
  const files = useWaitingFiles();
  const hooks = useWaitingHooks();
  return (
    <div className="flex flex-col gap-4">
      {waitingRules.length === 0 ? null : (
        <section aria-label="Rules that wait">
          <h3 className="mb-1.5 text-head font-semibold text-muted">Would run without asking</h3>
          <ul className="flex flex-col gap-1.5">
            {waitingRules.map((rule) => (
              <li key={`${rule.source} ${rule.line ?? 0} ${rule.text}`} className="break-words">
                <code className="font-mono text-mono">
                  <VisibleText text={rule.text} />
                </code>{' '}
                <span className="text-small text-muted">
                  {ruleSources[rule.source].label}
                  {rule.line === undefined ? '' : `, line ${rule.line}`}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {hooks.length === 0 ? null : (
        <section aria-label="Hooks that wait">
          <h3 className="mb-1.5 text-head font-semibold text-muted">Would run by themselves</h3>
          <ul className="flex flex-col gap-1.5">
            {hooks.map((hook) => (
              <li key={hook.id} className="break-words">
                <code className="font-mono text-mono">
                  <VisibleText text={hook.label} />
                </code>{' '}
                <span className="text-small text-muted">
                  hook for {hook.at.event}
                  {hook.line === null ? '' : `, line ${hook.line}`}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {waitingDirectories.length === 0 ? null : (
        <section aria-label="Folders that wait">
          <h3 className="mb-1.5 text-head font-semibold text-muted">Would become working folders</h3>
          <ul className="flex flex-col gap-1.5">
            {waitingDirectories.map((directory) => (
              <li key={directory} className="break-all font-mono text-mono">
                <VisibleText text={directory} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {files.length === 0 ? null : (
        <section aria-label="Files that wait">
          <h3 className="mb-1.5 text-head font-semibold text-muted">Would be read as instructions</h3>
          <ul className="flex flex-col gap-1.5">
            {files.map((file) => (
              <li key={file} className="break-all font-mono text-mono">
                <VisibleText text={file.startsWith(`${trust.folder}/`) ? file.slice(trust.folder.length + 1) : file} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** Hooks that came with the folder, asked for when somebody looks. What cannot be had leaves the rest of the list. */
function useWaitingHooks(): readonly HookEntry[] {
  const sessionId = useSession((session) => session.sessionId);
  const [hooks, setHooks] = useState<readonly HookEntry[]>([]);
  useEffect(() => {
    if (sessionId === null) return;
    let still = true;
    host()
      .call('hooks.list', { sessionId })
      .then(
        (view) => still && setHooks(view.hooks.filter(({ state }) => state === 'waits')),
        () => undefined,
      );
    return () => {
      still = false;
    };
  }, [sessionId]);
  return hooks;
}
