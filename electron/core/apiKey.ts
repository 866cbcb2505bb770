// The API key of a host: from the environment, from this run's memory, or from a store the host provides.
import type { KeyState } from '#shared/api/settings';
import type { Secrets } from './ports';

/** Where a host can keep one secret over a restart. `null` removes it. */
export interface SecretStore {
  read(): string | null;
  write(secret: string | null): void;
  /** In words, how it is protected there. */
  readonly protection: string;
  /** In words, what was found wrong when it was last read; null: nothing. */
  trouble(): string | null;
}

/** Precedence: typed in this run, stored, environment; what the person typed last counts. */
export class ApiKey implements Secrets {
  private typed: string | null = null;
  private stored: string | null;

  constructor(
    private readonly environment: string | null,
    private readonly store: SecretStore | null,
  ) {
    this.stored = store?.read() ?? null;
  }

  apiKey(): string | null {
    return this.typed ?? this.stored ?? this.environment;
  }

  setApiKey(key: string | null, remember: boolean): void {
    if (remember && key !== null && this.store === null) throw new Error('this host cannot keep a key over a restart.');
    if (this.store !== null) {
      const keep = remember ? key : null;
      // What could not be read is replaced or removed, too.
      if (keep !== this.stored || this.store.trouble() !== null) this.store.write(keep);
      this.stored = keep;
    }
    this.typed = remember ? null : key;
  }

  state(): KeyState {
    const source =
      this.typed !== null
        ? 'memory'
        : this.stored !== null
          ? 'stored'
          : this.environment !== null
            ? 'environment'
            : 'none';
    return {
      source,
      hint: this.apiKey()?.slice(-4) ?? '',
      protection:
        this.store === null
          ? 'This host cannot keep a key; it is forgotten when the program ends.'
          : [this.store.trouble(), this.store.protection].filter((words) => words !== null).join(' '),
      canStore: this.store !== null,
    };
  }
}
