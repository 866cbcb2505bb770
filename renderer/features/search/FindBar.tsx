// The field over the conversation that finds a text in it, with count, next and previous.
import { ArrowDown, ArrowUp, CaseSensitive, Search, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useApp } from '../../stores/app';
import { longestFind, useFind } from '../../stores/find';
import { useSession } from '../../stores/session';
import { IconButton } from '../../ui/IconButton';
import { isApple } from '../../ui/keyNames';
import { isComposing } from '../frame/shortcuts';
import { isPressOf } from '../palette/keysInForce';

/** A conversation that grows is looked through again at most this often, in milliseconds. */
const refreshMs = 1_000;

/** Stands above the conversation, so that it covers nothing of it; its key works as long as the chat is there. */
export function FindBar() {
  const open = useFind((find) => find.open);
  const show = useFind((find) => find.show);
  const step = useFind((find) => find.step);
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.defaultPrevented || isComposing(event) || event.altKey) return;
      const mod = isApple(navigator.platform) ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
      if (isPressOf(event, 'findInConversation')) {
        event.preventDefault();
        show();
        field.current?.focus();
        field.current?.select();
        return;
      }
      const next = event.code === 'F3' || (mod && event.code === 'KeyG');
      if (!next || !useFind.getState().open) return;
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [show, step]);

  useRefresh(open);
  return open ? <Bar field={field} /> : null;
}

function Bar({ field }: { readonly field: React.RefObject<HTMLInputElement | null> }) {
  const { text, matchCase, found, problem, setText, setMatchCase, step, hide } = useFind();
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [field]);
  const nothing = found !== null && found.total === 0;
  const close = () => {
    hide();
    document.querySelector<HTMLElement>('[role="log"]')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === 'Enter' && event.target === field.current) {
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    }
  };
  return (
    <search
      aria-label="Find in this conversation"
      onKeyDown={onKeyDown}
      className="relative flex h-10 shrink-0 items-center gap-0.5 border-line border-b bg-panel pr-4 pl-4"
    >
      <Search aria-hidden size={15} strokeWidth={1.75} className="shrink-0 text-dim" />
      <input
        ref={field}
        type="text"
        aria-label="Find in this conversation"
        placeholder="Find in conversation"
        value={text}
        maxLength={longestFind}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        className="h-full min-w-16 flex-1 bg-transparent px-2 outline-none"
      />
      <span
        role="status"
        className={`min-w-16 shrink-0 px-1 text-right text-small ${nothing ? 'text-ask' : 'text-muted'}`}
      >
        <Count />
      </span>
      <IconButton
        size="small"
        icon={CaseSensitive}
        label="Match case"
        aria-pressed={matchCase}
        onClick={() => setMatchCase(!matchCase)}
      />
      <IconButton size="small" icon={ArrowUp} label="Previous find" keys="Shift+F3" onClick={() => step(-1)} />
      <IconButton size="small" icon={ArrowDown} label="Next find" keys="F3" onClick={() => step(1)} />
      <IconButton size="small" icon={X} label="Close find" keys="Escape" onClick={close} />
      {problem === '' ? null : (
        <p
          role="alert"
          className="absolute top-11 right-4 z-20 w-72 rounded-control border border-line-strong bg-raised p-2.5 text-deny text-small shadow-float"
        >
          {problem}
        </p>
      )}
    </search>
  );
}

function Count() {
  const found = useFind((find) => find.found);
  const at = useFind((find) => find.at);
  if (found === null) return null;
  if (found.total === 0) return 'Nothing';
  return `${(at + 1).toLocaleString('en')} of ${found.total.toLocaleString('en')}${found.truncated ? '+' : ''}`;
}

/** Looks again when the conversation has grown; seeks in the new one when another was opened. */
function useRefresh(open: boolean): void {
  const items = useSession((session) => session.state.items);
  const ready = useSession((session) => session.status === 'ready');
  const sessionId = useApp((app) => app.activeSessionId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is sought anew in whatever is shown by then.
  useEffect(() => {
    if (!open || !ready) return;
    const timer = setTimeout(() => useFind.getState().refresh(), refreshMs);
    return () => clearTimeout(timer);
  }, [open, ready, items, sessionId]);
}
