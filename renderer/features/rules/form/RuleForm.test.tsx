// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Trial } from '#shared/api/rules';
import type { RuleRef } from '#shared/permissions/ruleRef';
import { useRuleDraft } from '../../../stores/ruleDraft';
import type { FakeCore } from '../../../testing/fakeCore';
import { mountPage } from '../../../testing/mountPage';
import { finding, previewOf, ref } from '../testing/samples';
import { sessionId, staged, startRules } from '../testing/startRules';
import { RuleForm } from './RuleForm';
import { partsOf } from './RuleParts';

let core: FakeCore;
let made: string | null | undefined;

const called = (method: string) => core.calls.filter((call) => call.method === method).map((call) => call.params);

const trial: Trial = {
  tool: 'Read',
  input: { file_path: '/srv/app/src/a.ts' },
  cwd: '/srv/app',
  mode: 'default',
  steps: [],
  warning: '',
  decision: {
    behavior: 'allow',
    reason: { type: 'rule', rule: ref('allow', 'Read(src/**)', 'localSettings') },
    parts: [],
    why: {
      tool: 'Read',
      mode: 'default',
      modeNote: '',
      commands: [],
      files: [{ given: 'src/a.ts', real: '/srv/app/src/a.ts', access: 'read', from: 'tool', inside: true, note: '' }],
      hosts: [],
      rules: [
        {
          rule: ref('allow', 'Read(src/**)', 'localSettings'),
          standing: 'wins',
          parts: ['src/a.ts'],
          because: 'it lies below',
        },
      ],
      nearMisses: [],
      gates: [],
      doubts: [],
      opinions: [],
      leftOut: 0,
    },
  },
};

function mount(rule: RuleRef | null, text = ''): void {
  made = undefined;
  mountPage(
    <RuleForm
      rule={rule}
      start={{ behavior: rule?.behavior ?? 'allow', text: rule?.text ?? text, source: 'localSettings' }}
      onDone={(key) => {
        made = key;
      }}
    />,
  );
}

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const tool = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Tool' });
const submit = () => screen.getByRole('button', { name: /^(Add to the draft|Change)$/ });

beforeEach(async () => {
  core = await startRules({
    'rules.preview': ({ draft }) =>
      previewOf([], {
        problems: draft.flatMap((edit, at) =>
          edit.type === 'add' && edit.text.startsWith('Bash(git:* ')
            ? [{ edit: at, problem: ':* counts only at the end' }]
            : [],
        ),
      }),
    'rules.lint': ({ draft }) => {
      const last = draft.at(-1);
      const text = last !== undefined && 'text' in last ? last.text : '';
      if (!text.startsWith('Write(')) return { findings: [] };
      const rule = ref('allow', text, 'localSettings', 4);
      const fix = {
        label: 'Use Edit',
        safe: false,
        edits: [{ type: 'change' as const, rule, behavior: 'allow' as const, text: text.replace('Write', 'Edit') }],
      };
      return {
        findings: [finding(rule, { kind: 'neverConsulted', message: 'Write rules are never consulted.', fix })],
      };
    },
    'rules.try': () => trial,
    'history.reach': () => ({ covers: 12, overReach: 0, covered: [], worst: [] }),
  });
});

afterEach(() => {
  cleanup();
  core.link.dispose();
});

test('text and parts are one rule, whichever is written', async () => {
  mount(null);
  expect(document.activeElement).toBe(field('Rule'));
  await userEvent.type(field('Rule'), 'Bash(git push *)');
  expect([tool().value, field('What it is about').value]).toEqual(['Bash', 'git push *']);
  await userEvent.clear(field('What it is about'));
  expect(field('Rule').value).toBe('Bash');
  await userEvent.type(field('What it is about'), 'npm *');
  expect(field('Rule').value).toBe('Bash(npm *)');
  expect(await screen.findByText('12 past calls')).toBeDefined();
  await userEvent.click(submit());
  expect(staged()).toEqual([{ type: 'add', source: 'localSettings', behavior: 'allow', text: 'Bash(npm *)' }]);
  expect(made).toBe('localSettings\nallow\nBash(npm *)\n0');
});

test('what is wrong is said while writing, and is not added', async () => {
  mount(null);
  await userEvent.type(field('Rule'), 'Bash(git:* push)');
  expect((await screen.findByRole('alert')).textContent).toBe(':* counts only at the end.');
  expect(submit().hasAttribute('disabled')).toBe(true);
  await userEvent.keyboard('{Enter}');
  expect(staged()).toEqual([]);
});

