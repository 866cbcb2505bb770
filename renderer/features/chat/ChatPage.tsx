// The chat: conversation, the ask that waits, and the message box. Wires stores to components that take plain props.
import { FolderClosed, History, PanelRight } from 'lucide-react';
import { type Ref, useEffect, useRef } from 'react';
import { activityOf, type SessionState } from '#shared/session/state';
import { useApp } from '../../stores/app';
import { openChanges } from '../../stores/changes';
import { useCommands } from '../../stores/commands';
import { useRules } from '../../stores/rules';
import { useSession } from '../../stores/session';
import { useUi } from '../../stores/ui';
import { Badge } from '../../ui/Badge';
import { IconButton } from '../../ui/IconButton';
import { Tooltip } from '../../ui/Tooltip';
import { OriginChip } from '../frame/OriginChip';
import { baseName } from '../frame/words';
import { useKeys } from '../palette/keysInForce';
import { FindBar } from '../search/FindBar';
import { SessionAsks } from './ask/SessionAsks';
import './chat.css';
import { Composer, type ComposerHandle } from './composer/Composer';
import { ModelMenu } from './composer/ModelMenu';
import { ModeMenu } from './composer/ModeMenu';
import { TaskStrip } from './composer/TaskStrip';
import { TodoStrip } from './composer/TodoStrip';
import { EmptySession } from './EmptySession';
import { Messages } from './Messages';

/** The active session; mounted only while there is one. */
export function ChatPage() {
  const sessionId = useSession((session) => session.sessionId) ?? '';
  const state = useSession((session) => session.state);
  const composer = useRef<ComposerHandle>(null);
  const home = useApp((app) => app.hello?.home ?? '');
  const setDraft = useSession((session) => session.setDraft);
  const empty = state.items.length === 0 && state.turn === null;
  return (
    <div className="chat-colors flex min-h-0 flex-1 flex-col">
      <Head sessionId={sessionId} state={state} />
      {empty ? (
        <EmptySession
          folder={state.folder}
          home={home}
          scripted={state.model.scripted}
          onPick={(text) => {
            setDraft(sessionId, text);
            composer.current?.focus();
          }}
        />
      ) : (
        <div className="relative flex min-h-0 flex-1 flex-col">
          <FindBar />
          <Messages sessionId={sessionId} state={state} />
        </div>
      )}
      <div className="mx-auto flex min-h-0 w-full max-w-[860px] flex-col gap-2.5 overflow-y-auto px-7 pt-1 pb-4 *:shrink-0">
        <SessionAsks sessionId={sessionId} state={state} home={home} onEmpty={() => composer.current?.focus()} />
        {state.todos.length > 0 && (
          // In low windows the ask needs the room.
          <div className={activityOf(state) === 'waiting' ? '[@media(max-height:700px)]:hidden' : undefined}>
            <TodoStrip todos={state.todos} />
          </div>
        )}
        <Tasks key={sessionId} tasks={state.tasks} />
        <MessageBox sessionId={sessionId} state={state} handle={composer} />
      </div>
    </div>
  );
}

