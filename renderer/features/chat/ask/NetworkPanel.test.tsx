// @vitest-environment jsdom
import { act, fireEvent, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { NetworkAnswer, NetworkAsk } from '#shared/session/networkAsk';
import { useRules } from '../../../stores/rules';
import { noRules } from '../../../testing/fakeCore';
import { draw, preparePage, stubLayout } from '../testing/draw';
import { sampleNetworkAsk } from '../testing/samples';
import type { AnswerOutcome } from './answering';
import { NetworkPanel } from './NetworkPanel';
import { armDelayMs, button, click, panel, wait } from './testing/openAsk';

preparePage({ fakeTime: true });
afterEach(() => useRules.setState(useRules.getInitialState(), true));

function open(ask: Partial<NetworkAsk> = {}, outcome: AnswerOutcome = 'answered') {
  const answers: NetworkAnswer[] = [];
  draw(
    <NetworkPanel
      ask={{ ...sampleNetworkAsk, ...ask }}
      queue={{ position: 1, total: 1, onStep: () => undefined }}
      armDelayMs={armDelayMs}
      onAnswer={(answer) => {
        answers.push(answer);
        return Promise.resolve(outcome);
      }}
    />,
  );
  return answers;
}

const press = (key: string, more = {}) => fireEvent.keyDown(panel(), { key, ...more });
const facts = () =>
  [...panel().querySelectorAll('dt')].map((term) => [term.textContent, term.nextElementSibling?.textContent]);

describe('what it shows', () => {
  test.each<[string, Partial<NetworkAsk>, title: string, readonly (readonly string[])[]]>([
    ['a host', {}, 'A command wants to reach registry.npmjs.org', [['Host', 'registry.npmjs.org:443']]],
    [
      'a name of another script',
      { host: 'xn--e1afmkfd.xn--p1ai', readable: 'пример.рф' },
      'A command wants to reach xn--e1afmkfd.xn--p1ai',
      [
        ['Host', 'xn--e1afmkfd.xn--p1ai:443'],
        ['In its own script', 'пример.рф'],
      ],
    ],
    [
      'a name that leads to this machine',
      { host: 'a.example', port: 5_432, address: '127.0.0.1' },
      'a.example leads into a private network',
      [
        ['Host', 'a.example:5432'],
        ['Leads to', '127.0.0.1'],
      ],
    ],
    [
      'an address',
      { host: '10.0.0.7', address: '10.0.0.7' },
      'A command wants to reach 10.0.0.7',
      [['Host', '10.0.0.7:443']],
    ],
  ])('%s', (_name, ask, title, expected) => {
    open(ask);
    expect(panel().querySelector('h2')?.textContent).toBe(title);
    expect(facts()).toEqual(expected);
    expect(panel().querySelector('pre')?.textContent).toBe('npm install left-pad');
    expect(panel().getAttribute('aria-label')).toBe(`Network access required: ${ask.host ?? sampleNetworkAsk.host}`);
  });

  test('a warning, who asks, and characters that cannot be seen', () => {
    open({ warning: 'The name looks like another one.', agent: 'tester', command: 'curl a\u202eb' });
    const text = panel().textContent ?? '';
    expect(text).toContain('The name looks like another one.');
    expect(text).toContain('asked by tester · port 443, as for HTTPS · the command below waits');
    expect(text).toContain('U+202E');
    expect(text).not.toContain('\u202e');
  });
});

describe('answers', () => {
  test.each<[string, NetworkAnswer]>([
    ['Deny', { kind: 'deny' }],
    ['Allow once', { kind: 'allowOnce' }],
    ['For this session', { kind: 'allowSession' }],
  ])('%s, once it is armed', async (name, expected) => {
    const answers = open();
    click(button(name));
    await wait(armDelayMs - 1);
    click(button(name));
    expect(answers).toEqual([]);
    await wait(1);
    click(button(name));
    click(button(name));
    expect(answers).toEqual([expected]);
  });

  test.each<[string, () => void, NetworkAnswer[]]>([
    ['Mod+Enter', () => press('Enter', { ctrlKey: true }), [{ kind: 'allowOnce' }]],
    ['Mod+Backspace', () => press('Backspace', { ctrlKey: true }), [{ kind: 'deny' }]],
    ['Escape', () => press('Escape'), [{ kind: 'deny' }]],
    ['Enter alone', () => press('Enter'), []],
    ['y', () => press('y'), []],
    ['a held chord', () => press('Enter', { ctrlKey: true, repeat: true }), []],
  ])('%s', async (_name, act, expected) => {
    const answers = open();
    act();
    expect(answers).toEqual([]);
    await wait(armDelayMs);
    act();
    expect(answers).toEqual(expected);
  });

  test('it can be answered again when the answer was not taken', async () => {
    const answers = open({}, 'failed');
    await wait(armDelayMs);
    click(button('Deny'));
    await wait(0);
    click(button('Deny'));
    expect(answers).toEqual([{ kind: 'deny' }, { kind: 'deny' }]);
  });

  test('nothing is allowed whose command has not been seen to its end; it can be denied', async () => {
    stubLayout({ scrollHeight: 900, clientHeight: 200 });
    const answers = open();
    await wait(armDelayMs);
    click(button('Allow once'));
    click(button('For this session'));
    press('Enter', { ctrlKey: true });
    expect(answers).toEqual([]);
    expect(panel().textContent).toContain('scroll to the end before you allow this');
    click(button('Deny'));
    expect(answers).toEqual([{ kind: 'deny' }]);
  });
});

describe('always', () => {
  test('saves a pattern that was offered, narrowest first, where it was chosen, and arms anew', async () => {
    const answers = open({ port: 8443, patterns: ['registry.npmjs.org:8443', 'registry.npmjs.org', '*.npmjs.org'] });
    await wait(armDelayMs);
    press('Enter', { ctrlKey: true, shiftKey: true });
    const offered = within(panel()).getAllByRole('radio', { name: /npmjs/ });
    expect(offered.map((radio) => [radio.textContent, radio.getAttribute('aria-checked')])).toEqual([
      ['registry.npmjs.org:8443this host, this port alone', 'true'],
      ['registry.npmjs.orgthis host, every port', 'false'],
      ['*.npmjs.orgevery name that ends so, every port', 'false'],
    ]);
    fireEvent.click(within(panel()).getByRole('radio', { name: /\*\.npmjs\.org/ }));
    fireEvent.click(within(panel()).getByRole('radio', { name: 'All my projects' }));
    expect(panel().textContent).toContain(
      'Adds "*.npmjs.org" to sandbox.network.allowedDomains in ~/.claude/settings.json.',
    );
    click(button('Save and connect'));
    expect(answers).toEqual([]);
    await wait(armDelayMs);
    click(button('Save and connect'));
    expect(answers).toEqual([{ kind: 'allowAlways', pattern: '*.npmjs.org', source: 'userSettings' }]);
  });

  test.each([
    [true, 'localSettings'],
    [false, 'userSettings'],
  ] as const)('a folder that is trusted: %s, so it is saved in %s', async (trusted, source) => {
    useRules.setState({ view: { ...noRules, trust: { ...noRules.trust, trusted } } });
    const answers = open();
    await wait(armDelayMs);
    click(button('Always allow…'));
    const here = within(panel()).getByRole('radio', { name: 'Only me, here' });
    expect(here.hasAttribute('disabled')).toBe(!trusted);
    expect(panel().textContent?.includes('The folder is not trusted')).toBe(!trusted);
    await wait(armDelayMs);
    click(button('Save and connect'));
    expect(answers).toEqual([{ kind: 'allowAlways', pattern: 'registry.npmjs.org', source }]);
  });

  test('Escape goes back and answers nothing', async () => {
    const answers = open();
    await wait(armDelayMs);
    click(button('Always allow…'));
    await wait(armDelayMs);
    press('Escape');
    expect(answers).toEqual([]);
    expect(button('Allow once')).toBeDefined();
  });

  test('is not offered where nothing may be saved, and says why', async () => {
    const answers = open({ patterns: [] });
    await wait(armDelayMs);
    click(button('Always allow…'));
    press('Enter', { ctrlKey: true, shiftKey: true });
    act(() => vi.advanceTimersByTime(armDelayMs));
    expect(within(panel()).queryByRole('button', { name: 'Save and connect' })).toBeNull();
    expect(panel().textContent).toContain('This host cannot be put on the list.');
    expect(answers).toEqual([]);
  });
});
