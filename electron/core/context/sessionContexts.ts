// What sessions know of their person's and project's files. The text for the model stays as it was read until the session
// starts anew or its conversation is compacted; commands, skills and agents are read when somebody uses them.
import type { Unsubscribe } from '#shared/rpc/transport';
import type { Log } from '../ports';
import type { SessionService } from '../sessions/service';
import { builtInAgents } from './builtInAgents';
import { contextSections } from './contextText';
import { type AgentType, type Definitions, powersOf, readDefinitions, type Skill } from './definitions';
import { type Memory, type MemoryFile, readMemory } from './memory';
import { memoryNear } from './nearbyMemory';
import type { ContextPaths, ContextPlace } from './places';

export interface SystemContext {
  /** Sections for the system text; empty where there is nothing. */
  readonly text: string;
  /** What was left out and why, for people. */
  readonly problems: readonly string[];
  /** Files that wait until the folder is trusted. */
  readonly waiting: readonly string[];
}

const nothing: SystemContext = { text: '', problems: [], waiting: [] };

export class SessionContexts {
  private readonly texts = new Map<string, { readonly trusted: boolean; readonly read: Promise<SystemContext> }>();
  /** Files that a conversation has been told of since its beginning, by session and sub-agent. */
  private readonly told = new Map<string, Set<string>>();
  private readonly stopListening: Unsubscribe;

  constructor(
    private readonly options: {
      readonly paths: ContextPaths;
      readonly sessions: SessionService;
      readonly isTrusted: (folder: string) => boolean;
      /** Looks whether what commands, skills and agents bring has grown since; then the folder is not trusted any more. */
      readonly stillTrusted: (folder: string, defined: Readonly<Record<string, string>>) => boolean;
      readonly log: Log;
    },
  ) {
    this.stopListening = options.sessions.listen({
      onEvent: (sessionId, { body }) => {
        if (body.type !== 'conversation.compacted') return;
        this.told.delete(conversationKey(sessionId, body.agentId));
        if (body.agentId === undefined) this.texts.delete(sessionId);
      },
      onLive: () => undefined,
      onListChange: () => {
        for (const key of this.told.keys()) if (!options.sessions.exists(sessionOf(key))) this.told.delete(key);
        for (const sessionId of this.texts.keys())
          if (!options.sessions.exists(sessionId)) this.texts.delete(sessionId);
      },
    });
  }

  /** What the system text says; `fresh` when it was read for this call. Never rejects. */
  async system(sessionId: string): Promise<SystemContext & { readonly fresh: boolean }> {
    const { trusted } = this.place(sessionId);
    const known = this.texts.get(sessionId);
    if (known?.trusted === trusted) return { ...(await known.read), fresh: false };
    const read = this.readText(sessionId);
    this.texts.set(sessionId, { trusted, read });
    return { ...(await read), fresh: true };
  }

  /** Memory for files that a conversation has just worked on and has not been told of yet. Never rejects. */
  async near(about: {
    readonly sessionId: string;
    readonly agentId?: string;
    readonly paths: readonly string[];
  }): Promise<readonly MemoryFile[]> {
    const { sessionId, agentId, paths } = about;
    const key = conversationKey(sessionId, agentId);
    const told = this.told.get(key) ?? new Set();
    this.told.set(key, told);
    try {
      const found = await memoryNear(this.place(sessionId), paths, told);
      for (const { file } of found) told.add(file);
      return found;
    } catch (error) {
      this.options.log.error('memory files of folders further down could not be read', error);
      return [];
    }
  }

  /** Commands, skills and agents as their files are now. Never rejects. */
  async definitions(sessionId: string): Promise<Definitions> {
    const found = await this.read(sessionId);
    const named = new Set(found.agents.map(({ name }) => name));
    return { ...found, agents: [...builtInAgents.filter(({ name }) => !named.has(name)), ...found.agents] };
  }

  /** The same with what of memory files waits or was left out, for people. Never rejects. */
  async listed(sessionId: string): Promise<Definitions> {
    const found = await this.definitions(sessionId);
    try {
      const { waiting, problems } = await readMemory(this.place(sessionId));
      return { ...found, waiting: [...waiting, ...found.waiting], problems: [...problems, ...found.problems] };
    } catch (error) {
      this.options.log.error('memory files could not be read', error);
      return found;
    }
  }

  /** A command or skill by its name. */
  async skill(sessionId: string, name: string): Promise<Skill | undefined> {
    return (await this.read(sessionId)).skills.find((skill) => skill.name === name);
  }

  /** A kind of agent by its name. */
  async agent(sessionId: string, name: string): Promise<AgentType | undefined> {
    return (await this.definitions(sessionId)).agents.find((agent) => agent.name === name);
  }

  dispose(): void {
    this.stopListening();
    this.texts.clear();
  }

  private place(sessionId: string): ContextPlace {
    const { paths, isTrusted, sessions } = this.options;
    const { folder } = sessions.state(sessionId);
    return { paths, folder, trusted: isTrusted(folder), isTrusted };
  }

  private async read(sessionId: string): Promise<Definitions> {
    try {
      return await this.readTrusted(this.place(sessionId));
    } catch (error) {
      this.options.log.error('commands, skills and agents could not be read', error);
      return { skills: [], agents: [], waiting: [], problems: [] };
    }
  }

  /** What counts of a folder's definitions, after a look at whether they bring more than what was trusted. */
  private async readTrusted(place: ContextPlace): Promise<Definitions> {
    const found = await readDefinitions(place);
    if (!place.trusted || this.options.stillTrusted(place.folder, powersOf(found))) return found;
    return await readDefinitions({ ...place, trusted: false });
  }

  private async readText(sessionId: string): Promise<SystemContext> {
    try {
      const definitions = await this.readTrusted(this.place(sessionId));
      const memory: Memory = await readMemory(this.place(sessionId));
      return {
        text: contextSections(memory, definitions),
        problems: [...memory.problems, ...definitions.problems],
        waiting: [...memory.waiting, ...definitions.waiting],
      };
    } catch (error) {
      this.options.log.error('memory files could not be read', error);
      return nothing;
    }
  }
}

function conversationKey(sessionId: string, agentId: string | undefined): string {
  return `${sessionId} ${agentId ?? ''}`;
}

function sessionOf(key: string): string {
  return key.split(' ', 1)[0] ?? key;
}
