// A model behind the Messages API, through the official SDK; the rehearsal model is one with another `fetch`.
import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { Messages } from '@anthropic-ai/sdk/resources/messages';
import { Models } from '@anthropic-ai/sdk/resources/models';
import type { ListedModel, ModelClient } from './client';
import { toModelFailure } from './failure';
import { readStream } from './messageStream';
import { bodyOf } from './requestBody';

/** Silence on an open connection after which the server counts as gone. */
const timeoutMs = 600_000;
/** A count is only for show. */
const countTimeoutMs = 10_000;

export interface AnthropicOptions {
  readonly apiKey: string;
  /** Empty = the first-party API. */
  readonly baseUrl: string;
  readonly fetch?: typeof globalThis.fetch;
  readonly scripted: boolean;
  /** Another server is said to bring deferred tools as the first-party API does. */
  readonly passesReferences?: boolean;
}

/** The SDK's client with the resources that are used: the others are a third of what a start would read. */
class Server extends BaseAnthropic {
  readonly messages = new Messages(this);
  readonly models = new Models(this);
}

/** Speaks to one server with one key. Retries are the caller's: a stream must not be replayed blindly. */
export function createAnthropicClient(options: AnthropicOptions): ModelClient {
  const server = options.scripted ? 'The rehearsal model' : options.baseUrl || 'The Anthropic API';
  const sdk = new Server({
    apiKey: options.apiKey,
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: 'off',
    // Explicit, so that the SDK reads neither variable from the environment by itself.
    baseURL: options.baseUrl || 'https://api.anthropic.com',
    authToken: null,
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    // Local servers and gateways that know the older header only.
    ...(options.baseUrl === '' ? {} : { defaultHeaders: { 'x-api-key': options.apiKey } }),
  });

  const brings = !options.scripted && (isFirstParty(options.baseUrl) || options.passesReferences === true);

  return {
    scripted: options.scripted,
    bringsTools: (model) => brings && takesReferences(model),
    ...(options.scripted
      ? {}
      : {
          async countTokens({ model, system, tools, messages, signal }) {
            try {
              const body = { model, system, messages, ...(tools.length === 0 ? {} : { tools }) };
              const counted = await sdk.messages.countTokens(body, { signal, timeout: countTimeoutMs });
              return counted.input_tokens;
            } catch (error) {
              throw toModelFailure(error, server);
            }
          },
        }),
    async *stream(request) {
      try {
        const events = await sdk.messages.create({ ...bodyOf(request), stream: true }, { signal: request.signal });
        yield* readStream(events);
      } catch (error) {
        throw toModelFailure(error, server);
      }
    },
    async listModels() {
      try {
        const models: ListedModel[] = [];
        for await (const model of sdk.models.list({ limit: 100 }, { timeout: 15_000 })) {
          const choice = { id: model.id, label: model.display_name || model.id, scripted: options.scripted };
          // Servers that only speak the protocol may leave it out or send anything.
          const tokens: unknown = model.max_input_tokens;
          const contextTokens = typeof tokens === 'number' && tokens > 0 ? tokens : null;
          models.push({ choice, contextTokens });
          if (models.length === 200) break;
        }
        return models;
      } catch (error) {
        throw toModelFailure(error, server);
      }
    },
  };
}

/** Whether an address is Anthropic's own; empty stands for it. */
export function isFirstParty(baseUrl: string): boolean {
  if (baseUrl === '') return true;
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  return host === 'api.anthropic.com';
}

/** Documented: Sonnet and Opus from version 4 on. What is not known to take references is served without them. */
export function takesReferences(model: string): boolean {
  const version = /^claude-(?:sonnet|opus)-(\d+)(?:-|$)/.exec(model)?.[1];
  // `claude-3-opus-20240229` and dates are no versions.
  return version !== undefined && version.length <= 2 && Number(version) >= 4;
}
