// One server of one folder: connects, keeps its lists, carries calls, is started again when it ends.
import type { ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client';
import type { McpServerConfig, McpState } from '#shared/api/mcp';
import type { Log } from '../ports';
import { type CallContext, ToolFailure } from '../tools/tool';
import type { ServerAuth } from './auth';
import { serverName, serverText } from './cleanText';
import { connectReason, failureOf } from './failures';
import type { McpLimits } from './limits';
import { type ListedTool, ToolCollector, ToolsPage } from './listedTools';
import { type Link, type LinkOptions, openLink } from './openLink';
import { Patience } from './patience';
import { CallAnswer } from './results';
import { ServerOutput } from './serverOutput';

export interface ConnectionOptions {
  readonly name: string;
  /** Filled in. */
  readonly config: McpServerConfig;
  readonly folder: string;
  readonly host: LinkOptions['host'];
  readonly variables: LinkOptions['variables'];
  readonly limits: McpLimits;
  /** Null for stdio. */
  readonly auth: ServerAuth | null;
  readonly log: Log;
  now(): number;
  /** Answers a server's question during a call of a session. */
  elicit(params: ElicitRequestParams, asker: Asker): Promise<ElicitResult>;
  /** Tools came anew, before anybody sees them. */
  onTools(tools: readonly ListedTool[]): void;
  /** State, tools or anything else that is shown changed. */
  onChange(): void;
}

/** The call during which a server may ask the person. */
export type Asker = Pick<CallContext, 'askPerson' | 'signal'>;

/** Questions that a server may put to the person during one call, one at a time; more are declined. */
const maxQuestions = 10;
/** Pages of a list. */
const maxPages = 200;
/** Pause before a list is read again, so that a server that never stops changing costs little. */
const relistMs = 300;

type State =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'restarting'; readonly why: string }
  | { readonly kind: 'connected'; readonly link: Link; readonly since: number }
  | { readonly kind: 'needsAuth' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'ended' };

export class ServerConnection {
  readonly output = new ServerOutput();
  tools: readonly ListedTool[] = [];
  problems: readonly string[] = [];
  connectedAt: number | null = null;

  private state: State = { kind: 'connecting' };
  private attempt: AbortController | null = null;
  private timer: NodeJS.Timeout | undefined;
  private relist: NodeJS.Timeout | undefined;
  private restarts = 0;
  private readonly askers: { readonly asker: Asker; questions: number }[] = [];
  private readonly patience = new Patience();
  /** Links that are being closed, so that an end waits for them. */
  private readonly leaving = new Set<Promise<void>>();

  constructor(private readonly options: ConnectionOptions) {
    void this.connect();
  }

  get kind(): Exclude<McpState, 'disabled' | 'needsApproval'> {
    return this.state.kind === 'ended' ? 'failed' : this.state.kind;
  }

  /** In words; empty when all is well. */
  get reason(): string {
    const { state } = this;
    if (state.kind === 'needsAuth') return 'Sign in to it; until then its tools are not there.';
    return state.kind === 'failed' || state.kind === 'restarting' ? state.why : '';
  }

  get version(): string {
    const server = this.link?.client.getServerVersion();
    return server === undefined
      ? ''
      : `${serverName(server.title ?? server.name, 100)} ${serverName(server.version, 40)}`;
  }

  get instructions(): string {
    return serverText(this.link?.client.getInstructions());
  }

  offers(what: 'resources' | 'prompts'): boolean {
    return this.link?.client.getServerCapabilities()?.[what] !== undefined;
  }

  private get link(): Link | null {
    return this.state.kind === 'connected' ? this.state.link : null;
  }

  /** Ends what is there and connects anew. */
  async restart(): Promise<void> {
    this.restarts = 0;
    await this.leave();
    if (this.state.kind === 'ended') return;
    await this.connect();
  }

  /** Ends the server with everything that it started. */
  async dispose(): Promise<void> {
    const left = this.leave();
    this.state = { kind: 'ended' };
    this.tools = [];
    await left;
    await Promise.all(this.leaving);
  }

  /**
   * Calls a tool by its original name. Throws ToolFailure: `mcp` when the server fails or goes, `timeout`, `mcpAuth`,
   * `aborted`. A call is never repeated. `asker` null: the server's questions are declined.
   */
  async call(call: {
    readonly tool: string;
    readonly input: Readonly<Record<string, unknown>>;
    readonly signal: AbortSignal;
    readonly asker: Asker | null;
    onProgress(text: string): void;
  }): Promise<CallAnswer> {
    const { tool, input, signal, asker, onProgress } = call;
    const { limits, config } = this.options;
    const idleMs = config.timeout ?? limits.idleMs[config.type === 'stdio' ? 'stdio' : 'network'];
    const asking = asker === null ? null : { asker, questions: 0 };
    if (asking !== null) this.askers.push(asking);
    try {
      return await this.request({
        method: 'tools/call',
        params: { name: tool, arguments: { ...input } },
        schema: CallAnswer,
        timeoutMs: idleMs,
        totalMs: limits.callMs,
        signal,
        onProgress,
      });
    } finally {
      const at = asking === null ? -1 : this.askers.indexOf(asking);
      if (at !== -1) this.askers.splice(at, 1);
    }
  }

