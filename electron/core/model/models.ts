// Which model answers, and with which client: a server with a key, or the rehearsal model without one.

import type { Preferences } from '#shared/api/settings';
import type { ModelChoice } from '#shared/session/events';
import type { CorePorts } from '../ports';
import { readToolSearch } from '../tools/loadingPolicy';
import { createAnthropicClient, isFirstParty } from './anthropic';
import { type ListedModel, type ModelClient, ModelFailure } from './client';
import { createRehearsalFetch } from './rehearsal/rehearsalFetch';

export const rehearsalModel: ModelChoice = { id: 'rehearsal', label: 'Rehearsal', scripted: true };

/** Offered while the server's own list is not to be had. */
const fallbackModel = 'claude-sonnet-4-5';

/** Context window of a model whose server does not state one, in tokens. */
const usualContextTokens = 200_000;

export class Models {
  private readonly rehearsal: ModelClient = createAnthropicClient({
    apiKey: 'rehearsal',
    baseUrl: '',
    fetch: createRehearsalFetch(),
    scripted: true,
  });
  /** Context windows as a server listed them, by its address; kept so that turns ask at most once. */
  private readonly windows = new Map<string, Promise<ReadonlyMap<string, number>>>();
  /** The same, once they are there. */
  private readonly knownWindows = new Map<string, ReadonlyMap<string, number>>();

  constructor(
    private readonly ports: Pick<CorePorts, 'secrets' | 'environment'>,
    private readonly preferences: () => Preferences,
  ) {}

  /** The client for a choice. Throws ModelFailure when a real model is chosen and there is no key. */
  clientFor(choice: ModelChoice): ModelClient {
    if (choice.scripted) return this.rehearsal;
    const client = this.server();
    if (client !== null) return client;
    throw new ModelFailure('There is no API key, so this model cannot be asked.', {
      next: 'Put a key into Settings, or choose the rehearsal model.',
      retryable: false,
      kind: 'authentication_failed',
    });
  }

  /** Whether there is a real model's server to ask. */
  connected(): boolean {
    return this.ports.secrets.apiKey() !== null;
  }

  /** Whether that server is the first-party API, which runs tools of its own. */
  isFirstParty(): boolean {
    return isFirstParty(this.baseUrl());
  }

  /** What new sessions start with. */
  async startingChoice(): Promise<ModelChoice> {
    if (this.server() === null) return rehearsalModel;
    const wished = this.preferences().model || this.ports.environment.model;
    if (wished !== '') return { id: wished, label: wished, scripted: false };
    const { models } = await this.list();
    return models.find((model) => !model.scripted) ?? rehearsalModel;
  }

  /** Most tokens that a request to this model may have: as its server lists it, else the usual figure. */
  async contextTokens(choice: ModelChoice): Promise<number> {
    const client = choice.scripted ? null : this.server();
    if (client === null) return usualContextTokens;
    const address = this.baseUrl();
    const asked = this.windows.get(address) ?? windowsOf(client);
    this.windows.set(address, asked);
    const windows = await asked;
    this.knownWindows.set(address, windows);
    return windows.get(choice.id) ?? usualContextTokens;
  }

  /** The same without asking: the usual figure until the server has said its own. */
  knownContextTokens(choice: ModelChoice): number {
    return (choice.scripted ? undefined : this.knownWindows.get(this.baseUrl())?.get(choice.id)) ?? usualContextTokens;
  }

  /** What the present server said of its models' windows, in tokens; empty until it was asked. */
  windowsNow(): ReadonlyMap<string, number> {
    return this.knownWindows.get(this.baseUrl()) ?? new Map();
  }

  /** All choices, the server's first. `problem` says why its list is missing. */
  async list(): Promise<{ models: ModelChoice[]; problem: string }> {
    const client = this.server();
    if (client === null) return { models: [rehearsalModel], problem: '' };
    const wished = this.preferences().model || this.ports.environment.model || fallbackModel;
    try {
      const listed = await client.listModels();
      const models = listed.map(({ choice }) => choice);
      const windows = windowsIn(listed);
      this.windows.set(this.baseUrl(), Promise.resolve(windows));
      this.knownWindows.set(this.baseUrl(), windows);
      const known = models.length > 0 ? models : [{ id: wished, label: wished, scripted: false }];
      return { models: [...known, rehearsalModel], problem: '' };
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      return {
        models: [{ id: wished, label: wished, scripted: false }, rehearsalModel],
        problem: `${error.message} ${error.next}`,
      };
    }
  }

  /** One request with the present key and base URL, in words. */
  async test(): Promise<{ ok: boolean; message: string }> {
    const client = this.server();
    if (client === null) return { ok: false, message: 'There is no key yet. Paste one above and save it.' };
    try {
      const models = await client.listModels();
      return { ok: true, message: `Connected: ${models.length} model${models.length === 1 ? '' : 's'} offered.` };
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      return { ok: false, message: `${error.message} ${error.next}` };
    }
  }

  private server(): ModelClient | null {
    const apiKey = this.ports.secrets.apiKey();
    if (apiKey === null) return null;
    // Whoever switches deferral on by the variable says that the server takes part in it.
    const passesReferences = readToolSearch(this.ports.environment.tools?.search ?? '')?.deferral === 'always';
    return createAnthropicClient({ apiKey, baseUrl: this.baseUrl(), scripted: false, passesReferences });
  }

  private baseUrl(): string {
    return this.preferences().baseUrl || this.ports.environment.baseUrl;
  }
}

/** A server that cannot be asked states nothing; the turn itself will meet and explain its failure. */
async function windowsOf(client: ModelClient): Promise<ReadonlyMap<string, number>> {
  try {
    return windowsIn(await client.listModels());
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    return new Map();
  }
}

function windowsIn(listed: readonly ListedModel[]): ReadonlyMap<string, number> {
  return new Map(
    listed.flatMap(({ choice, contextTokens }) =>
      contextTokens === null ? [] : [[choice.id, contextTokens] as const],
    ),
  );
}
