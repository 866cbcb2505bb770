// @vitest-environment jsdom
import { fireEvent, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { Reach } from '#shared/api/history';
import { preparePage } from '../testing/draw';
import type { AskStudy } from './askStudy';
import { armDelayMs, button, click, fine, openAsk, panel, settle, wait } from './testing/openAsk';

preparePage({ fakeTime: true });

const mod = { ctrlKey: true };

describe('always allow', () => {
  const openStep = async (options: Parameters<typeof openAsk>[0] = {}) => {
    const opened = openAsk(options);
    await wait(armDelayMs);
    click(button('Always allow…'));
    return opened;
  };

  test('saves what was previewed, where it was chosen', async () => {
    const { answers, preview } = await openStep();
    fireEvent.click(within(panel()).getByRole('radio', { name: /Bash\(git push origin \*\)/ }));
    fireEvent.click(within(panel()).getByRole('radio', { name: 'Project, shared' }));
    await wait(200);
    expect(preview).toHaveBeenLastCalledWith({
      askId: 'ask-1',
      rules: ['Bash(git push origin *)'],
      source: 'projectSettings',
    });
    await wait(armDelayMs);
    click(button('Save and run'));
    expect(answers).toEqual([{ kind: 'allowAlways', rules: ['Bash(git push origin *)'], source: 'projectSettings' }]);
  });

  test('a rule for this session can end by itself; rules in files cannot', async () => {
    const { answers } = await openStep();
    expect(within(panel()).queryByRole('radiogroup', { name: 'How long it counts' })).toBeNull();
    fireEvent.click(within(panel()).getByRole('radio', { name: 'This session' }));
    const group = within(panel()).getByRole('radiogroup', { name: 'How long it counts' });
    expect(
      within(group)
        .getAllByRole('radio')
        .map((radio) => [radio.textContent, radio.getAttribute('aria-checked')]),
    ).toEqual([
      ['Until the session ends', 'true'],
      ['For 1 hour', 'false'],
      ['For 15 minutes', 'false'],
      ['Until this task ends', 'false'],
    ]);
    fireEvent.click(within(group).getByRole('radio', { name: 'For 15 minutes' }));
    await wait(200);
    await wait(armDelayMs);
    click(button('Save and run'));
    expect(answers).toEqual([
      { kind: 'allowAlways', rules: ['Bash(git push origin tides)'], source: 'session', lifetime: 'quarterHour' },
    ]);
  });

  test('starts with the narrowest rule for this folder alone, and shows the line it adds', async () => {
    await openStep();
    await wait(200);
    expect(within(panel()).getByLabelText('Rule, as it will be saved')).toHaveProperty(
      'value',
      'Bash(git push origin tides)',
    );
    expect(panel().textContent).toContain('"Bash(git push origin tides)"');
    expect(panel().textContent).toContain('settings.local.json:6');
  });

  test('an edited rule is previewed again before it can be saved', async () => {
    const { answers, preview } = await openStep();
    await settle();
    fireEvent.change(within(panel()).getByLabelText('Rule, as it will be saved'), {
      target: { value: 'Bash(git push origin x)' },
    });
    click(button('Save and run'));
    expect(answers).toEqual([]);
    await settle();
    expect(preview).toHaveBeenLastCalledWith({
      askId: 'ask-1',
      rules: ['Bash(git push origin x)'],
      source: 'localSettings',
    });
    click(button('Save and run'));
    expect(answers).toHaveLength(1);
  });

  test('a rule that would not let the call run is not saved, and the reason is shown', async () => {
    const { answers } = await openStep({
      preview: { ...fine, wouldRun: false, stillBecause: 'project settings, line 21, is an ask rule' },
    });
    await settle();
    expect(panel().textContent).toContain('Would still ask: project settings, line 21, is an ask rule');
    click(button('Save and run'));
    expect(answers).toEqual([]);
  });

  test('neither Mod+Enter nor an early click saves', async () => {
    const { answers } = await openStep();
    click(button('Save and run'));
    await settle();
    fireEvent.keyDown(panel(), { key: 'Enter', ...mod });
    expect(answers).toEqual([]);
  });

  /** Answers when the test says so. */
  function studyOf(found: Partial<AskStudy>) {
    let answer: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const reach = async (rules: readonly string[]): Promise<Reach> => {
      await gate;
      return rules[0] === 'Bash(git push origin *)'
        ? { covers: 12, overReach: 2, covered: [], worst: [] }
        : { covers: 3, overReach: 1, covered: [], worst: [forced] };
    };
    const study: AskStudy = {
      reach,
      remarks: () => Promise.resolve(['A push cannot be taken back.']),
      locks: () => Promise.resolve({}),
      steps: () => Promise.resolve({ undo: null, redo: null, recent: [] }),
      undo: () => Promise.resolve({ undo: null, redo: null, recent: [] }),
      ...found,
    };
    return {
      study,
      answer: async () => {
        answer?.();
        await wait(0);
      },
    };
  }
  const forced: Reach['worst'][number] = {
    call: {
      id: '1',
      origin: 'gatehouse',
      session: 's',
      cwd: '/srv/app',
      at: 1,
      tool: 'Bash',
      input: '{}',
      title: 'git push --force',
      isSubagent: false,
      mode: null,
      outcome: 'refused',
    },
    count: 1,
    before: 'ask',
    after: 'allow',
    danger: { score: 80, reason: 'rewrites a shared branch' },
    because: '',
  };

  test('tells which past calls each rule would meet, the worst of them, and what the checks say', async () => {
    const { study, answer } = studyOf({});
    await openStep({ study });
    await settle();
    expect(panel().textContent).toContain('counting past calls…');
    await answer();
    expect(panel().textContent).toContain('3 prompts of the last 30 days · 1 dangerous or refused call besides');
    expect(panel().textContent).toContain('git push --forcerewrites a shared branch');
    expect(panel().textContent).toContain('A push cannot be taken back.');
    expect(within(panel()).getByRole('radio', { name: /Bash\(git push origin \*\)/ }).textContent).toContain(
      '12 prompts of the last 30 days · 2 dangerous or refused calls besides',
    );
  });

  test('numbers that come late arm the button anew: a click that was on its way saves nothing', async () => {
    const { study, answer } = studyOf({});
    const { answers } = await openStep({ study });
    await settle();
    fireEvent.pointerDown(button('Save and run'));
    await answer();
    fireEvent.click(button('Save and run'), { detail: 1 });
    expect(answers).toEqual([]);
    await settle();
    click(button('Save and run'));
    expect(answers).toHaveLength(1);
  });

  test('past calls that cannot be counted hold nothing up', async () => {
    const { study } = studyOf({ reach: () => Promise.reject(new Error('not read yet')) });
    const { answers } = await openStep({ study });
    await settle();
    await settle();
    expect(panel().textContent).toContain('past calls cannot be counted now');
    click(button('Save and run'));
    expect(answers).toHaveLength(1);
  });

  test('a place that cannot be written is closed, with its reason', async () => {
    const { study } = studyOf({ locks: () => Promise.resolve({ projectSettings: 'The file is broken in line 3.' }) });
    await openStep({ study });
    await settle();
    const place = within(panel()).getByRole('radio', { name: 'Project, shared' });
    expect(place).toHaveProperty('disabled', true);
    expect(panel().textContent).toContain('Project, shared: The file is broken in line 3.');
  });

  test('what was saved last can be taken back', async () => {
    const step = { id: '9', label: 'add allow Bash(ls) to local', at: Date.now(), files: [] };
    const undo = vi.fn(() => Promise.resolve({ undo: null, redo: step, recent: [] }));
    const { study } = studyOf({
      steps: () => Promise.resolve({ undo: step, redo: null, recent: [step] }),
      undo,
    });
    await openStep({ study });
    await wait(0);
    expect(panel().textContent).toContain('add allow Bash(ls) to local');
    fireEvent.click(within(panel()).getByRole('button', { name: 'Undo', hidden: true }));
    await wait(0);
    expect(undo).toHaveBeenCalledWith('9');
    expect(panel().textContent).not.toContain('Recently saved');
  });

  test('where nothing may be saved the reason stands beside the button', async () => {
    openAsk({ ask: { suggestions: [], noSuggestions: 'A removal is never saved as a rule.' } });
    await wait(armDelayMs);
    click(button('Always allow…'));
    expect(within(panel()).queryByText('Save and run')).toBeNull();
    expect(panel().textContent).toContain('A removal is never saved as a rule.');
  });
});
