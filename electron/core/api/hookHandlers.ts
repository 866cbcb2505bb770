import type { Database } from 'better-sqlite3';
import { structuredPatch } from 'diff';
import type { AppContract } from '#shared/api/app';
import type { HookChange, HookFinding, HookOccasion, HookPosition, hookCalls } from '#shared/api/hooks';
import { ruleSources } from '#shared/permissions/sources';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import type { ToolCall } from '#shared/session/toolCall';
import type { DiffHunk } from '#shared/tools/presentation';
import type { ConnectedHooks } from '../hooks/connectHooks';
import { isToolEvent } from '../hooks/eventRules';
import { editHooks, type HookEdit, readHandler } from '../hooks/hookEdits';
import { findingsOf, type ListedHook, listHooks } from '../hooks/hookList';
import { contentId, entryId, writtenHooks } from '../hooks/hookPlace';
import { fieldsOf, readHookTable } from '../hooks/hookSettings';
import { type TrialFacts, trialEvent } from '../hooks/hookTrial';
import { createPastRuns } from '../hooks/pastRuns';
import type { PermissionEngine } from '../permissions/engine';
import type { SettingsInForce } from '../permissions/settingsInForce';
import type { CorePorts } from '../ports';
import type { SessionService } from '../sessions/service';
import { readIfThere } from '../settings/settingsWriter';
import type { ToolRegistry } from '../tools/registry';

type HookHandlers = Pick<Handlers<AppContract, object>, keyof typeof hookCalls>;

export interface HookPageServices {
  readonly ports: {
    readonly paths: Pick<CorePorts['paths'], 'home'>;
    readonly host: Pick<CorePorts['host'], 'platform'>;
    readonly environment: Pick<CorePorts['environment'], 'variables'>;
  };
  readonly sessions: Pick<SessionService, 'exists' | 'state'>;
  readonly engine: Pick<PermissionEngine, 'openSession' | 'settings' | 'policy' | 'editor' | 'view'>;
  readonly hooks: Pick<ConnectedHooks, 'tryOut'>;
  registry(sessionId: string): ToolRegistry;
  readonly database: Database;
}

const gone = 'This hook is not there any more, or it was changed. The list is read again.';

