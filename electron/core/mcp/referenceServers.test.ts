// The official reference servers as peers.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { QuestionAnswers } from '../tools/tool';
import { type McpWorld, mcpWorld, reference, sessionId } from './testing/mcpWorld';

let world: McpWorld | null = null;
const running: ReturnType<typeof spawn>[] = [];
afterEach(async () => {
  await world?.dispose();
  world = null;
  for (const one of running.splice(0)) one.kill('SIGKILL');
});

const user = (mcpServers: object) => ({ 'home/.claude.json': { mcpServers } });

describe('everything over stdio', () => {
  it('connects, lists, calls, reports progress, reads resources and prompts', async () => {
    world = mcpWorld(user({ everything: reference.everything }));
    expect(world.mcp.tools(sessionId)).toEqual([]);
    const view = await world.until('everything', 'connected', 'failed');
    expect(view).toMatchObject({
      state: 'connected',
      reason: '',
      scope: 'user',
      resources: true,
      prompts: true,
      needs: null,
    });
    expect(view.tools.length).toBeGreaterThan(8);
    expect(view.instructions.length).toBeGreaterThan(10);
    const names = world.mcp.tools(sessionId).map((tool) => tool.name);
    expect(names).toEqual([...names].sort());
    expect(names).toContain('mcp__everything__echo');
    expect(world.mcp.tools(sessionId)).toBe(world.mcp.tools(sessionId));

    expect(await world.call('mcp__everything__echo', { message: 'hi' })).toBe('Echo: hi');
    expect(await world.call('mcp__everything__get-sum', { a: '2', b: 3 })).toContain('5');
    expect(await world.call('mcp__everything__get-tiny-image', {})).toContain('[image/png]');
    expect(await world.call('mcp__everything__get-structured-content', { location: 'Chicago' })).toContain(
      'temperature',
    );
    const progress: string[] = [];
    await world.call(
      'mcp__everything__trigger-long-running-operation',
      { duration: 0.3, steps: 3 },
      { onProgress: (text) => progress.push(text) },
    );
    // The last one may come with the answer.
    expect(progress.slice(0, 2)).toEqual(['1 of 3', '2 of 3']);

    const resources = await world.mcp.resources(sessionId);
    expect(resources[0]).toMatchObject({ server: 'everything' });
    const [first] = resources;
    const blocks = await world.mcp.readResource(sessionId, { server: 'everything', uri: first?.uri ?? '' });
    expect(blocks[0]).toMatchObject({ type: 'text', text: expect.stringContaining(`[resource ${first?.uri}]`) });
    const prompts = await world.mcp.prompts(sessionId, 'everything');
    expect(prompts.map((one) => one.name)).toContain('simple-prompt');
    const text = await world.mcp.prompt(
      { folder: world.folder, id: 'user/everything' },
      { name: 'args-prompt', arguments: { city: 'Paris' } },
    );
    expect(text).toMatchObject({ ok: true, value: expect.stringContaining('Paris') });
  });

  it('sees the root of the folder and asks the person', async () => {
    world = mcpWorld(user({ everything: reference.everything }));
    await world.until('everything', 'connected', 'failed');
    // Some tools come only once the server knows what its client can do.
    while (!world.mcp.tools(sessionId).some((tool) => tool.name === 'mcp__everything__trigger-elicitation-request'))
      await new Promise<void>((resolve) => {
        const stop = world?.mcp.onChange(() => {
          stop?.();
          resolve();
        });
      });
    const asked: string[] = [];
    const askPerson = (questions: readonly { question: string; options: readonly { label: string }[] }[]) => {
      for (const { question } of questions) asked.push(question);
      const answers = Object.fromEntries(
        questions.map(({ question, options }) => [question, [options[0]?.label ?? 'Ada']]),
      );
      return Promise.resolve<QuestionAnswers>({ answered: true, answers });
    };
    const said = await world.call('mcp__everything__trigger-elicitation-request', {}, { askPerson });
    expect(asked[0]).toContain('The MCP server everything asks:');
    expect(said.toLowerCase()).toContain('provided');
    expect(await world.call('mcp__everything__trigger-elicitation-request', {})).toContain('declined');
    expect(await world.call('mcp__everything__get-roots-list', {})).toContain(`file://${world.folder}`);
  });
});

it('filesystem and memory work side by side', async () => {
  world = mcpWorld();
  const { folder } = world;
  writeFileSync(join(folder, 'a.txt'), 'inside');
  world.put('home/.claude.json', {
    projects: {
      [folder]: {
        mcpServers: { files: reference.filesystem(folder), notes: reference.memory(join(folder, 'm.json')) },
      },
    },
  });
  await world.until('files', 'connected', 'failed');
  await world.until('notes', 'connected', 'failed');
  expect(await world.call('mcp__files__read_text_file', { path: join(folder, 'a.txt') })).toBe('inside');
  await expect(world.call('mcp__files__read_text_file', { path: '/etc/hostname' })).rejects.toThrow('Access denied');
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['wrote programs'] }];
  await world.call('mcp__notes__create_entities', { entities });
  expect(await world.call('mcp__notes__search_nodes', { query: 'Ada' })).toContain('wrote programs');
  expect(readFileSync(join(folder, 'm.json'), 'utf8')).toContain('Ada');
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts the server on a port and resolves when it says that it listens. */
async function overNetwork(kind: 'streamableHttp' | 'sse', port: number): Promise<ReturnType<typeof spawn>> {
  const child = spawn(process.execPath, [reference.everythingScript, kind], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  await new Promise<void>((resolve, reject) => {
    const look = (chunk: Buffer): void => {
      if (/listening|running/i.test(String(chunk))) resolve();
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('exit', () => reject(new Error('the server ended')));
  });
  return child;
}

it.each([
  ['streamableHttp', 'http', 'mcp'],
  ['sse', 'sse', 'sse'],
] as const)(
  'everything over %s: works, and a server that goes is noticed and found again',
  async (kind, type, path) => {
    const port = await freePort();
    const child = await overNetwork(kind, port);
    world = mcpWorld(user({ far: { type, url: `http://127.0.0.1:${port}/${path}` } }));
    const view = await world.until('far', 'connected', 'failed');
    expect(view).toMatchObject({ state: 'connected', reason: '' });
    expect(await world.call('mcp__far__echo', { message: 'far' })).toBe('Echo: far');
    const slow = world.call('mcp__far__trigger-long-running-operation', { duration: 60, steps: 60 });
    const failed = expect(slow).rejects.toThrow(/connection closed|could not be reached/);
    const started = performance.now();
    // Long enough for the call to be under way.
    await world.call('mcp__far__echo', { message: 'again' });
    child.kill('SIGKILL');
    await failed;
    expect(performance.now() - started).toBeLessThan(5_000);
    await overNetwork(kind, port);
    await world.until('far', 'connected');
    expect(await world.call('mcp__far__echo', { message: 'back' })).toBe('Echo: back');
  },
);
