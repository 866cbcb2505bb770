// What people said of servers and what servers said of their tools, kept in Gatehouse's own database.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { McpServerConfig } from '#shared/api/mcp';
import { canonicalJson } from '#shared/util/canonicalJson';
import type { TrustMemory } from '../permissions/trust';

/** Definitions remembered of one server, those of tools that are gone included. */
const maxPins = 5_000;

const Answers = z.record(z.string(), z.enum(['approved', 'rejected']));
const Names = z.array(z.string());
// Pairs, because a tool may be called anything.
const Pins = z.array(z.tuple([z.string(), z.string()]));

/** Identifies what would be started or reached: a changed command or address is another one. Hex. */
export function configHash(config: McpServerConfig): string {
  const { timeout: _, alwaysLoad: __, ...runs } = config;
  return createHash('sha256').update(canonicalJson(runs)).digest('hex');
}

/** Hex hash of all that a model and a person are told of a tool. */
export function definitionHash(definition: {
  readonly name: string;
  readonly description: unknown;
  readonly inputSchema: unknown;
  readonly annotations: unknown;
}): string {
  const { name, description, inputSchema, annotations } = definition;
  return createHash('sha256')
    .update(canonicalJson([name, description, inputSchema, annotations]))
    .digest('hex');
}

export type Answer = 'approved' | 'rejected' | 'changed' | null;

export interface Remembered {
  /** What a person said of a folder's server as it is configured now; `changed`: they approved another configuration. */
  answer(folder: string, name: string, config: McpServerConfig): Answer;
  setAnswer(folder: string, name: string, answer: { config: McpServerConfig; is: 'approved' | 'rejected' }): void;
  isDisabled(folder: string, name: string): boolean;
  setDisabled(folder: string, name: string, to: 'on' | 'off'): void;
  /** Hashes of definitions by the original names of tools. `server` names it across starts. */
  pins(server: string): ReadonlyMap<string, string>;
  pin(server: string, hashes: ReadonlyMap<string, string>): void;
}

export function createRemembered(memory: TrustMemory): Remembered {
  const answersOf = (folder: string): Record<string, 'approved' | 'rejected'> => {
    const read = Answers.safeParse(memory.preference(`mcp.answers:${folder}`));
    return read.success ? read.data : {};
  };
  const disabledOf = (folder: string): string[] => {
    const read = Names.safeParse(memory.preference(`mcp.disabled:${folder}`));
    return read.success ? read.data : [];
  };
  // A name may hold anything but this.
  const key = (name: string, config: McpServerConfig): string => `${name}\n${configHash(config)}`;
  return {
    answer(folder, name, config) {
      const answers = answersOf(folder);
      const known = answers[key(name, config)];
      if (known !== undefined) return known;
      const before = Object.entries(answers).some(([one, is]) => is === 'approved' && one.startsWith(`${name}\n`));
      return before ? 'changed' : null;
    },
    setAnswer(folder, name, { config, is }) {
      const kept = Object.entries(answersOf(folder)).filter(([one]) => !one.startsWith(`${name}\n`));
      memory.setPreference(`mcp.answers:${folder}`, { ...Object.fromEntries(kept), [key(name, config)]: is });
    },
    isDisabled: (folder, name) => disabledOf(folder).includes(name),
    setDisabled(folder, name, to) {
      const others = disabledOf(folder).filter((one) => one !== name);
      memory.setPreference(`mcp.disabled:${folder}`, to === 'off' ? [...others, name] : others);
    },
    pins(server) {
      const read = Pins.safeParse(memory.preference(`mcp.pins:${server}`));
      return new Map(read.success ? read.data : []);
    },
    pin(server, hashes) {
      const all = [...new Map([...this.pins(server), ...hashes])];
      memory.setPreference(`mcp.pins:${server}`, all.slice(-maxPins));
    },
  };
}
