import { ArrowRightLeft, Copy, Scale, Trash2, X } from 'lucide-react';
import { useRulesPage } from '../../../stores/rulesPage';
import { Button } from '../../../ui/Button';
import { IconButton } from '../../../ui/IconButton';
import { Menu, MenuItem } from '../../../ui/Menu';
import { counted } from '../../frame/words';
import { changeVerdict, moveRules, removeRules, savableSources } from '../ruleActions';
import type { RuleRow } from './rows';

/** What can be done with the chosen rules; the way of the keyboard beside dragging. */
export function BulkBar({ rows }: { readonly rows: readonly RuleRow[] }) {
  const show = useRulesPage((page) => page.show);
  const moving = useRulesPage((page) => page.moving);
  if (rows.length === 0) return null;
  const movable = rows.some(({ locked }) => locked === '');
  return (
    <section
      aria-label="Chosen rules"
      className="flex flex-wrap items-center gap-2 border-line border-b bg-accent-tint px-3 py-1.5"
    >
      <span role="status" className="mr-1 font-medium">
        {counted(rows.length, 'rule')} chosen
      </span>
      <Menu
        label="Move to"
        open={moving && movable}
        onOpenChange={(open) => show({ moving: open })}
        trigger={
          <Button size="small" icon={ArrowRightLeft} disabled={!movable} title="M">
            Move to…
          </Button>
        }
      >
        {savableSources.map(({ value, label }) => (
          <MenuItem key={value} onSelect={() => moveRules(rows, value, 'move')}>
            {label}
          </MenuItem>
        ))}
      </Menu>
      <Menu
        label="Copy to"
        trigger={
          <Button size="small" icon={Copy}>
            Copy to…
          </Button>
        }
      >
        {savableSources.map(({ value, label }) => (
          <MenuItem key={value} onSelect={() => moveRules(rows, value, 'copy')}>
            {label}
          </MenuItem>
        ))}
      </Menu>
      <Menu
        label="Verdict"
        trigger={
          <Button size="small" icon={Scale} disabled={!movable}>
            Verdict…
          </Button>
        }
      >
        {(['deny', 'ask', 'allow'] as const).map((behavior) => (
          <MenuItem key={behavior} onSelect={() => changeVerdict(rows, behavior)}>
            {behavior}
          </MenuItem>
        ))}
      </Menu>
      <Button size="small" variant="danger" icon={Trash2} disabled={!movable} onClick={() => removeRules(rows)}>
        {rows.every(({ rule }) => rule.source === 'session') ? 'Revoke' : 'Remove'}
      </Button>
      <IconButton label="Choose none" icon={X} size="small" className="ml-auto" onClick={() => show({ chosen: [] })} />
    </section>
  );
}
