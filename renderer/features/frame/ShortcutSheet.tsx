import { useApp } from '../../stores/app';
import { useUi } from '../../stores/ui';
import { Dialog } from '../../ui/Dialog';
import { Kbd } from '../../ui/Kbd';
import { keyNames } from '../../ui/keyNames';

interface KeyGroup {
  readonly title: string;
  readonly keys: readonly { readonly keys: readonly string[]; readonly does: string }[];
}

function groups({ sendWith, ownWindow }: { sendWith: 'enter' | 'modEnter'; ownWindow: boolean }): readonly KeyGroup[] {
  return [
    {
      title: 'Everywhere',
      keys: [
        // A browser keeps Mod+N for itself.
        { keys: ownWindow ? ['Mod+N', 'Mod+Shift+O'] : ['Mod+Shift+O'], does: 'New session' },
        { keys: ['Mod+K'], does: 'Switch session' },
        { keys: ['Mod+Shift+A'], does: 'Go to what waits for you' },
        { keys: ['Mod+B'], does: 'Show or hide the sessions list' },
        { keys: ['Mod+J'], does: 'Show or hide the inspector' },
        { keys: ['F6', 'Shift+F6'], does: 'Next, previous pane' },
        { keys: ['Mod+Shift+L'], does: 'Rules' },
        { keys: ['Mod+Shift+E'], does: 'Tools & MCP' },
        { keys: ['Mod+,'], does: 'Settings' },
        { keys: ['?', 'Mod+/'], does: 'This sheet' },
      ],
    },
    {
      title: 'Message',
      keys: [
        { keys: [sendWith === 'enter' ? 'Enter' : 'Mod+Enter'], does: 'Send, or queue while a turn runs' },
        { keys: [sendWith === 'enter' ? 'Shift+Enter' : 'Enter'], does: 'New line' },
        { keys: ['Escape'], does: 'Stop the turn' },
      ],
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
      title: 'Sessions list',
      keys: [
        { keys: ['↑', '↓'], does: 'Previous, next session' },
        { keys: ['F2'], does: 'Rename' },
        { keys: ['Delete'], does: 'Delete, after a question' },
      ],
    },
  ];
}

/** All keys on one sheet. */
export function ShortcutSheet() {
  const close = useUi((ui) => ui.setDialog);
  const sendWith = useApp((app) => app.preferences?.sendWith ?? 'enter');
  const ownWindow = useApp((app) => app.hello?.capabilities.includes('pickFolder') ?? false);
  return (
    <Dialog open onOpenChange={() => close(null)} title="Keys" width="wide">
      <div className="sidebar:columns-2 gap-x-10">
        {groups({ sendWith, ownWindow }).map((group) => (
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
