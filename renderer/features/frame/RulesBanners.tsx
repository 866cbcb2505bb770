// What people must know about the rules of the session: files in trouble, a folder that waits for trust, patterns that
// are denied without asking, and rules that end by themselves.
import type { DenialBlock, RuleFile, TrustView } from '#shared/api/permissions';
import { useApp } from '../../stores/app';
import { useWaitingFiles } from '../../stores/commands';
import { useRules } from '../../stores/rules';
import { useRulesPage } from '../../stores/rulesPage';
import { useUi } from '../../stores/ui';
import { useFollowServers, useWaitingServers } from '../../stores/waitingServers';
import { Banner } from '../../ui/Banner';
import { Button } from '../../ui/Button';
import { VisibleText } from '../../ui/VisibleText';
import { TrustDialog } from './TrustDialog';
import { freshCount, waitingWords } from './trustWords';
import { useNow } from './useNow';
import { counted, placeOf, remainingTime, sentence } from './words';

export function RulesBanners() {
  const view = useRules((rules) => rules.view);
  if (view === null) return null;
  return (
    <>
      <FileBanners files={view.files} />
      <TrustBanner trust={view.trust} />
      {view.denials.map((block) => (
        <DenialStrip key={block.pattern} block={block} />
      ))}
      {view.expiring.map((rule) => (
        <ExpiryStrip key={rule.text} text={rule.text} until={rule.until} />
      ))}
    </>
  );
}

const troubles: Readonly<Partial<Record<RuleFile['state'], string>>> = {
  broken: 'A settings file cannot be understood:',
  unreadable: 'A settings file cannot be read:',
  ignored: 'A policy file is ignored:',
};

function FileBanners({ files }: { readonly files: readonly RuleFile[] }) {
  const home = useApp((app) => app.hello?.home ?? '');
  const dismissed = useUi((ui) => ui.rulesDismissed);
  const dismiss = useUi((ui) => ui.dismissRules);
  return files.map((file) => {
    const title = troubles[file.state] ?? (file.problem === '' ? null : 'An entry of a settings file is skipped:');
    const notice = `${file.path} ${file.line ?? ''} ${file.problem}`;
    if (title === null || dismissed.includes(notice)) return null;
    const lasts = file.state !== 'read';
    return (
      <Banner
        key={file.path}
        level={lasts ? 'error' : 'warning'}
        title={title}
        action={
          <Button
            size="small"
            onClick={() => {
              useRulesPage.getState().show({
                view: 'text',
                file: file.path,
                line: file.line ?? null,
                repairing: file.state === 'broken',
              });
              useApp.getState().go('rules');
            }}
          >
            {file.state === 'broken' ? 'Repair…' : 'Show'}
          </Button>
        }
        // A file that is not in force stays in sight; a skipped entry may be put aside.
        onDismiss={lasts ? undefined : () => dismiss(notice)}
      >
        <span className="font-mono text-mono">{placeOf(file, home)}</span>. {sentence(file.problem)}
      </Banner>
    );
  });
}

function TrustBanner({ trust }: { readonly trust: TrustView }) {
  const files = useWaitingFiles();
  const servers = useWaitingServers(trust.folder);
  useFollowServers(trust.folder, !trust.trusted);
  const words = waitingWords(trust, { files, servers });
  const notice = `trust ${JSON.stringify([trust, files, servers])}`;
  const dismissed = useUi((ui) => ui.rulesDismissed.includes(notice));
  const dismiss = useUi((ui) => ui.dismissRules);
  if (trust.trusted || words === '' || dismissed) return null;
  const fresh = freshCount(trust);
  return (
    <Banner
      level="warning"
      title={
        trust.changed
          ? 'What this folder brings has changed since you trusted it.'
          : 'This folder brings settings of its own.'
      }
      action={<TrustDialog trust={trust} onLater={() => dismiss(notice)} />}
      onDismiss={() => dismiss(notice)}
    >
      {trust.changed
        ? `${counted(fresh, 'thing is', 'things are')} new, so nothing of it counts until you have looked: ${words}. Its deny and ask rules stay in force.`
        : `${words} wait until you trust it. Its deny and ask rules are in force already.`}
    </Banner>
  );
}

function DenialStrip({ block }: { readonly block: DenialBlock }) {
  const now = useNow(1_000);
  const lift = useRules((rules) => rules.liftDenial);
  if (now >= block.until) return null;
  return (
    <Banner
      level="info"
      title="Denied without asking:"
      action={
        <Button size="small" onClick={() => void lift(block.pattern)}>
          Ask me again
        </Button>
      }
    >
      <code className="font-mono text-mono">
        <VisibleText text={block.pattern} />
      </code>
      . You denied it {block.count} times within five minutes, so the agent was told to try another way.{' '}
      <Remaining ms={block.until - now} />
    </Banner>
  );
}

function ExpiryStrip({ text, until }: { readonly text: string; readonly until: number | null }) {
  const now = useNow(1_000);
  const removeRule = useRules((rules) => rules.removeRule);
  if (until !== null && now >= until) return null;
  return (
    <Banner
      level="info"
      title="Allowed for a while:"
      action={
        <Button size="small" onClick={() => void removeRule({ text, behavior: 'allow', source: 'session' })}>
          End now
        </Button>
      }
    >
      <code className="font-mono text-mono">
        <VisibleText text={text} />
      </code>
      . {until === null ? 'Until this task ends.' : <Remaining ms={until - now} />}
    </Banner>
  );
}

/** Not announced: a number that changes every second would drown everything else. */
function Remaining({ ms }: { readonly ms: number }) {
  return (
    <span aria-hidden className="text-muted">
      {remainingTime(ms)} left.
    </span>
  );
}
