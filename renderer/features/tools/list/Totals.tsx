import type { Preferences } from '#shared/api/settings';
import type { ToolFigures } from '#shared/api/tools';
import { useApp } from '../../../stores/app';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Popover } from '../../../ui/Popover';
import { sentence } from '../../frame/words';
import { Choices } from '../../settings/Choices';
import { savedShare } from './filterTools';

const loaders: Readonly<Record<ToolFigures['loadedBy'], string>> = {
  server: 'The model’s server loads what the model finds.',
  gatehouse: 'Gatehouse adds what the model finds to the next request.',
  nobody: 'Nothing is deferred now.',
};

const count = (tokens: number) => tokens.toLocaleString('en');

/** What tools cost in the first request, with and without deferral, and how deferral is set. */
export function Totals({ figures }: { readonly figures: ToolFigures }) {
  const { totals, policy, estimate, loadedBy } = figures;
  const saved = savedShare(totals);
  return (
    <div className="flex items-center gap-3 border-line border-b bg-panel px-4 py-2.5">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-5 gap-y-1">
        <p className="min-w-0">
          <span className="font-semibold text-title">{count(totals.withDeferral)}</span>
          <span className="text-muted"> tokens for tools in the first request</span>
        </p>
        <p className="text-muted">
          {saved === 0 ? (
            'Deferral saves nothing now.'
          ) : (
            <>
              <span className="text-text">{count(totals.withoutDeferral)}</span> with everything loaded: deferral saves{' '}
              <span className="font-semibold text-allow">{saved} %</span>
            </>
          )}
        </p>
        <Badge>{totals.source === 'counted' ? 'measured' : 'estimated'}</Badge>
      </div>
      <span>
        <Popover
          label="Deferral"
          align="end"
          trigger={
            <Button size="small" variant="ghost">
              Deferral…
            </Button>
          }
        >
          <h2 className="font-semibold text-title">Deferral</h2>
          <p className="mt-1 text-muted">
            A deferred tool costs a line with its name; the model searches for it and gets its definition when it needs
            it.
          </p>
          <DeferralChoice />
          <p className="mt-3 break-words border-line border-t pt-3">
            {sentence(policy)} {loaders[loadedBy]}
          </p>
          <p className="mt-2 break-words text-muted text-small">
            {totals.source === 'counted'
              ? 'The totals were counted by the model’s server. The figures of single tools are estimates.'
              : null}{' '}
            {sentence(estimate)}
          </p>
        </Popover>
      </span>
    </div>
  );
}

function DeferralChoice() {
  const chosen = useApp((app) => app.preferences?.toolDeferral);
  const setPreferences = useApp((app) => app.setPreferences);
  if (chosen === undefined) return null;
  return (
    <div className="mt-3">
      <Choices<Preferences['toolDeferral']>
        label="When tools are deferred"
        value={chosen}
        choices={[
          { value: 'auto', label: 'When it pays', hint: 'Rarely used tools; those of servers when there are many.' },
          { value: 'always', label: 'Always', hint: 'Rarely used tools and all tools of servers.' },
          { value: 'never', label: 'Never', hint: 'Everything is in every request.' },
        ]}
        onChoose={(toolDeferral) => void setPreferences({ toolDeferral })}
      />
    </div>
  );
}