function Head({ sessionId, state }: { readonly sessionId: string; readonly state: SessionState }) {
  const inspectorOpen = useUi((ui) => ui.inspectorOpen);
  const inspectorKeys = useKeys('toggleInspector');
  const setInspectorOpen = useUi((ui) => ui.setInspectorOpen);
  const activity = activityOf(state);
  return (
    <header className="flex h-11.5 shrink-0 items-center gap-3 border-line border-b px-4">
      <h1 className="min-w-0 truncate font-semibold text-title" title={state.title}>
        {state.title === '' ? 'New session' : state.title}
      </h1>
      <Tooltip text={state.folder}>
        <span className="inline-flex h-6 min-w-0 shrink-0 items-center gap-1.5 rounded-small border border-line px-2 text-muted text-small">
          <FolderClosed aria-hidden="true" size={14} strokeWidth={1.75} className="shrink-0" />
          <span className="max-w-48 truncate">{baseName(state.folder)}</span>
        </span>
      </Tooltip>
      <OriginChip sessionId={sessionId} />
      {activity === 'waiting' && <Badge tone="ask">waiting for you</Badge>}
      <span className="ml-auto flex shrink-0 items-center">
        <IconButton
          icon={History}
          label="Changes of files"
          onClick={() => {
            const { sessionId } = useSession.getState();
            if (sessionId !== null) openChanges(sessionId);
          }}
        />
        <IconButton
          icon={PanelRight}
          label={inspectorOpen ? 'Close inspector' : 'Open inspector'}
          keys={inspectorKeys}
          aria-pressed={inspectorOpen}
          onClick={() => setInspectorOpen(!inspectorOpen)}
        />
      </span>
    </header>
  );
}

function Tasks({ tasks }: { readonly tasks: SessionState['tasks'] }) {
  const progress = useSession((session) => session.taskProgress);
  const stopTask = useSession((session) => session.stopTask);
  return <TaskStrip tasks={Object.values(tasks)} progress={progress} onStop={stopTask} />;
}

function MessageBox(props: {
  readonly sessionId: string;
  readonly state: SessionState;
  readonly handle: Ref<ComposerHandle>;
}) {
  const { sessionId, state, handle } = props;
  const text = useSession((session) => session.drafts[sessionId] ?? '');
  const session = useSession.getState();
  const sendWith = useApp((app) => app.preferences?.sendWith ?? 'enter');
  const connected = useApp((app) => app.connection.status === 'open');
  const models = useApp((app) => app.models);
  const modelsProblem = useApp((app) => app.modelsProblem);
  const go = useApp((app) => app.go);
  const modes = useRules((rules) => rules.view?.modes ?? null);
  const typed = useCommands();
  const trusted = useRules((rules) => rules.view?.trust.trusted ?? null);
  const { load } = typed;
  // biome-ignore lint/correctness/useExhaustiveDependencies: with trust the folder's own files come and go.
  useEffect(() => {
    if (sessionId !== '' && connected) void load(sessionId);
  }, [sessionId, connected, trusted, load]);
  const known = typed.sessionId === sessionId;
  const send = async (message: string) => {
    session.setDraft(sessionId, '');
    const accepted = await session.send(message.trim());
    // What was not accepted comes back, unless something new has been written meanwhile.
    if (!accepted && (useSession.getState().drafts[sessionId] ?? '') === '') session.setDraft(sessionId, message);
  };
  const sendNow = async (queued: SessionState['queue'][number]) => {
    if (!(await session.unqueue(queued.messageId))) return;
    const accepted = await session.send(queued.text);
    if (!accepted && (useSession.getState().drafts[sessionId] ?? '') === '') session.setDraft(sessionId, queued.text);
  };
  return (
    <Composer
      handle={handle}
      text={text}
      onText={(next) => session.setDraft(sessionId, next)}
      sendWith={sendWith}
      running={state.turn !== null}
      blocked={connected ? '' : 'No connection to Gatehouse; your text is kept.'}
      queue={state.queue}
      onSend={(message) => void send(message)}
      onStop={() => void session.stop()}
      onUnqueue={(messageId) => void session.unqueue(messageId)}
      onSendQueued={(queued) => void sendNow(queued)}
      commands={known ? typed.commands : []}
      waitingFiles={known ? typed.waiting.length : 0}
      onNeedCommands={() => void typed.load(sessionId)}
      choices={
        <>
          <ModeMenu mode={state.mode} modes={modes} onChoose={(mode) => void session.setMode(mode)} />
          <ModelMenu
            model={state.model}
            models={models}
            problem={modelsProblem}
            onChoose={(model) => void session.setModel(model)}
            onOpenSettings={() => go('settings')}
          />
        </>
      }
    />
  );
}
