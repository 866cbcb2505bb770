// Writes changes of rules as steps: over all their files at once, merged with what others wrote, and undoable.
import { randomUUID } from 'node:crypto';
import type { RuleStep, StepsView } from '#shared/api/rules';
import { describeEdits } from '#shared/permissions/describeEdits';
import type { RuleDraft, RuleEdit } from '#shared/permissions/ruleEdits';
import type { RuleSource } from '#shared/permissions/sources';
import { fail, ok, type Result } from '#shared/util/result';
import { mergeText } from '../settings/mergeText';
import { changeAgain } from '../settings/revertText';
import type { EditFault } from '../settings/settingsEdits';
import { readSettingsText } from '../settings/settingsText';
import { type FileTexts, type SettingsWriter, WriteFault } from '../settings/settingsWriter';
import type { OwnRule } from './combineSources';
import { allowedInFolder, type DraftFile, type DraftResult, makeDraft } from './draftFiles';
import { writableFiles } from './ruleDrafts';
import type { OwnChange, RuleSteps } from './ruleSteps';
import type { RuleStore } from './ruleStore';

/** Why nothing was written. `conflict`: somebody else changed what it is about. */
export interface EditorFault {
  readonly code: 'conflict' | 'refused' | 'notFound';
  /** For people. */
  readonly message: string;
}

export interface RuleEditor {
  /** Writes a draft on an open session's rules as one step: all of it or nothing. */
  save(sessionId: string, draft: RuleDraft): Promise<Result<RuleStep, EditorFault>>;
  /** Writes a whole text that was made from `base` into one of the session's files. */
  writeText(
    sessionId: string,
    change: { readonly path: string; readonly base: string | null; readonly text: string },
  ): Promise<Result<{ readonly step: RuleStep; readonly merged: boolean }, EditorFault>>;
  /** Makes another change to one of the session's files as a step; `edit` gets what is in it then (null: no file). */
  editFile(
    sessionId: string,
    change: {
      readonly path: string;
      readonly label: string;
      readonly edit: (text: string | null) => Result<string, EditFault>;
    },
  ): Promise<Result<RuleStep, EditorFault>>;
  steps(): StepsView;
  undo(step: string): Promise<Result<StepsView, EditorFault>>;
  redo(step: string): Promise<Result<StepsView, EditorFault>>;
  /** Fires after a step was written, undone or made again. */
  onSteps(listener: (view: StepsView) => void): () => void;
}

const closed: EditorFault = { code: 'notFound', message: 'This session is not open any more. Open it again.' };

export interface RuleEditorOptions {
  readonly store: RuleStore;
  readonly writer: SettingsWriter;
  readonly steps: RuleSteps;
  /** What to say where only the policy's rules count. */
  readonly managedOnly: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Makes the editor. */
export function createRuleEditor(options: RuleEditorOptions): RuleEditor {
  const { store, writer, steps, now } = options;
  const listeners = new Set<(view: StepsView) => void>();
  /** Steps that changed nothing: taking them back is done at once. */
  const empty = new Set<string>();
  // One after the other: two steps that overlap would each undo the other's text.
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const result = queue.then(work, work);
    queue = result.catch(() => undefined);
    return result;
  };

  const announce = (): StepsView => {
    const view = steps.view();
    for (const listener of listeners) listener(view);
    return view;
  };

  const written = (options: {
    readonly label: string;
    readonly files: readonly FileTexts[];
    readonly own: OwnChange | null;
  }): RuleStep => {
    const files = options.files.filter(({ before, after }) => before !== after).map((file) => ({ ...file }));
    const fresh = { id: randomUUID(), label: options.label, at: now(), files };
    // What stood there already has changed nothing that could be undone.
    if (files.length === 0 && options.own === null) {
      empty.add(fresh.id);
      return { ...fresh, files: [] };
    }
    const step = steps.add(fresh, options.own);
    announce();
    return step;
  };

