import { join } from 'node:path';
import type { AppContract } from '#shared/api/app';
import type { ruleCalls } from '#shared/api/rules';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import type { Result } from '#shared/util/result';
import type { PermissionEngine } from '../permissions/engine';
import type { EditorFault } from '../permissions/ruleEditor';
import { createRuleNotes } from '../permissions/ruleNotes';
import type { SessionService } from '../sessions/service';
import { checkSettingsText } from '../settings/checkText';
import { repairSettingsText } from '../settings/repairText';
import { readIfThere } from '../settings/settingsWriter';

type RuleHandlers = Omit<
  Pick<Handlers<AppContract, object>, keyof typeof ruleCalls>,
  'rules.lint' | 'rules.try' | 'rules.tests' | 'rules.setTests'
>;

function taken<Value>(result: Result<Value, EditorFault>): Value {
  if (result.ok) return result.value;
  throw new RpcError(result.error.code, result.error.message);
}

/** `data`: the folder of Gatehouse's own files. */
export function ruleHandlers({
  data,
  sessions,
  engine,
}: {
  readonly data: string;
  readonly sessions: Pick<SessionService, 'exists' | 'state'>;
  readonly engine: Pick<PermissionEngine, 'drafts' | 'editor' | 'policy' | 'openSession'>;
}): RuleHandlers {
  const { drafts, editor } = engine;
  const notes = createRuleNotes(join(data, 'rule-notes.json'));

  async function opened(sessionId: string): Promise<{ readonly sessionId: string; readonly folder: string }> {
    if (!sessions.exists(sessionId)) throw new RpcError('notFound', 'This session no longer exists.');
    const { folder } = sessions.state(sessionId);
    await engine.openSession(sessionId, folder);
    return { sessionId, folder };
  }

  /** Only files of the session's own settings are ever opened: the page names one of them. */
  async function known(sessionId: string, path: string) {
    const session = await opened(sessionId);
    const file = engine.policy(session.sessionId).files.find((one) => one.path === path);
    if (file === undefined) throw new RpcError('notFound', 'This file does not belong to the session’s settings.');
    return file;
  }

  async function textOf(path: string): Promise<string | null> {
    const read = await readIfThere(path);
    if (!read.ok) throw new RpcError('unavailable', read.error);
    return read.value;
  }

  return {
    async 'rules.policy'({ sessionId }) {
      await opened(sessionId);
      return engine.policy(sessionId);
    },
    async 'rules.preview'({ sessionId, draft }) {
      return (await drafts.drafted(await opened(sessionId), draft)).view;
    },
    async 'rules.save'({ sessionId, draft }) {
      await opened(sessionId);
      return { step: taken(await editor.save(sessionId, draft)) };
    },
    'rules.steps': () => editor.steps(),
    async 'rules.undo'({ step }) {
      return taken(await editor.undo(step));
    },
    async 'rules.redo'({ step }) {
      return taken(await editor.redo(step));
    },
    async 'rules.file'({ sessionId, path }) {
      const { locked, source } = await known(sessionId, path);
      // What --settings gave as JSON has no file.
      const text = source === 'flagSettings' && path === '--settings' ? null : await textOf(path);
      return { path, text, locked };
    },
    'rules.checkText': ({ text }) => ({ problems: [...checkSettingsText(text)] }),
    async 'rules.writeFile'({ sessionId, path, base, text }) {
      const { locked } = await known(sessionId, path);
      if (locked !== '') throw new RpcError('refused', locked);
      return taken(await editor.writeText(sessionId, { path, base, text }));
    },
    async 'rules.repair'({ sessionId, path }) {
      const { locked } = await known(sessionId, path);
      if (locked !== '') throw new RpcError('refused', locked);
      const before = (await textOf(path)) ?? '';
      const repair = repairSettingsText(before);
      return { before, repair: repair === null ? null : { after: repair.after, notes: [...repair.notes] } };
    },
    'rules.notes': () => ({ notes: { ...notes.all() } }),
    'rules.setNote'({ rule, note }) {
      const set = notes.set(rule, note);
      if (!set.ok) throw new RpcError('unavailable', set.error);
      return { notes: { ...set.value } };
    },
  };
}
