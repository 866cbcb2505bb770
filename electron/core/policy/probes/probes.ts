// Dangerous calls that any change of rules is tried with. Nothing of this is ever run.

import { readCallLine } from '../try/callLine';
import { dangerous } from './dangerous';

export interface Probe {
  /** What it would do, in a few words. */
  readonly danger: string;
  /** As a person writes it. */
  readonly line: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** All probes, in their order. */
export function allProbes(): readonly Probe[] {
  return dangerous.flatMap(([danger, lines]) =>
    lines.map((line): Probe => {
      const read = readCallLine(line);
      if (!read.ok) throw new Error(`The probe “${line}” is no call: ${read.error}`);
      return { danger, line, tool: read.value.tool, input: read.value.input };
    }),
  );
}
