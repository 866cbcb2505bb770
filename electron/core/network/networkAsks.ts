// Hosts that commands in the sandbox want to reach: decided by the lists, by what a person said before, or by asking one.
import { domainToUnicode } from 'node:url';
import { RpcError } from '#shared/rpc/errors';
import type { NetworkAnswer, NetworkAsk, NetworkOutcome } from '#shared/session/networkAsk';
import { addressClass, isLocalHost } from '#shared/web/address';
import { newId } from '../ids';
import type { PermissionEngine } from '../permissions/engine';
import type { SandboxDomains } from '../sandbox/createSandbox';
import { placeOf } from '../sandbox/sandboxSettings';
import type { SessionService } from '../sessions/service';
import { judgeHost, offeredPatterns } from './hostLists';
import { withAllowedDomain } from './saveDomain';

export interface HostWish {
  /** As the executor spells it: lower case, ASCII, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Where an allowed name leads within a private network. */
  readonly address?: string | undefined;
}

/** `privateAllowed`: it may lie on this machine or a private network. `why` is for the program and the model. */
export interface HostVerdict {
  readonly allowed: boolean;
  readonly privateAllowed: boolean;
  readonly why: string;
}

/** Decides for one running command. */
export interface CommandHosts {
  /** Resolves with the decision, however long a person takes. An abort withdraws the wish; then the answer says no. */
  decide(wish: HostWish, signal: AbortSignal): Promise<HostVerdict>;
  /** The command has ended: what was said for it alone is forgotten. */
  end(): void;
}

/** What an answer has saved, and which other asks it settled. */
export interface NetworkAnswered {
  readonly saved: { readonly pattern: string; readonly where: string; readonly step: string } | null;
  readonly settled: string[];
}

export interface NetworkServices {
  readonly sessions: Pick<SessionService, 'append' | 'exists' | 'state'>;
  readonly engine: Pick<PermissionEngine, 'editor' | 'onChange' | 'settings' | 'view'>;
  readonly domains: (sessionId: string) => SandboxDomains;
  /** Whether there is somebody who could answer. */
  readonly canAsk: () => boolean;
}

interface Command {
  readonly sessionId: string;
  readonly callId: string;
  /** The whole command or code. */
  readonly text: string;
  /** What a person said for this command alone. */
  readonly said: Map<string, boolean>;
}

interface Pending {
  readonly ask: NetworkAsk;
  readonly wish: HostWish;
  readonly command: Command;
  /** Connections that wait; without any the ask is withdrawn. */
  readonly waiting: Set<(verdict: HostVerdict) => void>;
  taken: boolean;
}

/** Of one command at a time; who wants more would bury the person under them. */
const mostAsks = 10;

const yes = (privateAllowed: boolean): HostVerdict => ({ allowed: true, privateAllowed, why: '' });
const no = (why: string): HostVerdict => ({ allowed: false, privateAllowed: false, why });
const keyOf = ({ host, port, address }: HostWish): string => `${host} ${port} ${address ?? ''}`;

export class NetworkAsks {
  private readonly pending = new Map<string, Pending>();
  /** Hosts allowed until the session is closed, by session. */
  private readonly granted = new Map<string, Set<string>>();
  private readonly stopListening: () => void;

  constructor(private readonly services: NetworkServices) {
    this.stopListening = services.engine.onChange((sessionId) => this.settle(sessionId));
  }

  /** Begins to decide for a command. */
  forCommand(about: { readonly sessionId: string; readonly callId: string; readonly text: string }): CommandHosts {
    const command: Command = { ...about, said: new Map() };
    return {
      decide: (wish, signal) => this.decide(command, wish, signal),
      end: () => {
        for (const pending of [...this.pending.values()])
          if (pending.command === command)
            this.end(pending, { by: 'abort', allowed: false }, no('The command has ended.'));
      },
    };
  }

  /**
   * Carries out one answer. Throws RpcError: `conflict` when the ask is gone or being answered, `invalid` for a pattern that
   * was not offered, `refused` when it cannot be saved.
   */
  async answer(options: {
    readonly sessionId: string;
    readonly askId: string;
    readonly answer: NetworkAnswer;
  }): Promise<NetworkAnswered> {
    const { sessionId, askId, answer } = options;
    const pending = this.pending.get(askId);
    if (pending === undefined || pending.command.sessionId !== sessionId || pending.taken)
      throw new RpcError('conflict', 'This has already been answered or withdrawn.');
    const { wish, command } = pending;
    if (answer.kind === 'deny') {
      command.said.set(keyOf(wish), false);
      this.end(pending, { by: 'person', allowed: false, lasts: 'once' }, no(deniedByPerson(wish)));
      return { saved: null, settled: [] };
    }
    if (answer.kind === 'allowOnce') {
      command.said.set(keyOf(wish), true);
      this.end(pending, { by: 'person', allowed: true, lasts: 'once' }, said(wish));
      return { saved: null, settled: [] };
    }
    if (answer.kind === 'allowSession') {
      this.grant(sessionId, wish);
      this.end(pending, { by: 'person', allowed: true, lasts: 'session' }, said(wish));
      return { saved: null, settled: this.settle(sessionId) };
    }
    pending.taken = true;
    const saved = await this.save(pending, answer).catch((error: unknown) => {
      pending.taken = false;
      throw error;
    });
    const { pattern } = answer;
    command.said.set(keyOf(wish), true);
    // It may have been withdrawn while it was saved; what was saved counts all the same.
    if (this.pending.has(askId))
      this.end(pending, { by: 'person', allowed: true, lasts: 'always', pattern }, said(wish));
    return { saved: { pattern, ...saved }, settled: this.settle(sessionId) };
  }

