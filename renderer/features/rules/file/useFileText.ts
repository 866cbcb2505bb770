import { useCallback, useEffect, useRef, useState } from 'react';
import type { TextProblem } from '#shared/api/rules';
import { RpcError } from '#shared/rpc/errors';
import { host } from '../../../host/client';
import { useRules } from '../../../stores/rules';
import { useRulesPage } from '../../../stores/rulesPage';
import { messageOf, useToasts } from '../../../stores/toasts';
import { undoStep } from '../actions';

export interface FileText {
  /** Null until the file has been read. */
  readonly disk: { readonly text: string | null; readonly locked: string } | null;
  /** As it is being written, or as on disk. */
  readonly text: string;
  readonly isChanged: boolean;
  /** Why the file cannot be read; empty when it can. */
  readonly problem: string;
  /** What was written could not be saved, because the file changed in the same places. */
  readonly isConflict: boolean;
  readonly isSaving: boolean;
  write(text: string): void;
  discard(): void;
  /** `over`: in the place of the text on disk, which the person has seen; without it, changes on disk are merged. */
  save(how?: { readonly over: boolean }): Promise<void>;
  reload(): Promise<void>;
  check(text: string): Promise<readonly TextProblem[]>;
}

/** The text of a settings file, on disk and as it is being written. `name` is the path for people. */
export function useFileText({ path, name }: { readonly path: string; readonly name: string }): FileText {
  const sessionId = useRulesPage((page) => page.sessionId) ?? '';
  const edit = useRulesPage((page) => page.fileEdits[path]);
  const view = useRules((rules) => rules.view);
  const steps = useRulesPage((page) => page.steps);
  const [read, setRead] = useState<{ readonly path: string; readonly text: string | null; readonly locked: string }>();
  const [problem, setProblem] = useState('');
  const [conflict, setConflict] = useState('');
  const [isSaving, setSaving] = useState(false);

  const saving = useRef({ now: false, again: false });
  const known = useRef<{ readonly text: string | null } | null>(null);

  const reload = useCallback(async () => {
    try {
      const found = await host().call('rules.file', { sessionId, path });
      known.current = found;
      setRead(found);
      setProblem('');
    } catch (error) {
      setProblem(messageOf(error));
    }
  }, [sessionId, path]);
  // Read again whenever rules changed or a step was written: the file may have been changed by anybody.
  // biome-ignore lint/correctness/useExhaustiveDependencies: both stand for the files' state.
  useEffect(() => void reload(), [reload, view, steps]);

  const put = useCallback(
    (change: { readonly text: string; readonly base: string | null } | null) => {
      const { fileEdits, show } = useRulesPage.getState();
      const { [path]: _gone, ...others } = fileEdits;
      show({ fileEdits: change === null ? others : { ...others, [path]: change } });
    },
    [path],
  );
  const disk = read?.path === path ? read : null;
  const onDisk = disk?.text ?? '';
  const text = edit?.text ?? onDisk;
  const isChanged = edit !== undefined && edit.text !== onDisk;

  const check = useCallback(
    async (whole: string) => {
      try {
        return (await host().call('rules.checkText', { sessionId, path, text: whole })).problems;
      } catch {
        return [];
      }
    },
    [sessionId, path],
  );
  const saveOnce = async (over: boolean): Promise<void> => {
    const written = useRulesPage.getState().fileEdits[path];
    if (written === undefined) return;
    const base = over ? (known.current?.text ?? null) : written.base;
    try {
      const { step, merged } = await host().call('rules.writeFile', { sessionId, path, base, text: written.text });
      // First what is on disk now, then nothing to write: the text in the editor stays where it is.
      await reload();
      const later = useRulesPage.getState().fileEdits[path];
      put(later === undefined || later.text === written.text ? null : { text: later.text, base: written.text });
      setConflict('');
      useToasts.getState().show({
        level: 'info',
        title: merged ? 'Saved, together with what changed on disk meanwhile.' : 'Saved.',
        text: name,
        action: { label: 'Undo', run: () => void undoStep(step.id) },
      });
    } catch (error) {
      if (error instanceof RpcError && error.code === 'conflict') setConflict(path);
      else
        useToasts.getState().show({
          level: 'error',
          title: 'The file was not saved; your text is kept.',
          text: messageOf(error),
        });
      await reload();
    }
  };
  const save: FileText['save'] = async ({ over } = { over: false }) => {
    // What is pressed while a text is being written is about what was typed since.
    if (saving.current.now) {
      saving.current.again = true;
      return;
    }
    saving.current = { now: true, again: false };
    setSaving(true);
    await saveOnce(over);
    while (saving.current.again) {
      saving.current.again = false;
      await saveOnce(false);
    }
    saving.current.now = false;
    setSaving(false);
  };
  return {
    disk,
    text,
    isChanged,
    problem,
    isConflict: conflict === path && isChanged,
    isSaving,
    write: (value) =>
      put(value === onDisk ? null : { text: value, base: edit === undefined ? (disk?.text ?? null) : edit.base }),
    discard: () => {
      put(null);
      setConflict('');
    },
    save,
    reload,
    check,
  };
}
