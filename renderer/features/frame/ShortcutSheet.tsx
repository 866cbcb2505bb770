import { useApp } from '../../stores/app';
import { useUi } from '../../stores/ui';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Kbd } from '../../ui/Kbd';
import { keyNames } from '../../ui/keyNames';
import type { Action, ActionSection } from '../palette/action';
import { actionNamed, actions } from '../palette/actions';
import { keysInForce, type OwnKeys, useOwnKeys } from '../palette/keysInForce';

interface KeyGroup {
  readonly title: string;
  readonly keys: readonly { readonly keys: readonly string[]; readonly does: string }[];
}

const sections: readonly { readonly section: ActionSection; readonly title: string }[] = [
  { section: 'Session', title: 'Sessions, everywhere' },
  { section: 'Go to', title: 'Pages, everywhere' },
  { section: 'View', title: 'View, everywhere' },
  { section: 'Help', title: 'Help, everywhere' },
];

function everywhere(own: OwnKeys, ownWindow: boolean): readonly KeyGroup[] {
  const keysOf = (action: Action) =>
    keysInForce(action, own)
      // A browser keeps these for itself.
      .filter((keys) => ownWindow || !['Mod+N', 'Mod+W', 'Mod+Shift+T'].includes(keys))
      .concat(action.id === 'shortcutSheet' ? ['?'] : []);
  return sections.map(({ section, title }) => ({
    title,
    keys: actions
      .filter((action) => action.section === section)
      .map((action) => ({ keys: keysOf(action), does: action.title }))
      .filter(({ keys }) => keys.length > 0),
  }));
}

/** Keys of one place alone, which it reads for itself. */
function inPlaces({ sendWith }: { readonly sendWith: 'enter' | 'modEnter' }): readonly KeyGroup[] {
  return [
    {
      title: 'Message',
      keys: [
        { keys: [sendWith === 'enter' ? 'Enter' : 'Mod+Enter'], does: 'Send, or queue while a turn runs' },
        { keys: [sendWith === 'enter' ? 'Shift+Enter' : 'Enter'], does: 'New line' },
        { keys: ['Escape'], does: 'Stop the turn' },
      ],
    },
    {
      title: 'Conversation',
      keys: [{ keys: ['Alt+↑', 'Alt+↓'], does: 'Previous, next card or turn' }],
    },
    {
      title: 'A call that asks (with the focus in it)',
      keys: [
        { keys: ['Mod+Enter'], does: 'Allow once' },
        { keys: ['Mod+Shift+Enter'], does: 'Always allow… (second step)' },
        { keys: ['Mod+Backspace', 'Escape'], does: 'Deny' },
      ],
    },
    {
      title: 'Table of rules',
      keys: [
        { keys: ['Enter'], does: 'Show the rule, or the file of a group' },
        { keys: ['E', 'F2'], does: 'Edit' },
        { keys: ['Space', 'Shift+↓'], does: 'Choose, choose a range' },
        { keys: ['M'], does: 'Move the chosen ones' },
        { keys: ['Delete'], does: 'Remove the chosen ones' },
        { keys: ['Mod+S'], does: 'Save, or review what others share' },
        { keys: ['Mod+Z', 'Mod+Shift+Z'], does: 'Undo, make again' },
      ],
    },
    {
      title: 'List of results',
      keys: [
        { keys: ['Enter'], does: 'Open the file, then go into it' },
        { keys: ['Space', 'Shift+↓'], does: 'Choose, choose a range' },
        { keys: ['K'], does: 'Keep, or no longer' },
        { keys: ['Mod+C'], does: 'Copy the path' },
        { keys: ['Delete'], does: 'Clean up, with a way back' },
      ],
    },
    {
      title: 'File of a result',
      keys: [
        { keys: ['/', 'Mod+F'], does: 'Search' },
        { keys: ['F3', 'Shift+F3'], does: 'Next, previous match' },
        { keys: ['Mod+G'], does: 'Go to a line' },
        { keys: ['Shift+↓'], does: 'Choose rows' },
        { keys: ['Mod+C', 'Mod+Shift+C'], does: 'Copy them, as they are in the file' },
      ],
    },
    {
      title: 'Sessions list',
      keys: [
        { keys: ['↑', '↓'], does: 'Previous, next session' },
        { keys: ['Shift+F10'], does: 'Menu of the session' },
        { keys: ['P'], does: 'Pin, unpin' },
        { keys: ['A'], does: 'Archive, bring back' },
        { keys: ['F2'], does: 'Rename' },
        { keys: ['Delete'], does: 'Delete, with a way back' },
      ],
    },
    {
      title: 'Find in a conversation',
      keys: [
        { keys: ['Enter', 'F3'], does: 'Next find' },
        { keys: ['Shift+Enter', 'Shift+F3'], does: 'Previous find' },
        { keys: ['Escape'], does: 'Put it away' },
      ],
    },
  ];
}

/** All keys on one sheet. */
export function ShortcutSheet() {
  const close = useUi((ui) => ui.setDialog);
  const own = useOwnKeys();
  const sendWith = useApp((app) => app.preferences?.sendWith ?? 'enter');
  const ownWindow = useApp((app) => app.hello?.capabilities.includes('pickFolder') ?? false);
  const groups = [...everywhere(own, ownWindow), ...inPlaces({ sendWith })];
  return (
    <Dialog
      open
      onOpenChange={() => close(null)}
      title="Keys"
      width="wide"
      footer={<Button onClick={() => actionNamed('changeKeys')?.run?.()}>Change keys…</Button>}
    >
      <div className="sidebar:columns-2 gap-x-10">
        {groups.map((group) => (
          <section key={group.title} className="mb-5 break-inside-avoid">
            <h2 className="mb-1 text-head font-semibold text-muted">{group.title}</h2>
            <dl>
              {group.keys.map(({ keys, does }) => (
                <div
                  key={does}
                  className="flex min-h-8 items-center justify-between gap-4 border-b border-line py-1 last:border-0"
                >
                  <dt>{does}</dt>
                  <dd className="flex shrink-0 gap-2">
                    {keys.map((combination) => (
                      <span key={combination}>
                        <Kbd keys={combination} />
                        <span className="sr-only">{keyNames(combination).join(' ')}</span>
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
