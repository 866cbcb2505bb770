// What signing in has won, by the server's address, in one sealed text.
import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { SecretStore } from '../apiKey';

export interface SignIn {
  readonly client?: StoredOAuthClientInformation;
  readonly tokens?: StoredOAuthTokens;
}

export interface TokenStore {
  get(url: string): SignIn | undefined;
  /** Null forgets. */
  set(url: string, signIn: SignIn | null): void;
}

const Tokens = z.looseObject({ access_token: z.string().min(1), token_type: z.string() });
const Client = z.looseObject({ client_id: z.string().min(1) });
const Entry = z.looseObject({ url: z.string(), client: Client.optional(), tokens: Tokens.optional() });
const All = z.array(Entry);

/** Servers whose sign-ins are kept; the oldest go first. */
const maxEntries = 100;

/** Keeps sign-ins in `secrets`; null keeps them until the program ends. What cannot be read counts as not there. */
export function createTokenStore(secrets: Pick<SecretStore, 'read' | 'write'> | null): TokenStore {
  let all: z.infer<typeof All> | null = null;
  const read = (): z.infer<typeof All> => {
    if (all !== null) return all;
    all = [];
    try {
      const parsed = All.safeParse(JSON.parse(secrets?.read() ?? '[]'));
      if (parsed.success) all = parsed.data;
    } catch {
      // Damaged: the person signs in again.
    }
    return all;
  };
  return {
    get(url) {
      const found = read().find((entry) => entry.url === url);
      if (found === undefined) return undefined;
      const { client, tokens } = found;
      return { ...(client === undefined ? {} : { client }), ...(tokens === undefined ? {} : { tokens }) };
    },
    set(url, signIn) {
      const others = read().filter((entry) => entry.url !== url);
      all = signIn === null ? others : [...others, All.element.parse({ url, ...signIn })].slice(-maxEntries);
      secrets?.write(all.length === 0 ? null : JSON.stringify(all));
    },
  };
}
