// GetConfig and SetConfig through the pipeline and the real engine.
import { afterEach, describe, expect, it } from 'vitest';
import { Preferences } from '#shared/api/settings';
import type { JsonValue } from '#shared/util/json';
import { type RuledBench, type RuledBenchOptions, ruledBench } from '../../pipeline/testing/ruledBench';
import { createGetConfigTool } from '../getConfig/getConfig';
import { settableNames, shownNames } from '../ownSettings';
import { createSetConfigTool } from './setConfig';

const open: RuledBench[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.dispose()));
});

async function configured(options: RuledBenchOptions = {}, start: Partial<Preferences> = {}) {
  let current = Preferences.parse(start);
  const preferences = {
    get: () => current,
    set(change: Partial<Preferences>) {
      current = Preferences.parse({ ...current, ...change });
    },
  };
  const b = await ruledBench({
    ...options,
    tools: [createGetConfigTool(preferences), createSetConfigTool(preferences)],
  });
  open.push(b);
  const run = async (tool: string, input: JsonValue, mode?: Parameters<RuledBench['run']>[0]['mode']) => {
    const { call } = await b.run({ tool, input, ...(mode === undefined ? {} : { mode }) });
    return { status: call.status, text: 'modelText' in call ? call.modelText : '', asked: b.asked.length };
  };
  return { run, preferences };
}

const dark = { setting: 'theme', value: 'dark' };

describe('SetConfig', () => {
  it.each<[string, RuledBenchOptions, 'default' | 'acceptEdits' | 'bypassPermissions']>([
    ['as usual', {}, 'default'],
    ['in spite of an allow rule', { allow: ['SetConfig'] }, 'acceptEdits'],
    ['in bypass', {}, 'bypassPermissions'],
  ])('asks %s, and changes what was approved', async (_name, options, mode) => {
    const { run, preferences } = await configured(options);
    expect(await run('SetConfig', dark, mode)).toEqual({
      status: 'succeeded',
      text: 'theme is now dark (it was system).',
      asked: 1,
    });
    expect(preferences.get()).toEqual({ ...Preferences.parse({}), theme: 'dark' });
  });

  it('changes nothing where the person says no', async () => {
    const { run, preferences } = await configured({ answer: { kind: 'deny' } });
    expect((await run('SetConfig', dark)).status).toBe('denied');
    expect(preferences.get()).toEqual(Preferences.parse({}));
  });

  it.each<[string, JsonValue]>([
    ['a value that it cannot have', { setting: 'theme', value: 'purple' }],
    ['the value that it has', { setting: 'theme', value: 'system' }],
    ['where the key goes', { setting: 'baseUrl', value: 'https://example.com' }],
    ['which programs start', { setting: 'lspServers', value: '{}' }],
    ['how long an ask arms', { setting: 'armDelayMs', value: '300' }],
    ['which tools there are', { setting: 'features', value: 'repl' }],
    ['a name of the prototype', { setting: 'constructor', value: 'x' }],
  ])('never asks for %s', async (_name, input) => {
    const { run, preferences } = await configured();
    expect(await run('SetConfig', input)).toMatchObject({ status: 'failed', asked: 0 });
    expect(preferences.get()).toEqual(Preferences.parse({}));
  });
});

describe('GetConfig', () => {
  it('shows what is no secret', async () => {
    const { run } = await configured(
      {},
      {
        baseUrl: 'https://kim:hush@example.com',
        lspServers: { typescript: { command: 'ls', args: ['--token=hush'] } },
        features: { repl: true },
      },
    );
    const { status, text, asked } = await run('GetConfig', {}, 'plan');
    expect([status, asked, text.includes('hush'), text.includes('example.com')]).toEqual([
      'succeeded',
      0,
      false,
      false,
    ]);
    expect(text.split('\n').map((line) => line.split(' — ', 1)[0])).toEqual([
      'theme: system',
      'model: (empty)',
      'sendWith: enter',
      'toolDeferral: auto',
      'armDelayMs: 600',
      'toolSet: all',
      'features: repl on',
    ]);
  });

  it('shows one', async () => {
    const { run } = await configured();
    expect((await run('GetConfig', { setting: 'theme' })).text).toBe(
      'theme: system — colours of the page: system, light or dark',
    );
  });

  it('knows every preference to be shown, to be set or to be kept back', () => {
    const kept = ['baseUrl', 'lspServers', 'density', 'notify', 'prices', 'shortcuts'];
    expect([...shownNames, ...kept].sort()).toEqual(Object.keys(Preferences.shape).sort());
    expect(settableNames.every((name) => shownNames.includes(name))).toBe(true);
  });
});
