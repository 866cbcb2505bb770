import { z } from 'zod';
import { call } from '../rpc/contract';
import { Price } from '../session/cost';
import { ModelChoice } from '../session/events';
import { Feature, ToolDeferral, ToolSet } from '../tools/features';

export const Theme = z.enum(['system', 'light', 'dark']);
export type Theme = z.infer<typeof Theme>;

/** How much of the conversation's working is shown. */
export const Density = z.enum(['normal', 'verbose', 'summary']);
export type Density = z.infer<typeof Density>;

/** What the person is told of while the page is not looked at. */
export const NotifyOf = z.strictObject({ waiting: z.boolean(), ended: z.boolean(), failed: z.boolean() });
export type NotifyOf = z.infer<typeof NotifyOf>;

const fields = {
  theme: Theme,
  /** Base URL of a server that speaks the Messages API; empty = the first-party API. */
  baseUrl: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]),
  /** Model id for new sessions; empty = the first one that the list offers. */
  model: z.string().max(200),
  /** Milliseconds an ask must be visible before it can be answered. */
  armDelayMs: z.number().int().min(300).max(2_000),
  /** Enter sends and Shift+Enter breaks the line, or Mod+Enter sends. */
  sendWith: z.enum(['enter', 'modEnter']),
  density: Density,
  notify: NotifyOf,
  /** By the name of an action: its keys, such as `Mod+Shift+L`; empty: none. What is not named has its usual keys. */
  shortcuts: z.record(z.string().regex(/^[a-zA-Z.]{1,60}$/), z.string().max(60)),
  /** By a model's id, with or without the day in it: prices that count instead of the product's own. */
  prices: z.record(z.string().min(1).max(200), Price),
  /** When tools have to be searched for; the variable ENABLE_TOOL_SEARCH has the last word. */
  toolDeferral: ToolDeferral,
  /** Which tools the model gets. */
  toolSet: ToolSet,
  /** Parts of the catalogue that are switched on or off; one that is not named is as usual. */
  features: z.partialRecord(Feature, z.boolean()),
  /** By language id, such as `typescript`: the language server to use instead of those that are looked for in PATH. */
  lspServers: z.record(
    z.string().regex(/^[a-z][\w+.-]{0,49}$/i),
    z.strictObject({
      command: z
        .string()
        .min(1)
        .max(4_096)
        .refine((command) => !command.includes('\0'), 'expected a program'),
      args: z.array(z.string().max(4_096)).max(50),
    }),
  ),
};

/** Gatehouse's own preferences; permission rules live in the settings files instead. */
export const Preferences = z.strictObject({
  theme: fields.theme.default('system'),
  baseUrl: fields.baseUrl.default(''),
  model: fields.model.default(''),
  armDelayMs: fields.armDelayMs.default(600),
  sendWith: fields.sendWith.default('enter'),
  density: fields.density.default('normal'),
  notify: fields.notify.default({ waiting: true, ended: true, failed: true }),
  shortcuts: fields.shortcuts.default({}),
  prices: fields.prices.default({}),
  toolDeferral: fields.toolDeferral.default('auto'),
  toolSet: fields.toolSet.default('all'),
  features: fields.features.default({}),
  lspServers: fields.lspServers.default({}),
});
export type Preferences = z.infer<typeof Preferences>;

/** Some preferences to change. It has no defaults: they would reset what is not named. */
const PreferencesChange = z.strictObject(fields).partial();

/** Where the API key comes from. The key itself never reaches the page. */
export const KeyState = z.strictObject({
  source: z.enum(['none', 'environment', 'stored', 'memory']),
  /** Last four characters, to tell keys apart; empty without a key. */
  hint: z.string(),
  /** In words, how a stored key is protected on this host. */
  protection: z.string(),
  /** Whether this host can keep a key over a restart. */
  canStore: z.boolean(),
});
export type KeyState = z.infer<typeof KeyState>;

export const settingsCalls = {
  'settings.get': call(z.strictObject({}), z.strictObject({ preferences: Preferences, key: KeyState })),
  'settings.setPreferences': call(PreferencesChange, z.strictObject({ preferences: Preferences })),
  /** Keeps or removes (null) the key. `remember` false keeps it in memory until the program ends. */
  'settings.setApiKey': call(
    z.strictObject({ key: z.string().trim().min(8).max(1_000).nullable(), remember: z.boolean() }),
    z.strictObject({ key: KeyState }),
  ),
  /** Asks the server for its models with the present key and base URL. */
  'settings.testConnection': call(z.strictObject({}), z.strictObject({ ok: z.boolean(), message: z.string() })),
  /** Models to choose from. Without a key only the rehearsal model. `problem` says why the server's list is missing. */
  'models.list': call(
    z.strictObject({}),
    z.strictObject({
      models: z.array(ModelChoice),
      problem: z.string(),
      /** By model id: how many tokens a request may have, as far as the server says. */
      windows: z.record(z.string(), z.number().int().positive()),
    }),
  ),
};

export const settingsEvents = {
  'settings.changed': z.strictObject({ preferences: Preferences, key: KeyState }),
};
