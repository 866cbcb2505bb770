import { FileText, FlaskConical, Layers, Plus, Redo2, Rows3, ShieldCheck, Undo2 } from 'lucide-react';
import { draftOf, useRuleDraft } from '../../stores/ruleDraft';
import { type RuleGrouping, useRulesPage } from '../../stores/rulesPage';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { IconButton } from '../../ui/IconButton';
import { Menu, MenuChoices } from '../../ui/Menu';
import { TextField } from '../../ui/TextField';
import { redoLast, undoLast } from './actions';

const groupings: readonly { readonly value: RuleGrouping; readonly label: string }[] = [
  { value: 'source', label: 'Group by source' },
  { value: 'tool', label: 'Group by tool' },
  { value: 'verdict', label: 'Group by verdict' },
  { value: 'none', label: 'No groups' },
];

/** Views, groups, search, undo, and the way to a new rule. */
export function RulesToolbar() {
  const sessionId = useRulesPage((page) => page.sessionId);
  const view = useRulesPage((page) => page.view);
  const grouping = useRulesPage((page) => page.grouping);
  const search = useRulesPage((page) => page.search);
  const steps = useRulesPage((page) => page.steps);
  const show = useRulesPage((page) => page.show);
  const isTextUnsaved = useRulesPage((page) => Object.keys(page.fileEdits).length > 0);
  const draft = useRuleDraft((store) => draftOf(store, sessionId));
  const undo = draft.steps.length > 0 ? 'Undo the last change of the draft' : (steps.undo?.label ?? null);
  const redo = draft.undone.length > 0 ? 'Make it again' : (steps.redo?.label ?? null);
  return (
    <header className="flex min-h-11.5 shrink-0 flex-wrap items-center gap-2 border-line border-b px-3 py-1.5">
      <h1 className="mr-1 font-semibold text-title">Rules</h1>
      <fieldset aria-label="View" className="flex gap-1">
        <Chip icon={Rows3} aria-pressed={view === 'table'} onClick={() => show({ view: 'table' })}>
          Table
        </Chip>
        <Chip icon={FileText} aria-pressed={view === 'text'} onClick={() => show({ view: 'text', line: null })}>
          Text
          {isTextUnsaved ? (
            <span className="text-ask">
              <span aria-hidden>•</span>
              <span className="sr-only">, not saved</span>
            </span>
          ) : null}
        </Chip>
        <Chip icon={ShieldCheck} aria-pressed={view === 'policy'} onClick={() => show({ view: 'policy' })}>
          In force
        </Chip>
      </fieldset>
      {view === 'table' ? (
        <>
          <Menu
            label="Grouping"
            trigger={<Chip icon={Layers}>{groupings.find(({ value }) => value === grouping)?.label ?? 'Groups'}</Chip>}
          >
            <MenuChoices value={grouping} choices={groupings} onChoose={(value) => show({ grouping: value })} />
          </Menu>
          <TextField
            label="Filter rules"
            hideLabel
            type="search"
            placeholder="Filter: tool, text, remark"
            className="min-w-36 flex-1"
            value={search}
            onChange={(text) => show({ search: text })}
          />
        </>
      ) : (
        <span className="flex-1" />
      )}
      <IconButton
        label={undo === null ? 'Nothing to undo' : `Undo: ${undo}`}
        keys="Mod+Z"
        icon={Undo2}
        disabled={undo === null}
        onClick={() => void undoLast()}
      />
      <IconButton
        label={redo === null ? 'Nothing to make again' : `Make again: ${redo}`}
        keys="Mod+Shift+Z"
        icon={Redo2}
        disabled={redo === null}
        onClick={() => void redoLast()}
      />
      <IconButton
        label="Laboratory"
        icon={FlaskConical}
        className="min-[1000px]:hidden"
        onClick={() => show({ tab: 'try' })}
      />
      <Button
        variant="primary"
        icon={Plus}
        onClick={() =>
          show({
            tab: 'rule',
            active: null,
            editing: false,
            writing: { behavior: 'allow', text: '', source: 'localSettings' },
          })
        }
      >
        Add rule
      </Button>
    </header>
  );
}
