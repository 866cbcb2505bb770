// Events that nobody waits for: a person is asked, settings, files or the current folder changed. Hooks are told of them.
import { isAbsolute, join } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import type { RuleSource } from '#shared/permissions/sources';
import type { SessionEvent } from '#shared/session/events';
import type { PermissionEngine } from '../permissions/engine';
import type { SettingsContent } from '../permissions/settingsInForce';
import type { Log } from '../ports';
import type { SessionService } from '../sessions/service';
import type { WatchingHooks } from './createHooks';
import { subjectOf } from './eventRules';
import type { HookEvent, HookOutcome } from './hooks';

/** After so long without work a person is told that it is their turn. */
const idleMs = 60_000;

/** How settings are called in the event. */
const settingsNames: Readonly<Partial<Record<RuleSource, string>>> = {
  userSettings: 'user_settings',
  projectSettings: 'project_settings',
  localSettings: 'local_settings',
  policySettings: 'policy_settings',
};

interface Known {
  cwd: string;
  /** Content of each settings file when it was last looked at. */
  contents: Map<string, string>;
  idle: NodeJS.Timeout | null;
  watching: { readonly names: string; readonly watcher: FSWatcher } | null;
}

export class HookAnnouncer {
  private readonly known = new Map<string, Known>();
  private readonly ending = new AbortController();
  private readonly firing = new Set<Promise<void>>();
  private readonly stop: readonly (() => void)[];

  constructor(
    private readonly options: {
      readonly hooks: WatchingHooks;
      readonly sessions: SessionService;
      readonly engine: PermissionEngine;
      readonly log: Log;
    },
  ) {
    const { sessions, engine } = options;
    this.stop = [
      sessions.listen({
        onEvent: (sessionId, event) => this.guarded(() => this.onEvent(sessionId, event.body)),
        onLive: () => undefined,
        onListChange: () => this.guarded(() => this.forgetRemoved()),
      }),
      engine.onChange((sessionId) => this.guarded(() => this.onSettings(sessionId))),
    ];
  }

  async dispose(): Promise<void> {
    for (const stop of this.stop) stop();
    this.ending.abort();
    const watchers: FSWatcher[] = [];
    for (const { idle, watching } of this.known.values()) {
      if (idle !== null) clearTimeout(idle);
      if (watching !== null) watchers.push(watching.watcher);
    }
    this.known.clear();
    await Promise.all([...watchers.map((watcher) => watcher.close()), ...this.firing]);
  }

  /** A fault here must not reach those who append events. */
  private guarded(work: () => void): void {
    try {
      if (!this.ending.signal.aborted) work();
    } catch (error) {
      this.options.log.error('telling hooks of an event failed', error);
    }
  }

  private onEvent(sessionId: string, body: SessionEvent['body']): void {
    const before = this.known.get(sessionId);
    const { cwd } = this.options.sessions.state(sessionId);
    switch (body.type) {
      case 'turn.started': {
        const known = before ?? this.remember(sessionId);
        if (known.idle !== null) clearTimeout(known.idle);
        known.idle = null;
        this.watchFiles(sessionId, known);
        return;
      }
      case 'turn.finished':
        if (before === undefined || body.outcome !== 'done') return;
        before.idle = setTimeout(() => {
          const message = 'Gatehouse has finished and waits for you.';
          this.fire(sessionId, { name: 'Notification', message, title: 'Gatehouse', notificationType: 'idle_prompt' });
        }, idleMs);
        before.idle.unref();
        return;
      case 'call.asked': {
        const { ask } = body;
        const isPermission = ask.kind === 'permission';
        this.fire(sessionId, {
          name: 'Notification',
          message: isPermission
            ? `Gatehouse needs your permission to use ${ask.toolName}.`
            : 'The model has a question for you.',
          title: 'Gatehouse',
          notificationType: isPermission ? 'permission_prompt' : 'elicitation_dialog',
        });
        return;
      }
      case 'cwd.changed': {
        const known = before ?? this.remember(sessionId);
        const oldCwd = before?.cwd ?? this.options.sessions.state(sessionId).folder;
        known.cwd = cwd;
        if (oldCwd !== cwd) this.fire(sessionId, { name: 'CwdChanged', oldCwd, newCwd: cwd });
        return;
      }
      default:
        return;
    }
  }

  private forgetRemoved(): void {
    for (const [sessionId, known] of this.known) {
      if (this.options.sessions.exists(sessionId)) continue;
      this.known.delete(sessionId);
      if (known.idle !== null) clearTimeout(known.idle);
      void known.watching?.watcher.close();
    }
  }

  private remember(sessionId: string): Known {
    const { cwd } = this.options.sessions.state(sessionId);
    const known: Known = { cwd, contents: this.contentsOf(sessionId), idle: null, watching: null };
    this.known.set(sessionId, known);
    return known;
  }