  /** One request to the connected server. Throws ToolFailure. */
  async request<T>(about: {
    readonly method: string;
    readonly params: Record<string, unknown>;
    readonly schema: Parameters<Link['client']['request']>[1] & { parse(value: unknown): T };
    readonly timeoutMs?: number;
    readonly totalMs?: number;
    readonly signal?: AbortSignal;
    readonly onProgress?: (text: string) => void;
  }): Promise<T> {
    const { name, limits } = this.options;
    const { method, params, signal, timeoutMs = limits.connectMs, totalMs = timeoutMs, onProgress } = about;
    const link = this.link;
    if (link === null)
      throw new ToolFailure(
        'mcp',
        `The MCP server ${name} is not connected (${this.inWords()}). Go on without it, or tell the person.`,
      );
    const broken = new AbortController();
    const late = new AbortController();
    const signals = [broken.signal, late.signal, ...(signal === undefined ? [] : [signal])];
    const wait = this.patience.wait(timeoutMs, () => late.abort());
    try {
      const answer = await link.client.request({ method, params }, about.schema, {
        signal: AbortSignal.any(signals),
        timeout: totalMs,
        maxTotalTimeout: totalMs,
        // The stream that was to bring the answer is over.
        onRequestStreamEnd: () => setTimeout(() => broken.abort(), 50),
        ...(onProgress === undefined
          ? {}
          : {
              onprogress: (progress: ProgressLike) => {
                wait.anew();
                onProgress(progressText(progress));
              },
            }),
      });
      return about.schema.parse(answer);
    } catch (error) {
      if (signal?.aborted === true) throw new ToolFailure('aborted', 'Interrupted.');
      throw this.failed(late.signal.aborted ? { code: 'REQUEST_TIMEOUT' } : error, {
        broken: broken.signal.aborted,
        timeoutMs,
      });
    } finally {
      wait.end();
    }
  }

  private failed(error: unknown, about: { readonly broken: boolean; readonly timeoutMs: number }): ToolFailure {
    const { name } = this.options;
    const failure = about.broken ? { kind: 'closed' as const } : failureOf(error);
    switch (failure.kind) {
      case 'closed':
        this.lost('');
        return new ToolFailure(
          'mcp',
          `The MCP server ${name}: connection closed before it answered. The call was not repeated and may have had effects; check before you call it again.`,
        );
      case 'timeout': {
        const seconds = Math.round(about.timeoutMs / 1_000);
        return new ToolFailure(
          'timeout',
          `The MCP server ${name} did not answer within ${seconds} s; the call was cancelled and may have had effects. Check before you call it again.`,
        );
      }
      case 'auth':
        this.toAuth();
        return new ToolFailure(
          'mcpAuth',
          `The MCP server ${name} wants the person to sign in (Tools & MCP page). Tell them, and go on without it.`,
        );
      case 'network':
        this.lost(failure.words);
        return new ToolFailure(
          'network',
          `The MCP server ${name} could not be reached (${failure.words}). Go on without it, or try again later.`,
        );
      case 'server':
        return new ToolFailure('mcp', `The MCP server ${name} refused: ${failure.words}`);
      case 'other':
        return new ToolFailure('mcp', `The MCP server ${name} did not answer as it should: ${failure.words}`);
    }
  }

  private inWords(): string {
    const { kind } = this.state;
    if (kind === 'needsAuth') return 'the person has to sign in';
    return kind === 'failed' || kind === 'ended' ? 'it failed' : kind;
  }

  private async connect(): Promise<void> {
    const { name, config, folder, host, variables, limits, auth } = this.options;
    const attempt = new AbortController();
    this.attempt = attempt;
    clearTimeout(this.timer);
    if (this.state.kind !== 'restarting') this.to({ kind: 'connecting' });
    const deadline = setTimeout(() => attempt.abort(new Error('late')), limits.connectMs);
    let link: Link | null = null;
    try {
      const opened = await openLink({
        name,
        config,
        folder,
        host,
        variables,
        output: this.output,
        auth: auth?.provider ?? null,
        timeoutMs: limits.connectMs,
        signal: attempt.signal,
        elicit: (params) => this.elicit(params),
        onListChanged: (list) => this.listChanged(list),
        onClosed: (why) => this.closed(opened, why),
      });
      link = opened;
      const listed = await this.listed(opened, attempt.signal);
      if (this.attempt !== attempt) throw new Error('superseded');
      this.take(listed);
      this.connectedAt = this.options.now();
      this.to({ kind: 'connected', link: opened, since: this.connectedAt });
    } catch (error) {
      if (link !== null) this.closing(link);
      if (this.attempt !== attempt) return;
      this.attempt = null;
      const late = attempt.signal.aborted;
      const reason = late
        ? connectReason({ code: 'REQUEST_TIMEOUT' }, limits.connectMs)
        : connectReason(error, limits.connectMs);
      if (!late && failureOf(error).kind === 'auth' && auth !== null) this.toAuth();
      else if (this.state.kind === 'restarting') this.again(reason);
      else this.to({ kind: 'failed', why: this.withOutput(reason) });
    } finally {
      clearTimeout(deadline);
    }
  }