  const putOwn = ({ sessionId, before, after }: OwnChange): void => {
    const present = store.parts(sessionId)?.own;
    if (present === undefined) return;
    const gone = before.filter((rule) => !after.includes(rule));
    const fresh = after.filter((rule) => !before.includes(rule));
    const equal = (one: OwnRule, other: OwnRule) =>
      one.rule.ref.text === other.rule.ref.text && one.rule.ref.behavior === other.rule.ref.behavior;
    const kept = present.filter((rule) => ![...gone, ...fresh].some((other) => equal(rule, other)));
    store.replaceOwn(sessionId, [...kept, ...fresh]);
  };

  const saveDraft = async (sessionId: string, draft: RuleDraft): Promise<Result<RuleStep, EditorFault>> => {
    const sources = store.current(sessionId);
    const parts = store.parts(sessionId);
    if (sources === null || parts === null) return fail(closed);
    if (sources.managedOnly) return fail({ code: 'refused', message: options.managedOnly });
    if (draft.length === 0) return fail({ code: 'refused', message: 'There is nothing to save.' });
    const files = writableFiles(parts);
    const [fault] = makeDraft({ files, own: parts.own, draft, now: now() }).problems;
    if (fault !== undefined) return fail(draftFault(fault.fault));
    const named = new Set(draft.flatMap(sourcesOf));
    const reals = new Set(files.filter(({ source }) => named.has(source)).map(({ real }) => real));
    const touched = files.filter(
      ({ real }, at) => reals.has(real) && files.findIndex((one) => one.real === real) === at,
    );
    let made: DraftResult | null = null;
    const changed = await writer.changeTogether<EditorFault>(
      touched.map(({ path }) => path),
      (texts) => {
        const fresh = files.map((file) => {
          const at = touched.findIndex(({ real }) => real === file.real);
          return at === -1 ? file : { ...file, text: texts[at] ?? null };
        });
        made = makeDraft({ files: fresh, own: parts.own, draft, now: now() });
        const [problem] = made.problems;
        if (problem !== undefined) return fail(draftFault(problem.fault));
        const result = made;
        return ok(touched.map(({ path, source }) => textOf(result.files, path, source)));
      },
    );
    if (!changed.ok) return fail(faultOf(changed.error));
    const result: DraftResult | null = made;
    const own = ownChange({ sessionId, before: parts.own, after: finished(result)?.own ?? parts.own });
    if (own !== null) putOwn(own);
    noteSaved(sessionId, finished(result));
    store.current(sessionId);
    return ok(written({ label: describeEdits(draft), files: changed.value, own }));
  };

  /** What the person wrote into the folder's files counts there without trust. */
  const noteSaved = (sessionId: string, made: DraftResult | null): void => {
    const texts = made === null ? [] : allowedInFolder(made.states);
    if (texts.length > 0) store.noteSaved(sessionId, texts);
  };

  const turn = async (id: string, way: 'undo' | 'redo'): Promise<Result<StepsView, EditorFault>> => {
    if (empty.has(id)) return ok(steps.view());
    const found = steps.find(id);
    if (found === null)
      return fail({ code: 'notFound', message: 'This change is too old to be undone. Its backup is kept.' });
    const { step, own } = found;
    if ((step.undoneAt !== null) === (way === 'undo'))
      return fail({ code: 'conflict', message: way === 'undo' ? 'It is undone already.' : 'It is in force already.' });
    const changed = await writer.changeTogether<EditorFault>(
      step.files.map(({ path }) => path),
      (texts) => {
        const result: (string | null)[] = [];
        for (const [at, { path, before, after }] of step.files.entries()) {
          const [from, to] = way === 'undo' ? [after, before] : [before, after];
          const text = changeAgain({ now: texts[at] ?? null, from, to });
          if (text === undefined)
            return fail({
              code: 'conflict',
              message: `${path} was changed since, in the same place. Nothing was changed; edit it by hand.`,
            });
          result.push(text);
        }
        return ok(result);
      },
    );
    if (!changed.ok) return fail(faultOf(changed.error));
    if (own !== null) putOwn(way === 'undo' ? { ...own, before: own.after, after: own.before } : own);
    steps.mark(id, way === 'undo' ? now() : null);
    store.lookAgain();
    return ok(announce());
  };