  /** Ends asks of an earlier run of the program: nobody waits for them. */
  repair(sessionId: string): void {
    for (const { ask } of this.services.sessions.state(sessionId).networkAsks)
      if (!this.pending.has(ask.askId)) this.tell(sessionId, ask, { by: 'abort', allowed: false });
  }

  dispose(): void {
    this.stopListening();
    for (const pending of [...this.pending.values()])
      this.end(pending, { by: 'abort', allowed: false }, no('Gatehouse is closing.'));
  }

  private decide(command: Command, wish: HostWish, signal: AbortSignal): Promise<HostVerdict> {
    const known = this.known(command, wish) ?? this.unasked(command.sessionId, wish);
    if (known !== null) return Promise.resolve(known);
    if (signal.aborted) return Promise.resolve(no('It was withdrawn.'));
    if (this.asksOf(command) >= mostAsks && this.askFor(command, wish) === undefined)
      return Promise.resolve(no('The command asks for too many hosts at once. Let it ask for fewer at a time.'));
    return new Promise((resolve) => {
      const pending = this.askFor(command, wish) ?? this.ask(command, wish);
      pending.waiting.add(resolve);
      signal.addEventListener(
        'abort',
        () => {
          if (!pending.waiting.delete(resolve)) return;
          resolve(no('It was withdrawn.'));
          if (pending.waiting.size === 0) this.end(pending, { by: 'abort', allowed: false }, no('It was withdrawn.'));
        },
        { once: true },
      );
    });
  }

  /** What lists, switch and earlier answers say; null: nothing. */
  private known({ sessionId, said: saidFor }: Command, wish: HostWish): HostVerdict | null {
    const { sessions } = this.services;
    if (!sessions.exists(sessionId)) return no('The session is gone.');
    const domains = this.services.domains(sessionId);
    const listed = judgeHost(wish, domains);
    if (listed.kind === 'denied')
      return no(
        `${wish.host} is denied by “${listed.entry.text}” in sandbox.network.deniedDomains (${placeOf(listed.entry.from)}).`,
      );
    // The person has opened the network since the command began.
    if (sessions.state(sessionId).network && !domains.managedOnly) return yes(true);
    // A pattern for many names must not open what one of their owners makes it lead to.
    if (listed.kind === 'allowed' && (listed.named || wish.address === undefined)) return yes(listed.named);
    const once = saidFor.get(keyOf(wish));
    if (once === false) return no(deniedByPerson(wish));
    if (once === true || this.granted.get(sessionId)?.has(keyOf(wish)) === true) return said(wish);
    return null;
  }

  /** Why nobody is asked; null: somebody is. */
  private unasked(sessionId: string, { host }: HostWish): HostVerdict | null {
    const { strict, managedOnly } = this.services.domains(sessionId);
    const remedy = `The person can add it to sandbox.network.allowedDomains in the settings, or switch the session's network on.`;
    if (managedOnly)
      return no(
        `${host} is not in the administrator's sandbox.network.allowedDomains, and no others are allowed here.`,
      );
    if (strict.on)
      return no(
        `${host} is not in sandbox.network.allowedDomains, and sandbox.network.strictAllowlist asks about no others (${placeOf(strict.from)}).`,
      );
    if (!this.services.canAsk())
      return no(`${host} is not in sandbox.network.allowedDomains, and nobody is here who could be asked. ${remedy}`);
    if (this.services.sessions.state(sessionId).mode === 'dontAsk')
      return no(`${host} is not in sandbox.network.allowedDomains, and this mode asks about nothing. ${remedy}`);
    return null;
  }

  private asksOf(command: Command): number {
    return [...this.pending.values()].filter((one) => one.command === command).length;
  }

  private askFor(command: Command, wish: HostWish): Pending | undefined {
    const key = keyOf(wish);
    return [...this.pending.values()].find((one) => one.command === command && !one.taken && keyOf(one.wish) === key);
  }

  private ask(command: Command, wish: HostWish): Pending {
    const { sessions } = this.services;
    const ask = this.askOf(command, wish);
    const pending: Pending = { ask, wish, command, waiting: new Set(), taken: false };
    this.pending.set(ask.askId, pending);
    sessions.append(command.sessionId, { type: 'network.asked', ask });
    return pending;
  }

