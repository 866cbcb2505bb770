// One call in detail: what the model wrote, what it changed, its seven steps, why it was allowed, what came back.
import { ChartGantt, X } from 'lucide-react';
import { useEffect } from 'react';
import { type SessionState, waitingCalls } from '#shared/session/state';
import type { ToolCall } from '#shared/session/toolCall';
import { useSession } from '../../stores/session';
import { showTrace } from '../../stores/tracePage';
import { type InspectorTab, useUi } from '../../stores/ui';
import { Button } from '../../ui/Button';
import { IconButton } from '../../ui/IconButton';
import { TabPanel, Tabs } from '../../ui/Tabs';
import { VisibleText } from '../../ui/VisibleText';
import { useKeys } from '../palette/keysInForce';
import { statusWords } from './cards/statusWords';
import { useWhole } from './cards/useWhole';
import './chat.css';
import { CallTab } from './inspector/CallTab';
import { DiffTab } from './inspector/DiffTab';
import { FileTab } from './inspector/FileTab';
import { Hint } from './inspector/Hint';
import { ResultTab } from './inspector/ResultTab';
import { TraceTab } from './inspector/TraceTab';
import { WhyTab } from './inspector/WhyTab';

const tabs: readonly { readonly value: InspectorTab; readonly label: string }[] = [
  { value: 'call', label: 'Call' },
  { value: 'diff', label: 'Diff' },
  { value: 'file', label: 'File' },
  { value: 'trace', label: 'Trace' },
  { value: 'result', label: 'Result' },
  { value: 'why', label: 'Why' },
];

export function Inspector() {
  const selectedCallId = useUi((ui) => ui.selectedCallId);
  const tab = useUi((ui) => ui.inspectorTab);
  const setTab = useUi((ui) => ui.setInspectorTab);
  const setOpen = useUi((ui) => ui.setInspectorOpen);
  const wantedFile = useUi((ui) => ui.wantedFile);
  const closeKeys = useKeys('toggleInspector');
  // Nothing chosen in this session: the call that waits is what the person wants to see.
  const call = useSession(
    ({ state }) => (selectedCallId === null ? undefined : state.calls[selectedCallId]) ?? waitingCall(state),
  );
  useWhole(call);
  // A call from far away is not among those that the page holds.
  const ensureCall = useSession((session) => session.ensureCall);
  const missing = selectedCallId !== null && call?.callId !== selectedCallId ? selectedCallId : null;
  useEffect(() => {
    if (missing !== null) void ensureCall(missing);
  }, [missing, ensureCall]);
  return (
    <div className="chat-colors flex min-h-0 flex-1 flex-col">
      <Tabs
        label="Inspector"
        value={tab}
        tabs={tabs}
        onChange={setTab}
        extra={
          <IconButton size="small" icon={X} label="Close inspector" keys={closeKeys} onClick={() => setOpen(false)} />
        }
      >
        {call !== undefined && <Head call={call} />}
        {tabs.map(({ value }) => (
          <TabPanel key={value} value={value}>
            {call !== undefined ? (
              <TabBody tab={value} call={call} />
            ) : value === 'file' && wantedFile !== null ? (
              <FileTab call={undefined} />
            ) : (
              <NoCall tab={value} />
            )}
          </TabPanel>
        ))}
      </Tabs>
    </div>
  );
}

function Head({ call }: { readonly call: ToolCall }) {
  return (
    <div className="border-line border-b px-4 py-2.5">
      <h2 className="flex items-baseline gap-2">
        <span className="font-semibold text-title">{call.presentation.title}</span>
        <span className="text-muted text-small">
          {call.number === undefined ? '' : `call ${call.number} · `}
          {statusWords(call)}
        </span>
      </h2>
      {call.presentation.summary !== '' && (
        <p className="truncate font-mono text-mono text-muted" title={call.presentation.summary}>
          <VisibleText text={call.presentation.summary} />
        </p>
      )}
    </div>
  );
}

function TabBody({ tab, call }: { readonly tab: InspectorTab; readonly call: ToolCall }) {
  switch (tab) {
    case 'call':
      return <CallTab call={call} />;
    case 'diff':
      return <DiffTab call={call} />;
    case 'file':
      return <FileTab call={call} />;
    case 'trace':
      return (
        <>
          <TraceTab call={call} />
          <ToTracePage callId={call.callId} />
        </>
      );
    case 'why':
      return <WhyTab call={call} />;
    case 'result':
      return <ResultTab call={call} />;
  }
}

/** The way to the same call among all others. */
function ToTracePage({ callId }: { readonly callId: string }) {
  const sessionId = useSession((session) => session.sessionId);
  if (sessionId === null) return null;
  return (
    <div className="border-line border-t px-4 py-3">
      <Button size="small" icon={ChartGantt} onClick={() => showTrace(sessionId, callId)}>
        Show among all calls
      </Button>
    </div>
  );
}

const lessons: Readonly<Record<InspectorTab, string>> = {
  call: 'The whole input of a call, just as the model wrote it, with its times.',
  diff: 'The change that a call makes to a file.',
  file: 'The file that a call is about, as it is now, with the lines that the call touched.',
  trace: 'The seven steps that every call goes through, with what each decided and how long it took.',
  why: 'The rule, mode or answer that let a call run or stopped it, with file and line.',
  result: 'The exact text that the model received.',
};

function NoCall({ tab }: { readonly tab: InspectorTab }) {
  return (
    <Hint title="Choose a call">{lessons[tab]} Click the seven-segment track on a card to see its call here.</Hint>
  );
}

/** The call that waits for a person, or whose command does. */
function waitingCall(state: SessionState) {
  return waitingCalls(state)[0] ?? state.calls[state.networkAsks[0]?.ask.callId ?? ''];
}
