import { FolderOpen, History, KeyRound } from 'lucide-react';
import { useMemo } from 'react';
import { useApp } from '../../stores/app';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { openFolder, startIn } from '../folders/openFolder';
import { recentFolders } from '../folders/recentFolders';
import { Phrases } from '../settings/Phrases';
import { Logo } from './Logo';
import { baseName, homePath } from './words';

/** Nothing is open: teaches the one thing to do, and says who will answer. */
export function EmptyState() {
  const sessions = useApp((app) => app.sessions);
  const folders = useMemo(() => recentFolders(sessions ?? [], 5), [sessions]);
  return (
    <div className="flex h-full flex-col items-center overflow-y-auto px-6">
      <div className="my-auto flex w-full max-w-130 flex-col py-8">
        <div className="text-text">
          <Logo size={40} />
        </div>
        <h1 className="mt-4 text-page font-semibold">
          {folders.length === 0 ? 'Open a folder to begin' : 'What are you working on?'}
        </h1>
        <p className="mt-1 text-conversation text-muted">
          The model can ask for tools; Gatehouse decides. Every call goes through seven visible steps, and what no rule
          allows waits for your answer.
        </p>
        <div className="mt-5">
          <Button
            variant="primary"
            icon={FolderOpen}
            keys="Mod+Shift+O"
            className="h-9"
            onClick={() => void openFolder()}
          >
            Open folder
          </Button>
        </div>
        {folders.length === 0 ? null : <RecentFolders folders={folders} />}
        <WhoAnswers />
      </div>
    </div>
  );
}

function RecentFolders({ folders }: { readonly folders: readonly string[] }) {
  const home = useApp((app) => app.hello?.home ?? '');
  return (
    <section aria-label="Recent folders" className="mt-6">
      <h2 className="mb-1 text-head font-semibold text-muted">New session in a recent folder</h2>
      <ul className="-mx-2">
        {folders.map((folder) => (
          <li key={folder}>
            <button
              type="button"
              title={folder}
              onClick={() => void startIn(folder)}
              className="flex h-8.5 w-full items-center gap-2.5 rounded-control px-2 text-left hover:bg-hover"
            >
              <History aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-muted" />
              <span className="max-w-60 shrink-0 truncate font-medium">{baseName(folder)}</span>
              <span className="min-w-0 flex-1 truncate text-right font-mono text-mono text-dim" dir="rtl">
                <bdi dir="ltr">{homePath(folder, home)}</bdi>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function WhoAnswers() {
  const models = useApp((app) => app.models);
  const preferred = useApp((app) => app.preferences?.model ?? '');
  const go = useApp((app) => app.go);
  const model = models.find((candidate) => candidate.id === preferred) ?? models[0];
  if (model === undefined) return null;
  return (
    <section aria-label="Model" className="mt-6 rounded-card border border-line bg-panel p-4">
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-muted">Answers come from</span>
        <span className="font-semibold">{model.label}</span>
        {model.scripted ? <Badge tone="ask">scripted</Badge> : null}
      </div>
      {model.scripted ? (
        <>
          <p className="mt-1 text-muted">
            It is not intelligent: it plays fixed phrases, so that you can try everything without a key and without a
            network. The tool calls are real.
          </p>
          <Phrases className="mt-3" />
          <Button icon={KeyRound} className="mt-3" onClick={() => go('settings')}>
            Add an API key
          </Button>
        </>
      ) : null}
    </section>
  );
}
