// What sub-agents have of the session's tools: their own finds, and everything loaded where they have no search.
import { expect, test } from 'vitest';
import { message, type Play } from '../testing/bench';
import { plainTool } from '../tools/testing/plainTool';
import { toolSearchTool } from '../tools/toolSearch/toolSearch';
import { agentBench, agentType } from './testing/agentBench';

const tools = [plainTool('Common'), plainTool('Rare', { shouldDefer: true }), toolSearchTool];
const start = (type: string) =>
  message({ call: 'Agent', input: { description: 'look', prompt: 'Look.', subagent_type: type } });
const search = message({ call: 'ToolSearch', input: { query: 'select:Rare' } });
const callRare = message({ call: 'Rare', input: { text: 'x' } });
const done = message({ text: 'Done.' });

async function agentRequests(type: string, plays: Play[], own: Play[] = []) {
  const b = agentBench({
    tools,
    types: [agentType({ name: 'narrow', tools: ['Rare', 'Common'] }), agentType({ name: 'wide' })],
    plays: [...own, start(type), ...plays, done],
  });
  const ended = b.until(({ type: what }) => what === 'turn.finished');
  b.agent.send(b.sessionId, 'go');
  await ended;
  const isAgents = ({ system }: { readonly system: string }) => system.includes('# Your part');
  return {
    agents: b.requests.filter(isAgents).map((request) => request.tools.map(({ name }) => name)),
    last: b.requests.findLast((request) => !isAgents(request))?.tools.map(({ name }) => name),
    statuses: b.calls().map(({ name, status }) => [name, status]),
  };
}

test('an agent with named tools and no search has them all loaded', async () => {
  const { agents, statuses } = await agentRequests('narrow', [callRare, done]);
  expect(agents[0]).toEqual(['Common', 'Rare']);
  expect(statuses).toEqual([
    ['Agent', 'succeeded'],
    ['Rare', 'succeeded'],
  ]);
});

test('what an agent finds is its own', async () => {
  const { agents, last } = await agentRequests('wide', [search, callRare, done]);
  expect(agents.map((names) => names.includes('Rare'))).toEqual([false, true, true]);
  expect(last?.includes('Rare')).toBe(false);
});

test('what the session has found an agent has to find again', async () => {
  const { agents, last } = await agentRequests('wide', [callRare, done], [search]);
  expect(agents.map((names) => names.includes('Rare'))).toEqual([false, true]);
  expect(last?.includes('Rare')).toBe(true);
});
