// One call in detail: what the model wrote, what it changed, its seven steps, why it was allowed, what came back.
import { X } from 'lucide-react';
import { waitingCalls } from '#shared/session/state';
import type { ToolCall } from '#shared/session/toolCall';
import { useSession } from '../../stores/session';
import { type InspectorTab, useUi } from '../../stores/ui';
import { IconButton } from '../../ui/IconButton';
import { TabPanel, Tabs } from '../../ui/Tabs';
import { VisibleText } from '../../ui/VisibleText';
import { viewOf } from './cards/openCards';
import { statusWords } from './cards/statusWords';
import './chat.css';
import { CallTab } from './inspector/CallTab';
import { Hint } from './inspector/Hint';
import { ResultTab } from './inspector/ResultTab';
import { TraceTab } from './inspector/TraceTab';
import { WhyTab } from './inspector/WhyTab';
import { DiffView } from './views/DiffView';

const tabs: readonly { readonly value: InspectorTab; readonly label: string }[] = [
  { value: 'call', label: 'Call' },
  { value: 'diff', label: 'Diff' },
  { value: 'trace', label: 'Trace' },
  { value: 'why', label: 'Why' },
  { value: 'result', label: 'Result' },
];

export function Inspector() {
  const selectedCallId = useUi((ui) => ui.selectedCallId);
  const tab = useUi((ui) => ui.inspectorTab);
  const setTab = useUi((ui) => ui.setInspectorTab);
  const setOpen = useUi((ui) => ui.setInspectorOpen);
  // Nothing chosen in this session: the call that waits is what the person wants to see.
  const call = useSession(
    ({ state }) => (selectedCallId === null ? undefined : state.calls[selectedCallId]) ?? waitingCalls(state)[0],
  );
  return (
    <div className="chat-colors flex min-h-0 flex-1 flex-col">
      <Tabs
        label="Inspector"
        value={tab}
        tabs={tabs}
        onChange={setTab}
        extra={<IconButton size="small" icon={X} label="Close inspector" keys="Mod+J" onClick={() => setOpen(false)} />}
      >
        {call !== undefined && <Head call={call} />}
        {tabs.map(({ value }) => (
          <TabPanel key={value} value={value}>
            {call === undefined ? <NoCall tab={value} /> : <TabBody tab={value} call={call} />}
          </TabPanel>
        ))}
      </Tabs>
    </div>
  );
}

function Head({ call }: { readonly call: ToolCall }) {
  const number = useSession((session) => Object.keys(session.state.calls).indexOf(call.callId) + 1);
  return (
    <div className="border-line border-b px-4 py-2.5">
      <h2 className="flex items-baseline gap-2">
        <span className="font-semibold text-title">{call.presentation.title}</span>
        <span className="text-muted text-small">
          call {number} · {statusWords(call)}
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
    case 'diff': {
      const view = viewOf(call);
      if (view?.kind !== 'diff') {
        return <Hint title="No change to a file">Calls that edit or create a file show what they change here.</Hint>;
      }
      return (
        <div className="bg-code">
          <p className="chat-verbatim border-line border-b bg-panel px-4 py-2 font-mono text-mono">{view.path}</p>
          <DiffView view={view} />
        </div>
      );
    }
    case 'trace':
      return <TraceTab call={call} />;
    case 'why':
      return <WhyTab call={call} />;
    case 'result':
      return <ResultTab call={call} />;
  }
}

const lessons: Readonly<Record<InspectorTab, string>> = {
  call: 'The whole input of a call, just as the model wrote it, with its times.',
  diff: 'The change that a call makes to a file.',
  trace: 'The seven steps that every call goes through, with what each decided and how long it took.',
  why: 'The rule, mode or answer that let a call run or stopped it, with file and line.',
  result: 'The exact text that the model received.',
};

function NoCall({ tab }: { readonly tab: InspectorTab }) {
  return (
    <Hint title="Choose a call">{lessons[tab]} Click the seven-segment track on a card to see its call here.</Hint>
  );
}
