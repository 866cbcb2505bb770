// What people said of servers and what servers said of their tools, kept in Gatehouse's own database.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { McpServerConfig } from '#shared/api/mcp';
import { canonicalJson } from '#shared/util/canonicalJson';
import type { TrustMemory } from '../permissions/trust';

/** Definitions remembered of one server, those of tools that are gone included. */
const maxPins = 5_000;

/** Characters of one remembered definition, and of all of a server; longer ones are told as unknown. */
const maxDefinitionChars = 20_000;
const maxDefinitionCharsInAll = 1_000_000;

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

/** A definition as a person can compare it with another one, as it came from the server. */
export function definitionText(definition: {
  readonly description: unknown;
  readonly inputSchema: unknown;
  readonly annotations: unknown;
}): string {
  const { description, inputSchema, annotations } = definition;
  const parts = [
    typeof description === 'string' ? description : '',
    `input: ${JSON.stringify(inputSchema, null, 2)}`,
    annotations === undefined ? '' : `annotations: ${JSON.stringify(annotations, null, 2)}`,
  ];
  return parts.filter((part) => part !== '').join('\n');
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
  /** The definition that was accepted last; null where it is not known any more. */
  definition(server: string, tool: string): string | null;
  keepDefinitions(server: string, texts: ReadonlyMap<string, string>): void;
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
  const definitionsOf = (server: string): Map<string, string> => {
    const read = Pins.safeParse(memory.preference(`mcp.definitions:${server}`));
    return new Map(read.success ? read.data : []);
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
    definition: (server, tool) => definitionsOf(server).get(tool) ?? null,
    keepDefinitions(server, texts) {
      const all = definitionsOf(server);
      for (const [tool, text] of texts) {
        // A new entry stands last, an outdated one must not stay.
        all.delete(tool);
        if (text.length <= maxDefinitionChars) all.set(tool, text);
      }
      let chars = 0;
      const kept = [...all].reverse().filter(([tool, text]) => {
        chars += tool.length + text.length;
        return chars <= maxDefinitionCharsInAll;
      });
      memory.setPreference(`mcp.definitions:${server}`, kept.reverse());
    },
  };
}
