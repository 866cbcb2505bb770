import { Lock, Rows3, Users } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { RuleFile } from '#shared/api/permissions';
import { ruleSources } from '#shared/permissions/sources';
import { useApp } from '../../../stores/app';
import { useRules } from '../../../stores/rules';
import { useRulesPage } from '../../../stores/rulesPage';
import { Banner } from '../../../ui/Banner';
import { Button } from '../../../ui/Button';
import { Select } from '../../../ui/Select';
import { Skeleton } from '../../../ui/Skeleton';
import { homePath, sentence } from '../../frame/words';
import type { RuleRow } from '../table/rows';
import { ConflictDialog } from './ConflictDialog';
import { RepairDialog } from './RepairDialog';
import { ruleOnLine } from './ruleOnLine';
import { useFileText } from './useFileText';

// The editor is most of the page's weight, and few look at it.
const CodeEditor = lazy(async () => ({ default: (await import('./CodeEditor')).CodeEditor }));

/** The settings files as text, one at a time. `rows`: the rules of the table, which lines lead to. */
export function FileView({ rows }: { readonly rows: readonly RuleRow[] }) {
  const wanted = useRulesPage((page) => page.file);
  const files = useRules((rules) => rules.view?.files);
  const file =
    files?.find(({ path }) => path === wanted) ??
    files?.find(({ state }) => state === 'broken') ??
    files?.find(({ source }) => source === 'userSettings');
  if (files === undefined || file === undefined)
    return <Skeleton label="Loading the files" className="flex-1 p-6" rows={8} />;
  return <OneFile key={file.path} file={file} files={files} rows={rows} />;
}

interface OneFileProps {
  readonly file: RuleFile;
  readonly files: readonly RuleFile[];
  readonly rows: readonly RuleRow[];
}

/** A settings file as text, with what is wrong in it; saved text is in force at once and in the table. */
function OneFile({ file, files, rows }: OneFileProps) {
  const { path } = file;
  const line = useRulesPage((page) => page.line);
  const repairing = useRulesPage((page) => page.repairing);
  const fileEdits = useRulesPage((page) => page.fileEdits);
  const show = useRulesPage((page) => page.show);
  const home = useApp((app) => app.hello?.home ?? '');
  const name = homePath(path, home);
  const text = useFileText({ path, name });
  const [at, setAt] = useState(0);
  const [isComparing, setComparing] = useState(false);
  const locked = text.disk?.locked ?? '';
  const here = text.isChanged ? undefined : ruleOnLine(rows, { path, text: text.text, line: at });
  return (
    <section aria-label="Settings file" className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-2 border-line border-b px-3 py-1.5">
        <Select
          label="File"
          hideLabel
          className="min-w-0 max-w-full"
          value={path}
          options={files.map((one) => ({
            value: one.path,
            label: [
              `${ruleSources[one.source].label} · ${homePath(one.path, home)}`,
              one.state === 'absent' ? ' (none yet)' : one.state === 'broken' ? ' (broken)' : '',
              fileEdits[one.path] === undefined ? '' : ' · not saved',
            ].join(''),
          }))}
          onChange={(value) => show({ file: value, line: null })}
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
          <Button
            size="small"
            icon={Rows3}
            disabled={here === undefined}
            title="Shows the rule of the line that the cursor is in"
            onClick={() => {
              if (here !== undefined)
                show({
                  view: 'table',
                  tab: 'rule',
                  active: here.key,
                  editing: false,
                  search: '',
                  sources: [],
                  verdicts: [],
                });
            }}
          >
            Show in table
          </Button>
          {text.isChanged ? (
            <Button size="small" variant="ghost" onClick={text.discard}>
              Discard text
            </Button>
          ) : null}
          <Button
            size="small"
            variant="primary"
            keys="Mod+S"
            disabled={!text.isChanged || text.isSaving || locked !== ''}
            onClick={() => void text.save()}
          >
            Save text
          </Button>
        </span>
      </div>
      {text.problem === '' ? null : (
        <Banner level="error" title="The file could not be read.">
          {sentence(text.problem)}
        </Banner>
      )}
      {text.isConflict ? (
        <Banner
          level="warning"
          title="The file changed on disk in the same places."
          action={
            <Button size="small" onClick={() => setComparing(true)}>
              Compare…
            </Button>
          }
        >
          Nothing was written; your text is kept. Look at the differences and say which text shall stand.
        </Banner>
      ) : null}
      {text.disk === null ? (
        text.problem === '' ? (
          <Skeleton label="Reading the file" className="flex-1 p-6" rows={8} />
        ) : null
      ) : (
        <Suspense fallback={<Skeleton label="Loading the editor" className="flex-1 p-6" rows={8} />}>
          <CodeEditor
            label={`Text of ${path}`}
            text={text.text}
            line={line}
            readOnly={locked !== ''}
            check={text.check}
            onSave={() => void text.save()}
            onChange={text.write}
            onLine={setAt}
            onWentToLine={() => show({ line: null })}
          />
        </Suspense>
      )}
      {isComparing && text.isConflict ? (
        <ConflictDialog
          name={name}
          disk={text.disk?.text ?? ''}
          mine={text.text}
          onMine={() => {
            setComparing(false);
            void text.save({ over: true });
          }}
          onDisk={() => {
            setComparing(false);
            text.discard();
          }}
          onClose={() => setComparing(false)}
        />
      ) : null}
      {repairing && file.state === 'broken' ? (
        <RepairDialog
          path={path}
          onClose={() => show({ repairing: false })}
          onWritten={() => {
            show({ repairing: false });
            text.discard();
            void text.reload();
          }}
        />
      ) : null}
    </section>
  );
}