/** The Hooks page. */
export function hookHandlers(services: HookPageServices): HookHandlers {
  const { ports, sessions, engine, hooks, registry } = services;
  const pastRuns = createPastRuns(services.database);
  const programsIn = (folder: string) => ({
    folder,
    home: ports.paths.home,
    path: ports.environment.variables.PATH ?? '',
    platform: ports.host.platform,
  });

  async function opened(sessionId: string) {
    if (!sessions.exists(sessionId)) throw new RpcError('notFound', 'This session no longer exists.');
    const { folder } = sessions.state(sessionId);
    await engine.openSession(sessionId, folder);
    return { sessionId, folder };
  }

  function listed({ sessionId, folder }: { readonly sessionId: string; readonly folder: string }) {
    const { files } = engine.settings({ sessionId, folder });
    const known = engine.policy(sessionId).files;
    return {
      files,
      ...listHooks({
        files,
        folder,
        trusted: engine.view(sessionId).trust.trusted,
        about(file) {
          const found = known.find((one) => one.source === file.source && one.path === (file.path ?? one.path));
          return {
            exists: file.path !== null && (found === undefined ? file.content !== null : found.state !== 'absent'),
            locked: lockOf(file),
          };
        },
        programs: programsIn(folder),
      }),
    };
  }

  function entry(found: readonly ListedHook[], { id }: { readonly id: string }): ListedHook {
    const hook = found.find((one) => one.entry.id === id);
    if (hook === undefined) throw new RpcError('conflict', gone);
    return hook;
  }

  /** The file of a change with the edit that makes it, and what is wrong with the hook that it writes. */
  async function planned(sessionId: string, change: HookChange) {
    const session = await opened(sessionId);
    const { files, hooks: found } = listed(session);
    const source = change.type === 'add' ? change.source : change.at.source;
    const file = change.type === 'add' ? files.find((one) => one.source === source) : fileAt(files, change.at);
    const path = file?.path ?? null;
    if (file === undefined || path === null) throw new RpcError('refused', 'This place has no file to write.');
    const lock = lockOf(file);
    if (lock !== '') throw new RpcError('refused', lock);
    const { edit, findings } = editOf(change, { file, found, folder: session.folder });
    return { session, file, path, edit, findings };
  }

  function editOf(
    change: HookChange,
    about: { readonly file: SettingsInForce; readonly found: readonly ListedHook[]; readonly folder: string },
  ): { readonly edit: HookEdit; readonly findings: HookFinding[] } {
    const at = change.type === 'add' ? null : positionIn(about.file, change, entry(about.found, change));
    if (change.type === 'remove') {
      if (at === null) throw new RpcError('conflict', gone);
      return { edit: { type: 'remove', at }, findings: [] };
    }
    const handler = readHandler(change.handler);
    if (!handler.ok) throw new RpcError('refused', handler.error);
    const hook = { event: change.event, matcher: change.matcher, handler: handler.value };
    const { findings } = findingsOf(
      { ...hook, group: 0, index: 0 },
      { source: about.file.source, programs: programsIn(about.folder) },
    );
    return {
      edit: at === null ? { type: 'add', hook } : { type: 'change', at, hook },
      findings: [...findings],
    };
  }

  return {
    async 'hooks.list'({ sessionId }) {
      return listed(await opened(sessionId)).view;
    },
    'hooks.runs'({ sessionId, before, limit }) {
      if (!sessions.exists(sessionId)) throw new RpcError('notFound', 'This session no longer exists.');
      const { runs, more } = pastRuns({ sessionId, before, limit });
      const { calls } = sessions.state(sessionId);
      return {
        more,
        runs: runs.map(({ seq, callId, run }) => {
          const call = callId === null ? undefined : calls[callId];
          const { title = callId ?? '', summary = '' } = call?.presentation ?? {};
          return { seq, run, call: callId === null ? null : { callId, title, summary } };
        }),
      };
    },
    async 'hooks.preview'({ sessionId, change }) {
      const { file, path, edit, findings } = await planned(sessionId, change);
      const read = await readIfThere(path);
      if (!read.ok) throw new RpcError('unavailable', read.error);
      const edited = editHooks(read.value, edit);
      if (!edited.ok) throw new RpcError(edited.error.kind === 'gone' ? 'conflict' : 'refused', edited.error.message);
      return {
        file: path,
        shared: file.source === 'projectSettings',
        hunks: hunksOf(read.value ?? '', edited.value),
        findings,
      };
    },
    async 'hooks.save'({ sessionId, change }) {
      const { path, edit } = await planned(sessionId, change);
      const saved = await engine.editor.editFile(sessionId, {
        path,
        label: labelOf(change),
        edit: (text) => editHooks(text, edit),
      });
      if (!saved.ok) throw new RpcError(saved.error.code, saved.error.message);
      return { step: saved.value };
    },
    async 'hooks.try'({ sessionId, id, occasion }, context) {
      const session = await opened(sessionId);
      const { files, hooks: found } = listed(session);
      const { entry: shown, handler } = entry(found, { id });
      if (handler === null || (shown.state !== 'active' && shown.state !== 'elsewhere'))
        throw new RpcError('refused', `It may not run: ${shown.because}`);
      if (handler.action.type === 'agent')
        throw new RpcError(
          'refused',
          'A hook of the type agent makes calls of its own in the session, so it is not tried out. It runs with the next real call.',
        );
      const state = sessions.state(sessionId);
      const cwd = occasion.kind === 'typed' ? (occasion.cwd ?? state.cwd) : state.cwd;
      const facts = factsOf(occasion, { calls: state.calls, registry: registry(sessionId), folder: state.folder });
      if (isToolEvent(handler.event) && occasion.kind === 'text')
        throw new RpcError('invalid', 'This event is about a call. Choose one.');
      const stop = new AbortController();
      context.signal.onCancel(() => stop.abort());
      return await hooks.tryOut({
        handler,
        event: trialEvent(handler.event, facts),
        // A past call may have been made in a folder that has nothing to do with this session.
        place: {
          sessionId,
          folder: state.folder,
          cwd: within(cwd, state.folder) ? cwd : state.folder,
          mode: state.mode,
        },
        limits: readHookTable({ files, command: null }).http,
        signal: stop.signal,
      });
    },
  };
}