  private contentsOf(sessionId: string): Map<string, string> {
    const { folder } = this.options.sessions.state(sessionId);
    const { files } = this.options.engine.settings({ sessionId, folder });
    return new Map(files.map(({ source, path, content }) => [`${source} ${path ?? ''}`, textOf(content)]));
  }

  private onSettings(sessionId: string): void {
    const known = this.known.get(sessionId);
    if (known === undefined) return;
    const before = known.contents;
    const { engine } = this.options;
    const { folder } = this.options.sessions.state(sessionId);
    const { files } = engine.settings({ sessionId, folder });
    for (const { source, path, content } of files) {
      const name = settingsNames[source];
      const key = `${source} ${path ?? ''}`;
      if (name === undefined || path === null || (before.get(key) ?? textOf(null)) === textOf(content)) continue;
      const event: HookEvent = { name: 'ConfigChange', source: name, file: path };
      // What the administrator decides is told, not asked.
      if (source === 'policySettings') this.fire(sessionId, event);
      else
        this.heldUp(
          engine.consider(sessionId, {
            path,
            objects: () => this.objects(sessionId, event),
            accepted: () => void known.contents.set(key, textOf(content)),
          }),
        );
    }
    // As they are in force now: what hooks are asked about is held back.
    known.contents = this.contentsOf(sessionId);
    this.watchFiles(sessionId, known);
  }

  private watchFiles(sessionId: string, known: Known): void {
    const names = this.options.hooks.watchedFiles(sessionId);
    const key = names.join('|');
    if ((known.watching?.names ?? '') === key) return;
    void known.watching?.watcher.close();
    known.watching = null;
    if (names.length === 0) return;
    const { folder } = this.options.sessions.state(sessionId);
    const paths = names.map((name) => (isAbsolute(name) ? name : join(folder, name)));
    const watcher = watch(paths, { ignoreInitial: true, depth: 0 });
    for (const kind of ['add', 'change', 'unlink'] as const)
      watcher.on(kind, (file) => this.fire(sessionId, { name: 'FileChanged', file }));
    watcher.on('error', (error) => this.options.log.error('watching files for hooks failed', error));
    known.watching = { names: key, watcher };
  }

  private fire(sessionId: string, event: HookEvent): void {
    if (this.isHeard(sessionId, event)) this.heldUp(this.tell(sessionId, event).then(() => undefined));
  }

  /** Whether a hook objects to what is about to happen; the person is told. */
  private async objects(sessionId: string, event: HookEvent & { readonly file: string }): Promise<boolean> {
    if (!this.isHeard(sessionId, event)) return false;
    const objection = await this.tell(sessionId, event);
    if (objection === null || !this.options.sessions.exists(sessionId)) return false;
    this.options.sessions.append(sessionId, {
      type: 'notice',
      level: 'warning',
      text: `The hook ${objection.hook} objects to the change of ${event.file}: ${objection.reason}`,
      next: 'What the file said before stays in force in this session until the file changes again.',
    });
    return true;
  }

  private isHeard(sessionId: string, event: HookEvent): boolean {
    const { hooks, sessions } = this.options;
    if (this.ending.signal.aborted || !sessions.exists(sessionId)) return false;
    return hooks.listens(sessionId, event.name, subjectOf(event));
  }

  /** Work that is waited for at the end. */
  private heldUp(work: Promise<void>): void {
    const told = work.catch((error: unknown) => {
      this.options.log.error('passing on what hooks said failed', error);
    });
    this.firing.add(told);
    void told.finally(() => this.firing.delete(told));
  }

  /** Resolves to what a hook has against it; null: nothing. */
  private async tell(sessionId: string, event: HookEvent): Promise<HookOutcome['block']> {
    const { hooks, sessions } = this.options;
    const { folder, cwd, mode } = sessions.state(sessionId);
    const outcome = await hooks.fire(event, { sessionId, folder, cwd, mode }, this.ending.signal);
    if (!sessions.exists(sessionId)) return null;
    for (const text of outcome.context)
      sessions.append(sessionId, { type: 'context.added', from: `${event.name} hook`, text });
    const refused = outcome.block ?? outcome.stop;
    const late =
      refused === null || event.name === 'ConfigChange'
        ? []
        : [`The hook ${refused.hook} objects to ${event.name}, which has happened already: ${refused.reason}`];
    for (const text of [...outcome.messages, ...late])
      sessions.append(sessionId, { type: 'notice', level: 'warning', text, next: '' });
    return refused;
  }
}

/** A file that is read again gives another object, even where it says the same. */
function textOf(content: SettingsContent | null): string {
  return JSON.stringify(content);
}
