// The keys of all actions, to be changed one by one.
import { RotateCcw, X } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { useApp } from '../../stores/app';
import { Button } from '../../ui/Button';
import { classes } from '../../ui/classes';
import { IconButton } from '../../ui/IconButton';
import { Kbd } from '../../ui/Kbd';
import { isApple, keyNames } from '../../ui/keyNames';
import { TextField } from '../../ui/TextField';
import { keysOf, whyNot } from '../frame/shortcuts';
import { counted } from '../frame/words';
import type { Action } from '../palette/action';
import { actions } from '../palette/actions';
import { fuzzy } from '../palette/fuzzy';
import { conflictsOf, keysInForce, type OwnKeys } from '../palette/keysInForce';

/** One row for each action, with its keys; a press on them asks for others. */
export function KeyTable({ own }: { readonly own: OwnKeys }) {
  const setPreferences = useApp((app) => app.setPreferences);
  const [search, setSearch] = useState('');
  const [onlyConflicts, setOnlyConflicts] = useState(false);
  const conflicts = useMemo(
    () => new Map(actions.map((action) => [action.id, conflictsOf(action.id, own)] as const)),
    [own],
  );
  const inConflict = actions.filter((action) => (conflicts.get(action.id)?.length ?? 0) > 0);
  const shown = actions.filter(
    (action) =>
      (search === '' || fuzzy(`${action.title} ${keysInForce(action, own).join(' ')}`, search) !== null) &&
      (!onlyConflicts || inConflict.includes(action)),
  );
  const choose = (action: Action, keys: string | null) => {
    const { [action.id]: _, ...others } = own;
    const usual = keys === null || (action.keys.length === 1 && action.keys[0] === keys);
    void setPreferences({ shortcuts: usual ? others : { ...others, [action.id]: keys } });
  };
  return (
    <div id="settings-keys" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label="Search actions"
          hideLabel
          type="search"
          placeholder="Search actions or keys"
          value={search}
          onChange={setSearch}
          className="min-w-48 flex-1"
        />
        {Object.keys(own).length > 0 && (
          <Button icon={RotateCcw} onClick={() => void setPreferences({ shortcuts: {} })}>
            All as usual
          </Button>
        )}
      </div>
      {(inConflict.length > 0 || onlyConflicts) && (
        <p role="status" className="flex flex-wrap items-center gap-3 text-ask">
          {inConflict.length === 0
            ? 'No keys are given twice any more.'
            : `${counted(inConflict.length, 'action shares', 'actions share')} keys with another; the first in this list gets them.`}
          <Button size="small" variant="ghost" onClick={() => setOnlyConflicts(!onlyConflicts)}>
            {onlyConflicts ? 'Show all' : 'Show only these'}
          </Button>
        </p>
      )}
      <ul aria-label="Keys of actions" className="max-h-120 overflow-y-auto rounded-control border border-line">
        {shown.map((action) => (
          <KeyRow
            key={action.id}
            action={action}
            own={own}
            conflicts={conflicts.get(action.id) ?? []}
            onChoose={(keys) => choose(action, keys)}
          />
        ))}
        {shown.length === 0 && <li className="px-3 py-3 text-muted">No action has that in its name or keys.</li>}
      </ul>
    </div>
  );
}

function KeyRow(props: {
  readonly action: Action;
  readonly own: OwnKeys;
  readonly conflicts: ReturnType<typeof conflictsOf>;
  readonly onChoose: (keys: string | null) => void;
}) {
  const { action, own, conflicts, onChoose } = props;
  const [problem, setProblem] = useState('');
  const [asking, setAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const keys = keysInForce(action, own);
  const changed = own[action.id] !== undefined;
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (!asking) return;
    // Moving on through the page stays possible.
    if (event.key === 'Tab' && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') {
      setAsking(false);
      setProblem('');
      return;
    }
    const press = event.nativeEvent;
    const pressed = press.isComposing ? null : keysOf(press, { apple: isApple(navigator.platform) });
    if (pressed === null) return;
    const why = whyNot(pressed);
    setProblem(why === '' ? '' : `${keyNames(pressed).join(' ')}: ${why}`);
    if (why !== '') return;
    setAsking(false);
    onChoose(pressed);
  };
  return (
    <li className="border-line border-b px-3 py-1 last:border-b-0">
      <div className="flex min-h-8 min-w-0 items-center gap-2">
        <span className="min-w-0 flex-1 truncate" title={action.title}>
          {action.title}
        </span>
        <button
          ref={button}
          type="button"
          aria-label={
            asking
              ? `Press new keys for ${action.title}; Escape leaves them`
              : `${action.title}: ${keys.length === 0 ? 'no keys' : keys.map((one) => keyNames(one).join(' ')).join(' or ')}. Change`
          }
          onClick={() => setAsking(true)}
          onBlur={() => {
            setAsking(false);
            setProblem('');
          }}
          onKeyDown={onKeyDown}
          className={classes(
            'inline-flex min-h-6 shrink-0 items-center gap-2 rounded-small border px-1.5 text-small hover:bg-hover',
            asking ? 'border-accent text-accent' : conflicts.length > 0 ? 'border-ask text-ask' : 'border-transparent',
          )}
        >
          {asking ? (
            'Press the keys…'
          ) : keys.length === 0 ? (
            <span className="text-dim">none</span>
          ) : (
            keys.map((one) => <Kbd key={one} keys={one} />)
          )}
        </button>
        <IconButton
          size="small"
          icon={X}
          label={`No keys for ${action.title}`}
          disabled={keys.length === 0}
          onClick={() => onChoose('')}
        />
        <IconButton
          size="small"
          icon={RotateCcw}
          label={`Usual keys for ${action.title}`}
          disabled={!changed}
          onClick={() => onChoose(null)}
        />
      </div>
      {problem !== '' && (
        <p role="alert" className="pb-1 text-deny text-small">
          {problem}
        </p>
      )}
      {conflicts.map((conflict) => (
        <p key={conflict.with.id} className="pb-1 text-ask text-small">
          {keyNames(conflict.keys).join(' ')} also stands for “{conflict.with.title}”.
        </p>
      ))}
    </li>
  );
}
