import { Copy, Ellipsis, GitBranch, Undo2 } from 'lucide-react';
import { type PointerEvent, useRef, useState } from 'react';
import { openChanges } from '../../../stores/changes';
import { useSession } from '../../../stores/session';
import { classes } from '../../../ui/classes';
import { Menu, MenuItem } from '../../../ui/Menu';
import { useCopy } from '../views/useCopy';
import { branchFrom } from './branchFrom';

interface Props {
  readonly messageId: string;
  /** What the message says, as Markdown. */
  readonly text: string;
  /** Whose message it is, for the button's name. */
  readonly of: 'you' | 'model';
  /** When it was sent, where one may go back to before it. */
  readonly at?: number;
  readonly className?: string;
}

/** What can be done with a message; seen on hover and focus of its row, which is a `group/message`. */
export function MessageMenu({ messageId, text, of, at, className }: Props) {
  // A menu costs more than a message to draw, so there is one only where it has been asked for.
  const [menu, setMenu] = useState<'none' | 'closed' | 'open'>('none');
  const hadFocus = useRef(false);
  const before =
    menu === 'none'
      ? {
          'aria-haspopup': 'menu' as const,
          onPointerDown: (event: PointerEvent) => {
            if (event.button !== 0) return;
            event.preventDefault();
            setMenu('open');
          },
          onClick: () => setMenu('open'),
          // By keyboard: the menu is there before its key is pressed.
          onFocus: () => {
            hadFocus.current = true;
            setMenu('closed');
          },
        }
      : {};
  const button = (
    <button
      type="button"
      aria-label={of === 'you' ? 'Actions for your message' : 'Actions for this answer'}
      ref={(element) => {
        if (element === null || menu === 'none' || !hadFocus.current) return;
        hadFocus.current = false;
        element.focus();
      }}
      {...before}
      className={classes(
        'inline-flex size-6 shrink-0 items-center justify-center rounded-control text-muted opacity-0 hover:bg-hover hover:text-text focus-visible:opacity-100 group-focus-within/message:opacity-100 group-hover/message:opacity-100 data-[state=open]:bg-hover data-[state=open]:text-text data-[state=open]:opacity-100',
        className,
      )}
    >
      <Ellipsis aria-hidden size={15} strokeWidth={1.75} />
    </button>
  );
  if (menu === 'none') return button;
  return (
    <Menu
      label={of === 'you' ? 'Actions for your message' : 'Actions for this answer'}
      align="end"
      open={menu === 'open'}
      onOpenChange={(open) => setMenu(open ? 'open' : 'closed')}
      trigger={button}
    >
      <Items messageId={messageId} text={text} of={of} {...(at === undefined ? {} : { at })} />
    </Menu>
  );
}

function Items({ messageId, text, of, at }: Omit<Props, 'className'>) {
  const sessionId = useSession((session) => session.sessionId);
  const { copy } = useCopy();
  return (
    <>
      {sessionId === null ? null : (
        <MenuItem icon={GitBranch} onSelect={() => void branchFrom(sessionId, messageId)}>
          <span className="block">Branch from here</span>
          <span className="block text-muted text-small">
            {of === 'you' ? 'A new session up to here, with your text to change' : 'A new session up to this answer'}
          </span>
        </MenuItem>
      )}
      {sessionId === null || at === undefined ? null : (
        <MenuItem icon={Undo2} onSelect={() => openChanges(sessionId, { kind: 'sinceTime', at })}>
          <span className="block">Undo all changes since this message…</span>
          <span className="block text-muted text-small">Shows first what would be written to which files</span>
        </MenuItem>
      )}
      <MenuItem icon={Copy} onSelect={() => copy(text)}>
        Copy as Markdown
      </MenuItem>
    </>
  );
}