  private askOf({ sessionId, callId, text }: Command, wish: HostWish): NetworkAsk {
    const { host, port, address } = wish;
    const { calls, agents } = this.services.sessions.state(sessionId);
    const agent = agents[calls[callId]?.agentId ?? ''];
    const readable = host.includes('xn--') ? domainToUnicode(host) : '';
    const warning = warningOf(wish, readable);
    return {
      askId: newId('a'),
      callId,
      host,
      port,
      ...(readable === '' ? {} : { readable }),
      ...(address === undefined ? {} : { address }),
      ...(warning === '' ? {} : { warning }),
      command: text,
      agent: agent?.type ?? null,
      patterns: patternsFor(wish),
    };
  }

  private grant(sessionId: string, wish: HostWish): void {
    for (const other of this.granted.keys()) if (!this.services.sessions.exists(other)) this.granted.delete(other);
    const hosts = this.granted.get(sessionId) ?? new Set();
    this.granted.set(sessionId, hosts.add(keyOf(wish)));
  }

  private async save(
    { ask, command: { sessionId } }: Pending,
    { pattern, source }: Extract<NetworkAnswer, { kind: 'allowAlways' }>,
  ): Promise<{ where: string; step: string }> {
    const { engine, sessions } = this.services;
    if (!ask.patterns.includes(pattern)) throw new RpcError('invalid', `“${pattern}” is not what this asks about.`);
    if (source === 'localSettings' && !engine.view(sessionId).trust.trusted)
      throw new RpcError(
        'refused',
        'Not saved: the folder is not trusted, so its own settings would not count. Save it in your user settings, or trust the folder first.',
      );
    const { folder } = sessions.state(sessionId);
    const path = engine.settings({ sessionId, folder }).files.find((file) => file.source === source)?.path;
    if (path === undefined || path === null)
      throw new RpcError('refused', 'Not saved: there is no such settings file here.');
    const written = await engine.editor.editFile(sessionId, {
      path,
      label: `Allow commands to reach ${pattern}`,
      edit: (text) => withAllowedDomain(text, pattern),
    });
    if (!written.ok) throw new RpcError('refused', `Not saved: ${written.error.message}`);
    return { where: path, step: written.value.id };
  }

  /** Ends the asks that lists or earlier answers speak of by now; gives their hosts. */
  private settle(sessionId: string): string[] {
    const settled: string[] = [];
    for (const pending of [...this.pending.values()]) {
      if (pending.command.sessionId !== sessionId || pending.taken) continue;
      const verdict = this.known(pending.command, pending.wish);
      if (verdict === null) continue;
      settled.push(pending.wish.host);
      this.end(pending, { by: 'rule', allowed: verdict.allowed }, verdict);
    }
    return settled;
  }

  private end(pending: Pending, outcome: NetworkOutcome, verdict: HostVerdict): void {
    pending.taken = true;
    if (!this.pending.delete(pending.ask.askId)) return;
    if (this.services.sessions.exists(pending.command.sessionId))
      this.tell(pending.command.sessionId, pending.ask, outcome);
    for (const resolve of pending.waiting) resolve(verdict);
    pending.waiting.clear();
  }

  private tell(sessionId: string, { askId, callId }: NetworkAsk, outcome: NetworkOutcome): void {
    this.services.sessions.append(sessionId, { type: 'network.answered', askId, callId, outcome });
  }
}

/** A person saw what the host is; a name that looks public stays where the public is. */
function said({ host, address }: HostWish): HostVerdict {
  return yes(address !== undefined || isLocalHost(host));
}

function deniedByPerson({ host }: HostWish): string {
  return `The person did not allow this command to reach ${host}. Do not try another way; wait for what they say.`;
}

/** With an address it is the name's lead into a private network that is asked about: only the name in full opens that. */
function patternsFor(wish: HostWish): string[] {
  const patterns = offeredPatterns(wish);
  return wish.address === undefined ? patterns : patterns.filter((pattern) => !pattern.includes('*'));
}

function placeWords(address: string): string {
  return addressClass(address) === 'forbidden'
    ? 'which is not on the public internet'
    : 'which lies within your own network';
}

function warningOf({ host, address }: HostWish, readable: string): string {
  const kind = addressClass(host);
  if (address !== undefined && address !== host) return `${host} leads to ${address}, ${placeWords(address)}.`;
  if (kind === 'metadata') return 'At this address clouds hand out credentials of the machine.';
  if (kind !== null && kind !== 'public') return 'This is an address of this machine or of your own network.';
  if (isLocalHost(host)) return 'By its name this lies on this machine or in your own network.';
  if (readable !== '') return `The name is written in other letters (${readable}) and may only look like one you know.`;
  return kind === null ? '' : 'This is an address without a name: it does not say whose it is.';
}
