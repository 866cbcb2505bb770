// How long commands may run, what becomes of them then, and how much of their output is shown, as the environment states it.

/** Values of environment variables as they stand there; empty = not set. */
export interface StatedBashLimits {
  readonly defaultTimeoutMs: string;
  readonly maxTimeoutMs: string;
  readonly disableBackgroundTasks: string;
  readonly maintainProjectWorkingDir: string;
  readonly maxOutputLength: string;
}

export interface BashLimits {
  readonly defaultTimeoutMs: number;
  /** Longer wishes are cut to this, not refused. */
  readonly maxTimeoutMs: number;
  /** Whether commands may run in the background. */
  readonly background: boolean;
  /** Characters of a success's output that the model gets without asking for more. */
  readonly maxOutputChars: number;
  /** Whether the next command starts where the last one ended. */
  readonly carriesCwd: boolean;
}

const usual: BashLimits = {
  defaultTimeoutMs: 120_000,
  maxTimeoutMs: 600_000,
  background: true,
  maxOutputChars: 30_000,
  carriesCwd: true,
};

/** More of an output than this goes into no request, whatever is wished. */
const longestOutputChars = 150_000;

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
    maxOutputChars: Math.min(positive(stated.maxOutputLength) ?? usual.maxOutputChars, longestOutputChars),
    carriesCwd: !isOn(stated.maintainProjectWorkingDir),
  };
}

function milliseconds(text: string): number | undefined {
  const value = positive(text);
  return value === undefined ? undefined : Math.min(value, longestTimeoutMs);
}

function positive(text: string): number | undefined {
  const value = /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : 0;
  return value > 0 ? value : undefined;
}

const isOn = (text: string) => /^(1|true|yes|on)$/i.test(text.trim());
