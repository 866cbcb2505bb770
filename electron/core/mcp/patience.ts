// How long requests may go without a sign of life. While a person answers the server's question, nobody is late; afterwards
// everybody has the full time again, however short before its end the question came.

export interface Wait {
  /** A sign of life: the time begins anew. */
  anew(): void;
  end(): void;
}

export class Patience {
  private readonly waits = new Set<{ anew(): void; stop(): void }>();
  private asking = false;

  /** A question of the server is before the person. */
  get isAsking(): boolean {
    return this.asking;
  }

  /** Calls `late` once when `ms` milliseconds go by in which nothing comes and nobody is asked. */
  wait(ms: number, late: () => void): Wait {
    let timer: NodeJS.Timeout | undefined;
    const stop = (): void => clearTimeout(timer);
    const one = {
      stop,
      anew: () => {
        stop();
        if (!this.asking && this.waits.has(one)) timer = setTimeout(late, ms);
      },
    };
    this.waits.add(one);
    one.anew();
    return {
      anew: one.anew,
      end: () => {
        this.waits.delete(one);
        stop();
      },
    };
  }

  /** Runs the question; one at a time. */
  async whileAsking<T>(question: () => Promise<T>): Promise<T> {
    this.asking = true;
    for (const wait of this.waits) wait.stop();
    try {
      return await question();
    } finally {
      this.asking = false;
      for (const wait of this.waits) wait.anew();
    }
  }
}
