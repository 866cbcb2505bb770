import { ArrowUp, Square } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { TypedCommand } from '#shared/api/commands';
import type { SessionState } from '#shared/session/state';
import { Button } from '../../../ui/Button';
import { keyNames } from '../../../ui/keyNames';
import { CommandList, optionId } from './CommandList';
import { commandMatches, isCommandStart } from './commandMatches';
import { composerAction } from './composerKeys';
import { QueueChips } from './QueueChips';

export interface ComposerHandle {
  focus(): void;
}

interface Props {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly sendWith: 'enter' | 'modEnter';
  readonly running: boolean;
  /** Why nothing can be sent now; empty when it can. */
  readonly blocked: string;
  readonly queue: SessionState['queue'];
  readonly onSend: (text: string) => void;
  readonly onStop: () => void;
  readonly onUnqueue: (messageId: string) => void;
  readonly onSendQueued: (queued: SessionState['queue'][number]) => void;
  /** What can be typed as `/name`, and how many files wait for trust; asked for when a name is begun. */
  readonly commands: readonly TypedCommand[];
  readonly waitingFiles: number;
  readonly onNeedCommands: () => void;
  /** Mode and model. */
  readonly choices: ReactNode;
  readonly handle: Ref<ComposerHandle>;
}

/** The box grows with its text up to this height. */
const maxHeightPx = 220;

/** Where messages are written. While a turn runs they are queued. */
export function Composer(props: Props) {
  const { text, onText, sendWith, running, blocked, queue, onSend, onStop, choices, handle } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  const empty = text.trim() === '';
  useImperativeHandle(handle, () => ({ focus: () => box.current?.focus({ preventScroll: true }) }), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text decides the height.
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    element.style.height = 'auto';
    element.style.height = `${Math.min(element.scrollHeight, maxHeightPx)}px`;
  }, [text]);

  const listId = useId();
  const [active, setActive] = useState(0);
  const [dismissed, setDismissed] = useState(false);
  const matches = dismissed ? [] : commandMatches(text, props.commands);
  const chosen = matches[Math.min(active, matches.length - 1)];
  const change = (next: string) => {
    if (isCommandStart(next) && !isCommandStart(text)) {
      props.onNeedCommands();
      setDismissed(false);
    }
    setActive(0);
    onText(next);
  };
  const pick = (command: TypedCommand) => {
    onText(`/${command.name} `);
    box.current?.focus({ preventScroll: true });
  };
  const listAction = (event: KeyboardEvent): boolean => {
    if (chosen === undefined || event.nativeEvent.isComposing || event.keyCode === 229) return false;
    const plain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!plain) return false;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setActive((matches.indexOf(chosen) + step + matches.length) % matches.length);
    else if (event.key === 'Escape') setDismissed(true);
    else if (event.key === 'Tab' || (event.key === 'Enter' && text !== `/${chosen.name}`)) pick(chosen);
    else return false;
    return true;
  };

  const send = () => {
    if (!empty && blocked === '') onSend(text);
  };
  const sendKeys = sendWith === 'enter' ? 'Enter' : 'Mod+Enter';
  const breakKeys = sendWith === 'enter' ? 'Shift+Enter' : 'Enter';
  return (
    <div className="relative rounded-card border border-line-strong bg-panel focus-within:border-control">
      {chosen !== undefined && (
        <CommandList
          id={listId}
          commands={matches}
          active={matches.indexOf(chosen)}
          waiting={props.waitingFiles}
          onPick={pick}
        />
      )}
      <QueueChips
        queue={queue}
        waitsForTurn={running}
        blocked={blocked}
        onRemove={props.onUnqueue}
        onSend={props.onSendQueued}
      />
      <textarea
        ref={box}
        data-pane-focus
        rows={1}
        aria-label="Message"
        aria-describedby="composer-hint"
        aria-autocomplete="list"
        aria-controls={chosen === undefined ? undefined : listId}
        aria-activedescendant={chosen === undefined ? undefined : optionId(listId, matches.indexOf(chosen))}
        placeholder={running ? 'Message, or queue the next step' : 'Message'}
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (listAction(event)) {
            event.preventDefault();
            return;
          }
          const action = composerAction(
            {
              key: event.key,
              keyCode: event.keyCode,
              shiftKey: event.shiftKey,
              ctrlKey: event.ctrlKey,
              metaKey: event.metaKey,
              altKey: event.altKey,
              repeat: event.repeat,
              isComposing: event.nativeEvent.isComposing,
            },
            { sendWith, empty, running },
          );
          if (action === 'none') return;
          event.preventDefault();
          if (action === 'send') send();
          else onStop();
        }}
        className="block w-full resize-none bg-transparent px-3.5 pt-3 pb-1 text-conversation outline-none [max-height:220px]"
      />
      <div className="flex items-center gap-2 px-2.5 pt-1 pb-2.5">
        {choices}
        <span className="flex-1" />
        <span id="composer-hint" className="hidden truncate text-dim text-small sidebar:inline">
          {blocked || hintText({ sendKeys, breakKeys, running, empty })}
        </span>
        {running && (
          <Button size="normal" icon={Square} keys="Escape" onClick={onStop} title="Stops this turn">
            Stop
          </Button>
        )}
        {(!running || !empty) && (
          <Button
            variant="primary"
            icon={ArrowUp}
            aria-disabled={empty || blocked !== ''}
            title={blocked || undefined}
            onClick={send}
          >
            {running ? 'Queue' : 'Send'}
          </Button>
        )}
      </div>
    </div>
  );
}

function hintText(situation: {
  readonly sendKeys: string;
  readonly breakKeys: string;
  readonly running: boolean;
  readonly empty: boolean;
}): string {
  const { sendKeys, breakKeys, running, empty } = situation;
  const named = (keys: string) => keyNames(keys).join(' ');
  if (running && empty) return '';
  return `${named(sendKeys)} ${running ? 'queues' : 'sends'} · ${named(breakKeys)} new line`;
}
