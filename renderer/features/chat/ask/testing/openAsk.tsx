// An ask on a page, for the tests of its steps.
import { act, fireEvent, within } from '@testing-library/react';
import { vi } from 'vitest';
import type { AskAnswer, PermissionAsk } from '#shared/session/ask';
import type { RulePreview } from '../../../../stores/session';
import { draw } from '../../testing/draw';
import { sampleAsk } from '../../testing/samples';
import type { AnswerOutcome } from '../answering';
import type { AskStudy } from '../askStudy';
import { PermissionPanel } from '../PermissionPanel';

export const armDelayMs = 600;
export const fine: RulePreview = {
  problems: [],
  wouldRun: true,
  stillBecause: '',
  file: '/home/kim/code/harbor/.claude/settings.local.json',
  addedLines: [{ line: 6, text: '      "Bash(git push origin tides)"' }],
};

/** An ask on the page below a text box; `answers` collects what was sent. */
export function openAsk(
  options: { ask?: Partial<PermissionAsk>; outcome?: AnswerOutcome; preview?: RulePreview; study?: AskStudy } = {},
) {
  const answers: AskAnswer[] = [];
  const preview = vi.fn(() => Promise.resolve(options.preview ?? fine));
  const element = (ask: PermissionAsk) => (
    <>
      <textarea aria-label="Message" />
      <PermissionPanel
        key={ask.askId}
        ask={ask}
        queue={{ position: 1, total: 1, onStep: () => undefined }}
        armDelayMs={armDelayMs}
        home="/home/kim"
        onPreview={preview}
        study={options.study}
        onAnswer={(answer) => {
          answers.push(answer);
          return Promise.resolve(options.outcome ?? 'answered');
        }}
      />
    </>
  );
  const view = draw(element({ ...sampleAsk, ...options.ask }));
  return { answers, preview, show: (ask: Partial<PermissionAsk>) => view.rerender(element({ ...sampleAsk, ...ask })) };
}

export const panel = () => {
  const found = document.querySelector<HTMLElement>('[data-ask]');
  if (found === null) throw new Error('There is no ask.');
  return found;
};
export const button = (name: string) => within(panel()).getByRole('button', { name });
export const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
/** Until a preview has come and the step is armed; two waits, because arming begins when the preview is drawn. */
export const settle = async () => {
  await wait(200);
  await wait(armDelayMs);
};
/** A whole mouse click, as a browser reports it. */
export const click = (target: HTMLElement) => {
  fireEvent.pointerDown(target);
  fireEvent.click(target, { detail: 1 });
};
