import { Lock, Users, Wrench } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { ruleSources } from '#shared/permissions/sources';
import { RpcError } from '#shared/rpc/errors';
import { host } from '../../../host/client';
import { useApp } from '../../../stores/app';
import { useRules } from '../../../stores/rules';
import { useRulesPage } from '../../../stores/rulesPage';
import { messageOf, useToasts } from '../../../stores/toasts';
import { Banner } from '../../../ui/Banner';
import { Button } from '../../../ui/Button';
import { Select } from '../../../ui/Select';
import { Skeleton } from '../../../ui/Skeleton';
import { homePath } from '../../frame/words';
import { undoStep } from '../actions';
import { RepairDialog } from './RepairDialog';

// The editor is most of the page's weight, and few look at it.
const CodeEditor = lazy(async () => ({ default: (await import('./CodeEditor')).CodeEditor }));

/** A settings file as text, with what is wrong in it; saved text is in force at once and in the table. */
export function FileView() {
  const sessionId = useRulesPage((page) => page.sessionId);
  const wanted = useRulesPage((page) => page.file);
  const line = useRulesPage((page) => page.line);
  const text = useRulesPage((page) => page.fileText);
  const base = useRulesPage((page) => page.fileBase);
  const show = useRulesPage((page) => page.show);
  const view = useRules((rules) => rules.view);
  const home = useApp((app) => app.hello?.home ?? '');
  const files = view?.files ?? [];
  const file = files.find(({ path }) => path === wanted) ?? files.find(({ source }) => source === 'userSettings');
  const path = file?.path;
  const [disk, setDisk] = useState<{ readonly path: string; readonly text: string | null; readonly locked: string }>();
  const [problem, setProblem] = useState('');
  const [repairing, setRepairing] = useState(false);
  const [saving, setSaving] = useState(false);

  const load = useCallback(async () => {
    if (sessionId === null || path === undefined) return;
    try {
      setDisk(await host().call('rules.file', { sessionId, path }));
      setProblem('');
    } catch (error) {
      setProblem(messageOf(error));
    }
  }, [sessionId, path]);
  // Read again whenever rules changed: the file may have been changed by anybody.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view stands for the files' state.
  useEffect(() => void load(), [load, view]);

  const check = useCallback(
    async (whole: string) => {
      if (sessionId === null || path === undefined) return [];
      try {
        return (await host().call('rules.checkText', { sessionId, path, text: whole })).problems;
      } catch {
        return [];
      }
    },
    [sessionId, path],
  );

  if (file === undefined || path === undefined || sessionId === null)
    return <Skeleton label="Loading the files" className="flex-1 p-6" rows={8} />;
  const known = disk?.path === path ? disk : undefined;
  const onDisk = known?.text ?? '';
  const locked = known?.locked ?? '';
  const changed = text !== null && text !== onDisk;
  const save = async (): Promise<void> => {
    if (!changed || text === null || saving) return;
    setSaving(true);
    try {
      const { step, merged } = await host().call('rules.writeFile', { sessionId, path, base, text });
      show({ fileText: null, fileBase: null });
      await load();
      useToasts.getState().show({
        level: 'info',
        title: merged ? 'Saved, together with what changed on disk meanwhile.' : 'Saved.',
        text: homePath(path, home),
        action: { label: 'Undo', run: () => void undoStep(step.id) },
      });
    } catch (error) {
      const conflict = error instanceof RpcError && error.code === 'conflict';
      useToasts.getState().show({
        level: 'error',
        title: conflict ? 'The file changed on disk in the same place.' : 'The file was not saved.',
        text: messageOf(error),
      });
    }
    setSaving(false);
  };
  return (
    <section aria-label="Settings file" className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-2 border-line border-b px-3 py-1.5">
        <Select
          label="File"
          hideLabel
          className="min-w-0 max-w-full"
          value={path}
          disabled={changed}
          options={files.map((one) => ({
            value: one.path,
            label: `${ruleSources[one.source].label} · ${homePath(one.path, home)}${one.state === 'absent' ? ' (none yet)' : ''}`,
          }))}
          onChange={(value) => show({ file: value, line: null, fileText: null, fileBase: null })}
        />
        {file.source === 'projectSettings' ? (
          <span className="flex items-center gap-1.5 text-muted text-small">
            <Users aria-hidden size={14} strokeWidth={1.75} /> shared with the team
          </span>
        ) : null}
        {locked === '' ? null : (
          <span className="flex items-center gap-1.5 text-muted text-small">
            <Lock aria-hidden size={14} strokeWidth={1.75} /> {locked}
          </span>
        )}
        <span className="ml-auto flex items-center gap-2">
          {changed ? (
            <Button size="small" variant="ghost" onClick={() => show({ fileText: null, fileBase: null })}>
              Discard
            </Button>
          ) : null}
          <Button
            size="small"
            variant="primary"
            keys="Mod+S"
            disabled={!changed || saving || locked !== ''}
            onClick={() => void save()}
          >
            Save
          </Button>
        </span>
      </div>
      {problem === '' ? null : (
        <Banner level="error" title="The file could not be read.">
          {problem}
        </Banner>
      )}
      {file.state === 'broken' ? (
        <Banner
          level="error"
          title={`This file does not parse (line ${file.line ?? 1}, column ${file.column ?? 1}).`}
          action={
            <Button size="small" icon={Wrench} onClick={() => setRepairing(true)}>
              Repair…
            </Button>
          }
        >
          {file.problem}
        </Banner>
      ) : null}
      {known === undefined ? (
        problem === '' ? (
          <Skeleton label="Reading the file" className="flex-1 p-6" rows={8} />
        ) : null
      ) : (
        <Suspense fallback={<Skeleton label="Loading the editor" className="flex-1 p-6" rows={8} />}>
          <CodeEditor
            key={path}
            label={`Text of ${path}`}
            text={text ?? onDisk}
            line={line}
            readOnly={locked !== ''}
            check={check}
            onSave={() => void save()}
            onChange={(value) =>
              show(
                value === onDisk
                  ? { fileText: null, fileBase: null }
                  : { fileText: value, ...(text === null ? { fileBase: known.text } : {}) },
              )
            }
          />
        </Suspense>
      )}
      {repairing ? (
        <RepairDialog
          path={path}
          onClose={() => setRepairing(false)}
          onWritten={() => {
            setRepairing(false);
            show({ fileText: null, fileBase: null });
            void load();
          }}
        />
      ) : null}
    </section>
  );
}