  /** What a process printed last explains most failures. */
  private withOutput(reason: string): string {
    const { lastLine } = this.output;
    return lastLine === '' ? reason : `${reason} It printed: ${lastLine}`;
  }

  private async listed(link: Link, signal: AbortSignal): Promise<ToolCollector> {
    const collector = new ToolCollector();
    if (link.client.getServerCapabilities()?.tools === undefined) return collector;
    let cursor: string | undefined;
    const seen = new Set<string>();
    for (let page = 0; page < maxPages && !collector.full; page += 1) {
      const answer = await link.client.request(
        { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
        ToolsPage,
        { timeout: this.options.limits.connectMs, signal },
      );
      collector.add(answer.tools);
      cursor = answer.nextCursor;
      if (cursor === undefined || seen.has(cursor)) break;
      seen.add(cursor);
    }
    return collector;
  }

  private take(listed: ToolCollector): void {
    this.options.onTools(listed.tools);
    this.tools = listed.tools;
    this.problems = listed.problems;
  }

  private listChanged(list: 'tools' | 'resources' | 'prompts'): void {
    if (list !== 'tools' || this.relist !== undefined) return;
    this.relist = setTimeout(() => {
      const { link } = this;
      if (link === null) {
        this.relist = undefined;
        return;
      }
      this.listed(link, AbortSignal.timeout(this.options.limits.connectMs))
        .then((listed) => {
          if (this.link !== link) return;
          this.take(listed);
          this.options.onChange();
        })
        .catch((error: unknown) => this.output.note(`its tools could not be listed again: ${failureOf(error).kind}`))
        .finally(() => {
          this.relist = undefined;
        });
    }, relistMs);
  }

  private async elicit(params: ElicitRequestParams): Promise<ElicitResult> {
    const asker = this.askers.at(-1);
    if (asker === undefined || this.patience.isAsking || asker.questions >= maxQuestions) return { action: 'decline' };
    asker.questions += 1;
    return await this.patience.whileAsking(() => this.options.elicit(params, asker.asker));
  }

  /** The connection ended by itself. */
  private closed(link: Link, why: string): void {
    if (this.link !== link) return;
    this.lost(why);
  }

  private lost(why: string): void {
    const { state } = this;
    if (state.kind !== 'connected') return;
    this.closing(state.link);
    if (this.options.now() - state.since >= this.options.limits.steadyMs) this.restarts = 0;
    const reason = why === '' ? 'The connection was closed.' : `The connection was closed: ${why}.`;
    this.output.note(reason);
    this.again(reason);
  }

  private again(reason: string): void {
    const pause = this.options.limits.restartMs[this.restarts];
    if (pause === undefined) {
      this.to({
        kind: 'failed',
        why: this.withOutput(`${reason} It was started again too often; restart it when it is mended.`),
      });
      return;
    }
    this.restarts += 1;
    this.to({ kind: 'restarting', why: reason });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.connect(), pause);
  }

  private toAuth(): void {
    const link = this.link;
    if (link !== null) this.closing(link);
    this.to({ kind: 'needsAuth' });
  }

  private closing(link: Link): void {
    const left = link.close().finally(() => this.leaving.delete(left));
    this.leaving.add(left);
  }

  private async leave(): Promise<void> {
    clearTimeout(this.timer);
    clearTimeout(this.relist);
    this.relist = undefined;
    const { attempt, link } = this;
    this.attempt = null;
    attempt?.abort();
    if (link !== null) {
      this.to({ kind: 'connecting' });
      this.closing(link);
    }
    await Promise.all(this.leaving);
  }

  private to(state: State): void {
    if (this.state.kind === 'ended') return;
    this.state = state;
    if (state.kind !== 'connected') this.tools = [];
    this.options.onChange();
  }
}

interface ProgressLike {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

function progressText({ progress, total, message }: ProgressLike): string {
  const share = total === undefined ? String(progress) : `${progress} of ${total}`;
  return message === undefined ? share : `${serverName(message)} (${share})`;
}