function within(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function lockOf({ source, path, unknown }: SettingsInForce): string {
  if (!['userSettings', 'projectSettings', 'localSettings'].includes(source) || path === null)
    return `Gatehouse does not write the ${ruleSources[source].label} settings.`;
  return unknown ? 'The file does not parse. Mend it first, on the page Rules.' : '';
}

function fileAt(files: readonly SettingsInForce[], at: HookPosition): SettingsInForce | undefined {
  return files.find((file) => file.source === at.source && file.path === at.file);
}

/** The hook as it stands in the file now; the page's own word for it is not enough to write by. */
function positionIn(file: SettingsInForce, { at, id }: Exclude<HookChange, { type: 'add' }>, { entry }: ListedHook) {
  const found = writtenHooks(fieldsOf(file.content?.value)?.hooks).find(
    (hook) => entryId({ ...at, source: file.source, file: file.path }, hook) === id && entry.id === id,
  );
  if (found === undefined) throw new RpcError('conflict', gone);
  if (entry.locked !== '') throw new RpcError('refused', entry.locked);
  const { event, group, index } = entry.at;
  return { event, group, index, content: contentId(found) };
}

function labelOf(change: HookChange): string {
  switch (change.type) {
    case 'add':
      return `add a hook for ${change.event}`;
    case 'change':
      return `change a hook for ${change.event}`;
    case 'remove':
      return `remove a hook for ${change.at.event}`;
  }
}

function hunksOf(before: string, after: string): DiffHunk[] {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 3 });
  return hunks.map((hunk) => ({
    oldStart: hunk.oldStart,
    newStart: hunk.newStart,
    lines: hunk.lines.flatMap((line): DiffHunk['lines'] => {
      const sign = line.charAt(0);
      return sign === ' ' || sign === '+' || sign === '-' ? [{ sign, text: line.slice(1) }] : [];
    }),
  }));
}

function factsOf(
  occasion: HookOccasion,
  about: {
    readonly calls: Readonly<Record<string, ToolCall>>;
    readonly registry: ToolRegistry;
    readonly folder: string;
  },
): TrialFacts {
  const none = { toolName: '', toolInput: {}, toolUseId: 'toolu_trial' };
  const base = { failed: false, durationMs: 0, text: '', folder: about.folder, response: '' };
  switch (occasion.kind) {
    case 'text':
      return { ...base, call: none, text: occasion.text };
    case 'typed':
      return {
        ...base,
        call: {
          ...none,
          toolName: occasion.tool,
          toolInput: jsonOf(occasion.input),
          ...serverOf(about.registry, occasion.tool),
        },
        response: occasion.response ?? '',
      };
    case 'call': {
      const call = about.calls[occasion.callId];
      if (call === undefined) throw new RpcError('notFound', 'This call is not in the session any more.');
      const ended = 'endedAt' in call ? call : null;
      return {
        ...base,
        call: {
          toolName: call.name,
          toolInput: call.input,
          toolUseId: call.callId,
          ...serverOf(about.registry, call.name),
        },
        response: ended?.modelText ?? '',
        failed: call.status === 'failed',
        durationMs: ended === null ? 0 : ended.endedAt - call.createdAt,
      };
    }
  }
}

function serverOf(registry: ToolRegistry, name: string): { readonly mcpServer?: string } {
  const found = registry.find(name);
  const server = found.found ? found.tool.mcpInfo?.serverName : undefined;
  return server === undefined ? {} : { mcpServer: server };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RpcError('invalid', 'The input is not valid JSON.');
  }
}
