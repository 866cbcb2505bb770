import { z } from 'zod';
import type { View } from '#shared/tools/presentation';
import { buildTool } from '../buildTool';
import { rejection } from '../changeTarget';
import { type OwnPreferences, settableNames, settingChange, settingMeanings, settingText } from '../ownSettings';
import { ToolFailure, type Validation } from '../tool';
import { oneLine } from '../wording';
import prompt from './setConfig.prompt.md';

const inputSchema = () =>
  z.strictObject({
    setting: z.enum(settableNames).describe('The preference to change.'),
    value: z
      .string()
      .max(200)
      .describe(settableNames.map((name) => `${name}: ${settingMeanings[name]}`).join('. ')),
  });

type Input = z.infer<ReturnType<typeof inputSchema>>;

interface Output {
  readonly before: string;
  readonly after: string;
}

/** Changes one preference, with the person's word each time. */
export function createSetConfigTool(preferences: OwnPreferences) {
  const change = ({ setting }: Input, { before, after }: Output): View => ({
    kind: 'table',
    columns: ['Preference', 'Now', 'Then', 'What for'],
    rows: [[setting, before, after, settingMeanings[setting]]],
  });
  const wanted = (input: Input): Output => ({
    before: settingText(preferences.get()[input.setting]),
    after: settingText(input.value),
  });
  return buildTool<Input, Output>({
    name: 'SetConfig',
    searchHint: 'change a preference of Gatehouse, theme, model',
    prompt,
    icon: 'tool',
    inputSchema,
    shouldDefer: true,
    facts: () => [],
    checkPermissions: () => ({ behavior: 'ask', detail: 'it changes how Gatehouse itself is set' }),
    validateInput: (input) => Promise.resolve(checked(input, preferences)),
    call(input) {
      const { before, after } = wanted(input);
      const next = settingChange(input.setting, input.value);
      if (next === null) throw new ToolFailure('validation', noSuchValue(input));
      preferences.set(next);
      return Promise.resolve({ before, after });
    },
    mapResult: ({ before, after }, { setting }) => [
      { type: 'text', text: `${setting} is now ${after} (it was ${before}).` },
    ],
    getToolUseSummary: ({ setting, value }) => `${setting} → ${oneLine(settingText(value), 80)}`,
    getActivityDescription: () => 'Changing a preference',
    renderUse: (input) => change(input, wanted(input)),
    renderResult: (output, input) => ({ view: change(input, output), note: `${input.setting} changed` }),
  });
}

function checked(input: Input, preferences: OwnPreferences): Validation {
  const { setting, value } = input;
  if (settingChange(setting, value) === null) return rejection('noSuchValue', noSuchValue(input));
  if (preferences.get()[setting] === value)
    return rejection('unchanged', `${setting} is ${settingText(value)} already; there is nothing to change.`);
  return { verdict: 'ok' };
}

const noSuchValue = ({ setting, value }: Input) =>
  `${setting} cannot be ${oneLine(JSON.stringify(value), 80)}. It is: ${settingMeanings[setting]}.`;
