import type { McpScope, McpServerConfig, McpServerView, McpState } from '#shared/api/mcp';

export const stateWords: Readonly<Record<McpState, string>> = {
  disabled: 'off',
  needsApproval: 'needs your approval',
  connecting: 'connecting',
  connected: 'connected',
  needsAuth: 'needs you to sign in',
  failed: 'failed',
  restarting: 'starting again',
};

export const scopeWords: Readonly<Record<McpScope, { readonly label: string; readonly meaning: string }>> = {
  managed: { label: 'managed', meaning: 'Set by the administrator; it cannot be changed here.' },
  flag: { label: 'launch', meaning: 'Given when Gatehouse was started, for this time only.' },
  local: { label: 'local', meaning: 'Of this folder, in your ~/.claude.json; Gatehouse only reads that file.' },
  project: { label: 'project', meaning: 'In the folder’s .mcp.json, for everybody who works in it.' },
  gatehouse: { label: 'Gatehouse', meaning: 'In Gatehouse’s own file, for all your folders.' },
  user: { label: 'user', meaning: 'Of all folders, in your ~/.claude.json; Gatehouse only reads that file.' },
};

/** Whether nothing goes on with a server until the person does something. */
export function needsPerson({ state, tools }: McpServerView): boolean {
  return state === 'needsApproval' || state === 'needsAuth' || tools.some(({ changed }) => changed);
}

export interface ConfigLine {
  readonly label: string;
  readonly value: string;
  /** The value is kept from the page. */
  readonly hidden: boolean;
}

/** What exactly a configuration starts or reaches, piece by piece, so that no blank or quote can hide anything. */
export function configLines(config: McpServerConfig): readonly ConfigLine[] {
  const shown = (label: string, value: string): ConfigLine => ({ label, value, hidden: false });
  const texts = (label: string, pairs: Readonly<Record<string, string>>): readonly ConfigLine[] =>
    Object.entries(pairs).map(([name, value]) => ({
      label,
      value: `${name}${value === '' ? '' : `=${value}`}`,
      hidden: value === '',
    }));
  if (config.type === 'stdio')
    return [
      shown('Command', config.command),
      ...config.args.map((arg, index) => shown(`Argument ${index + 1}`, arg)),
      ...texts('Variable', config.env),
    ];
  const { headersHelper } = config;
  const helper = headersHelper === undefined ? [] : [shown('Command for headers', headersHelper)];
  return [shown('Address', config.url), ...texts('Header', config.headers), ...helper];
}
