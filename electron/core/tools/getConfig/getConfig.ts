import { z } from 'zod';
import { buildTool } from '../buildTool';
import { type OwnPreferences, type ShownName, settingMeanings, settingText, shownNames } from '../ownSettings';
import { counted } from '../wording';
import prompt from './getConfig.prompt.md';

const inputSchema = () =>
  z.strictObject({
    setting: z.enum(shownNames).optional().describe('One preference; all of them when left out.'),
  });

interface Shown {
  readonly name: ShownName;
  readonly value: string;
}

/** Shows preferences that hold no secrets. */
export function createGetConfigTool(preferences: Pick<OwnPreferences, 'get'>) {
  return buildTool<z.infer<ReturnType<typeof inputSchema>>, readonly Shown[]>({
    name: 'GetConfig',
    searchHint: 'preferences of Gatehouse, theme, settings',
    prompt,
    icon: 'tool',
    inputSchema,
    shouldDefer: true,
    isReadOnly: () => true,
    canBeReadOnly: () => true,
    isConcurrencySafe: () => true,
    facts: () => [],
    checkPermissions: () => ({
      behavior: 'allow',
      detail: 'It only reads preferences of Gatehouse that are no secrets.',
    }),
    call({ setting }) {
      const current = preferences.get();
      const names = setting === undefined ? shownNames : [setting];
      return Promise.resolve(names.map((name) => ({ name, value: settingText(current[name]) })));
    },
    mapResult: (shown) => [
      { type: 'text', text: shown.map(({ name, value }) => `${name}: ${value} — ${settingMeanings[name]}`).join('\n') },
    ],
    getToolUseSummary: ({ setting }) => setting ?? 'all preferences',
    getActivityDescription: () => 'Reading the preferences',
    extractSearchText: (shown) => shown.map(({ name, value }) => `${name} ${value}`).join('\n'),
    renderUse: ({ setting }) => ({ kind: 'text', text: setting ?? 'All preferences.' }),
    renderResult: (shown) => ({
      view: {
        kind: 'table',
        columns: ['Preference', 'Value', 'What for'],
        rows: shown.map(({ name, value }) => [name, value, settingMeanings[name]]),
      },
      note: counted(shown.length, 'preference'),
    }),
  });
}
