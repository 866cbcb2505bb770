// How long commands may run and what becomes of them then, as the environment states it.

/** Values of environment variables as they stand there; empty = not set. */
export interface StatedBashLimits {
  readonly defaultTimeoutMs: string;
  readonly maxTimeoutMs: string;
  readonly disableBackgroundTasks: string;
  readonly maintainProjectWorkingDir: string;
}

export interface BashLimits {
  readonly defaultTimeoutMs: number;
  /** Longer wishes are cut to this, not refused. */
  readonly maxTimeoutMs: number;
  /** Whether commands may run in the background. */
  readonly background: boolean;
  /** Whether the next command starts where the last one ended. */
  readonly carriesCwd: boolean;
}

const usual: BashLimits = { defaultTimeoutMs: 120_000, maxTimeoutMs: 600_000, background: true, carriesCwd: true };

/** Nothing waits longer than a day. */
const longestTimeoutMs = 86_400_000;

/** Reads the limits; what is not a positive whole number of milliseconds counts as not stated. */
export function bashLimits(stated?: StatedBashLimits): BashLimits {
  if (stated === undefined) return usual;
  const defaultTimeoutMs = milliseconds(stated.defaultTimeoutMs) ?? usual.defaultTimeoutMs;
  return {
    defaultTimeoutMs,
    maxTimeoutMs: Math.max(milliseconds(stated.maxTimeoutMs) ?? usual.maxTimeoutMs, defaultTimeoutMs),
    background: !isOn(stated.disableBackgroundTasks),
    carriesCwd: !isOn(stated.maintainProjectWorkingDir),
  };
}

function milliseconds(text: string): number | undefined {
  const value = /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : 0;
  return value > 0 ? Math.min(value, longestTimeoutMs) : undefined;
}

const isOn = (text: string) => /^(1|true|yes|on)$/i.test(text.trim());