test('a remark offers the text that works', async () => {
  mount(null, 'Write(/docs/**)');
  await userEvent.click(await screen.findByRole('button', { name: 'Write Edit(/docs/**)' }));
  expect(field('Rule').value).toBe('Edit(/docs/**)');
  await waitFor(() => expect(screen.queryByText('Write rules are never consulted.')).toBeNull());
});

test('remarks are those on the rule that is written, each once; one that makes it ask says so', async () => {
  const text = 'Bash(npm run *)';
  const own = ref('allow', text, 'localSettings', 4);
  const broad = (rule: RuleRef) =>
    finding(rule, {
      kind: 'overBroad',
      message: `It runs anything, in ${rule.source}.`,
      fix: { label: 'Ask', safe: false, edits: [{ type: 'change', rule, behavior: 'ask', text }] },
    });
  core.answers = {
    ...core.answers,
    'rules.lint': ({ draft }) => ({
      findings: draft.some((edit) => edit.type === 'add' && edit.behavior === 'allow')
        ? [broad(own), broad(own), broad(ref('allow', text, 'userSettings', 9))]
        : [],
    }),
  };
  mount(null, text);
  const offer = await screen.findByRole('button', { name: 'Make it ask' });
  expect(screen.getAllByText(/It runs anything/)).toHaveLength(1);
  await userEvent.click(offer);
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'ask' }).checked).toBe(true);
  expect(field('Rule').value).toBe(text);
  await waitFor(() => expect(screen.queryByText(/It runs anything/)).toBeNull());
});

test('a path is tried against the rule that is being written, with its real form', async () => {
  useRuleDraft.getState().add(sessionId, [{ type: 'remove', rule: ref('deny', 'Read', 'userSettings', 3) }]);
  mount(null, 'Read(src/**)');
  await userEvent.type(field('Does it match?'), 'Read src/a.ts');
  expect(await screen.findByText('This rule speaks of it.')).toBeDefined();
  expect(screen.getByText('src/a.ts → /srv/app/src/a.ts')).toBeDefined();
  expect(called('rules.try').at(-1)).toEqual({
    sessionId,
    draft: [...staged(), { type: 'add', source: 'localSettings', behavior: 'allow', text: 'Read(src/**)' }],
    call: { kind: 'line', line: 'Read src/a.ts' },
  });
});

test('a rule of the session says how long it counts; locked sources say why', async () => {
  mount(null, 'Edit');
  await userEvent.click(screen.getByRole('combobox', { name: 'Stands in' }));
  const policy = screen.getByRole('option', { name: 'policy · the administrator writes it' });
  expect(policy.getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(screen.getByRole('option', { name: 'session' }));
  await userEvent.click(screen.getByRole('combobox', { name: 'Counts' }));
  await userEvent.click(screen.getByRole('option', { name: 'for one hour' }));
  await userEvent.click(submit());
  expect(staged()).toEqual([{ type: 'add', source: 'session', behavior: 'allow', text: 'Edit', lifetime: 'hour' }]);
});

test('another verdict, text and place are one step', async () => {
  const rule = ref('allow', 'Bash(git *)', 'localSettings', 7);
  mount(rule);
  expect(submit().hasAttribute('disabled')).toBe(true);
  await userEvent.click(screen.getByRole('radio', { name: 'ask' }));
  expect(screen.getByText('Always waits for you, whatever else allows it.')).toBeDefined();
  await userEvent.click(screen.getByRole('combobox', { name: 'Stands in' }));
  await userEvent.click(screen.getByRole('option', { name: 'user' }));
  await userEvent.click(submit());
  const { line: _line, ...place } = rule;
  expect(staged()).toEqual([
    { type: 'change', rule, behavior: 'ask', text: 'Bash(git *)' },
    { type: 'move', rule: { ...place, behavior: 'ask' }, to: 'userSettings' },
  ]);
  await userEvent.keyboard('{Escape}');
  expect(made).toBeNull();
});

describe('parts of a text', () => {
  test.each([
    ['Bash(git *)', 'Bash', 'git *'],
    ['Bash', 'Bash', null],
    ['Bash(git', 'Bash', 'git'],
    ['Bash()', 'Bash', ''],
    ['', '', null],
    ['Bash(echo (a))', 'Bash', 'echo (a)'],
  ])('%s', (text, name, content) => {
    expect(partsOf(text)).toEqual({ tool: name, content });
  });
});
