// @vitest-environment jsdom
import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { emptyState } from '#shared/session/state';
import type { SubAgent } from '#shared/session/subAgent';
import type { ToolCall } from '#shared/session/toolCall';
import { useSession } from '../../../stores/session';
import { resetStores } from '../../../testing/resetStores';
import { draw, preparePage } from '../testing/draw';
import { sampleAsk, sampleBase, succeeded } from '../testing/samples';
import { AgentWork } from './AgentWork';

preparePage({ fakeTime: false });
beforeEach(resetStores);

const agent = (change: Partial<SubAgent>): SubAgent => ({
  agentId: 'a1',
  callId: 'call-0',
  parent: null,
  type: 'Explore',
  description: 'look around',
  model: 'm',
  background: false,
  status: 'running',
  startedAt: 1,
  endedAt: null,
  note: '',
  ...change,
});

function hold(agents: readonly SubAgent[], calls: readonly ToolCall[]): void {
  const state = {
    ...emptyState(),
    agents: Object.fromEntries(agents.map((one) => [one.agentId, one])),
    calls: Object.fromEntries(calls.map((call) => [call.callId, call])),
  };
  act(() => useSession.setState({ sessionId: 's1', status: 'ready', state }));
}

test('nothing where a call has started no agent', () => {
  const { container } = draw(<AgentWork callId="call-0" onOpenTrace={vi.fn()} />);
  expect(container.textContent).toBe('');
});

test('says what an agent does now; its calls open one by one, those of agents within them too', () => {
  const onOpenTrace = vi.fn();
  const asking: ToolCall = { ...sampleBase, callId: 'c2', agentId: 'a1', status: 'asking', ask: sampleAsk, askedAt: 2 };
  hold([agent({})], [succeeded({ callId: 'c1', agentId: 'a1' }), asking, succeeded({ callId: 'other' })]);
  draw(<AgentWork callId="call-0" onOpenTrace={onOpenTrace} />);
  const toggle = screen.getByRole('button', { name: /^Explore/ });
  expect(toggle.textContent).toBe('Explore2 calls · runningRunning npm test (waiting for you)');
  expect(screen.queryByRole('list')).toBeNull();
  fireEvent.click(toggle);
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Bashnpm testdone',
    'Bashnpm testwaiting for you',
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Open trace: Bash, npm test, waiting for you' }));
  expect(onOpenTrace).toHaveBeenCalledWith('c2');

  hold(
    [
      agent({ status: 'stopped', note: 'stopped' }),
      agent({ agentId: 'a2', callId: 'c1', parent: 'a1', type: 'inner' }),
    ],
    [succeeded({ callId: 'c1', agentId: 'a1' })],
  );
  expect(screen.getByRole('button', { name: /^Explore/ }).textContent).toBe('Explore1 call · stoppedstopped');
  expect(screen.getByRole('button', { name: /^inner/ }).textContent).toBe('inner0 calls · running');
});