  const writeWhole: RuleEditor['writeText'] = async (sessionId, { path, base, text }) => {
    store.current(sessionId);
    const parts = store.parts(sessionId);
    if (parts === null) return fail(closed);
    if (parts.sources.managedOnly) return fail({ code: 'refused', message: options.managedOnly });
    const file = writableFiles(parts).find((one) => one.path === path);
    if (file === undefined) return fail({ code: 'refused', message: 'This file cannot be written here.' });
    const read = readSettingsText(text);
    if (!read.ok) {
      const { line, column, message } = read.error;
      return fail({ code: 'refused', message: `Line ${line}, column ${column}: ${message}. Nothing was written.` });
    }
    if (read.value.root.type !== 'object')
      return fail({ code: 'refused', message: 'Settings are a JSON object: { … }. Nothing was written.' });
    let merged = false;
    const changed = await writer.changeTogether<EditorFault>([path], ([present]) => {
      const theirs = present ?? '';
      const whole = mergeText({ base: base ?? '', mine: text, theirs });
      if (whole === null || !readSettingsText(whole).ok)
        return fail({
          code: 'conflict',
          message: 'The file was changed on disk in the same lines. Your text is kept here; compare the two.',
        });
      merged = whole !== text;
      return ok([whole]);
    });
    if (!changed.ok) return fail(faultOf(changed.error));
    const before = new Set(parts.files.find((one) => one.path === path)?.rules.map(({ ref }) => ref.text));
    store.current(sessionId);
    const after = store.parts(sessionId)?.files.find((one) => one.path === path)?.rules ?? [];
    const fresh = after.filter(({ ref }) => ref.behavior === 'allow' && !before.has(ref.text));
    if (file.source !== 'userSettings' && fresh.length > 0)
      store.noteSaved(
        sessionId,
        fresh.map(({ ref }) => ref.text),
      );
    return ok({ step: written({ label: `edit ${path}`, files: changed.value, own: null }), merged });
  };

  const editFile: RuleEditor['editFile'] = async (sessionId, { path, label, edit }) => {
    store.current(sessionId);
    const parts = store.parts(sessionId);
    if (parts === null) return fail(closed);
    if (!writableFiles(parts).some((one) => one.path === path))
      return fail({ code: 'refused', message: 'This file cannot be written here.' });
    const changed = await writer.changeTogether<EditorFault>([path], ([present]) => {
      const edited = edit(present ?? null);
      return edited.ok ? ok([edited.value]) : fail(draftFault(edited.error));
    });
    if (!changed.ok) return fail(faultOf(changed.error));
    store.lookAgain();
    return ok(written({ label, files: changed.value, own: null }));
  };

  return {
    save: (sessionId, draft) => inTurn(() => saveDraft(sessionId, draft)),
    writeText: (sessionId, change) => inTurn(() => writeWhole(sessionId, change)),
    editFile: (sessionId, change) => inTurn(() => editFile(sessionId, change)),
    steps: () => steps.view(),
    undo: (step) => inTurn(() => turn(step, 'undo')),
    redo: (step) => inTurn(() => turn(step, 'redo')),
    onSteps(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The compiler does not see that a callback has set it. */
function finished(made: DraftResult | null): DraftResult | null {
  return made;
}

function faultOf(error: EditorFault | WriteFault): EditorFault {
  return error instanceof WriteFault ? { code: 'refused', message: error.message } : error;
}

function textOf(files: readonly DraftFile[], path: string, source: string): string | null {
  return files.find((file) => file.path === path && file.source === source)?.text ?? null;
}

function draftFault({ kind, message }: EditFault): EditorFault {
  return { code: kind === 'gone' ? 'conflict' : 'refused', message };
}

/** Sources that an edit may change. */
function sourcesOf(edit: RuleEdit): readonly RuleSource[] {
  switch (edit.type) {
    case 'move':
    case 'copy':
      return [edit.rule.source, edit.to];
    case 'remove':
    case 'change':
      return [edit.rule.source];
    default:
      return [edit.source];
  }
}

function ownChange(change: OwnChange): OwnChange | null {
  const { before, after } = change;
  const equal = before.length === after.length && before.every((rule) => after.includes(rule));
  return equal ? null : change;
}
