import { FileText, FolderPlus, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { EffectivePolicy, SettingPlace } from '#shared/api/rules';
import { permissionModes } from '#shared/permissions/modes';
import { FileSource, type PermissionScalar, permissionScalars, type RuleEdit } from '#shared/permissions/ruleEdits';
import { ruleSources } from '#shared/permissions/sources';
import { host } from '../../../host/client';
import { useApp } from '../../../stores/app';
import { draftOf, editsOf, useRuleDraft } from '../../../stores/ruleDraft';
import { useRules } from '../../../stores/rules';
import { useRulesPage } from '../../../stores/rulesPage';
import { messageOf } from '../../../stores/toasts';
import { Banner } from '../../../ui/Banner';
import { Button } from '../../../ui/Button';
import { classes } from '../../../ui/classes';
import { IconButton } from '../../../ui/IconButton';
import { MiddleEllipsis } from '../../../ui/MiddleEllipsis';
import { Select } from '../../../ui/Select';
import { Skeleton } from '../../../ui/Skeleton';
import { TextField } from '../../../ui/TextField';
import { VisibleText } from '../../../ui/VisibleText';
import { useNow } from '../../frame/useNow';
import { age, counted, homePath, sentence } from '../../frame/words';
import { stage } from '../actions';

/** What is in force: which files were read and when, and which source gives each setting. */
export function PolicyView() {
  const sessionId = useRulesPage((page) => page.sessionId);
  const view = useRules((rules) => rules.view);
  const [policy, setPolicy] = useState<EffectivePolicy | null>(null);
  const [problem, setProblem] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view stands for the files' state.
  useEffect(() => {
    if (sessionId === null) return;
    let current = true;
    host()
      .call('rules.policy', { sessionId })
      .then(
        (found) => {
          if (current) setPolicy(found);
        },
        (error: unknown) => {
          if (current) setProblem(messageOf(error));
        },
      );
    return () => {
      current = false;
    };
  }, [sessionId, view]);
  if (problem !== '')
    return (
      <Banner level="error" title="What is in force could not be loaded.">
        {problem}
      </Banner>
    );
  if (policy === null) return <Skeleton label="Loading what is in force" className="flex-1 p-6" rows={8} />;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-4 py-4">
      <div className="mx-auto flex max-w-3xl flex-col gap-7">
        <Files policy={policy} />
        <Scalars policy={policy} />
        <Directories policy={policy} />
      </div>
    </div>
  );
}

function Part(props: { readonly title: string; readonly about: string; readonly children: ReactNode }) {
  return (
    <section aria-label={props.title}>
      <h2 className="font-semibold text-title">{props.title}</h2>
      <p className="mt-0.5 mb-2.5 text-muted">{props.about}</p>
      {props.children}
    </section>
  );
}

const states = { absent: 'none', read: 'in force', broken: 'broken', unreadable: 'unreadable', ignored: 'ignored' };

function Files({ policy }: { readonly policy: EffectivePolicy }) {
  const home = useApp((app) => app.hello?.home ?? '');
  const show = useRulesPage((page) => page.show);
  const now = useNow(60_000);
  return (
    <Part title="Files" about="Every file that is looked at, the strongest first. Changes count from the next call on.">
      <ul className="overflow-hidden rounded-card border border-line">
        {policy.files.map((file) => (
          <li key={`${file.source} ${file.path}`} className="border-line border-b px-3 py-2 last:border-b-0">
            <div className="flex min-w-0 items-center gap-3">
              <span className="w-16 shrink-0 font-semibold">{ruleSources[file.source].label}</span>
              <MiddleEllipsis text={homePath(file.path, home)} className="min-w-0 flex-1 font-mono text-mono" />
              <span
                className={classes(
                  'shrink-0',
                  file.state === 'read' ? 'text-allow' : file.state === 'absent' ? 'text-dim' : 'text-deny',
                )}
              >
                {states[file.state]}
              </span>
              <IconButton
                label={`Show the text of ${file.path}`}
                icon={FileText}
                size="small"
                onClick={() => show({ view: 'text', file: file.path, line: file.line ?? null })}
              />
            </div>
            {file.state === 'absent' ? null : (
              <p className="text-muted text-small">
                {counted(file.rules, 'rule')}
                {file.bytes === null ? '' : ` · ${counted(file.bytes, 'byte')}`}
                {file.readAt === null ? '' : ` · read ${ago(file.readAt, now)}`}
                {file.locked === '' ? '' : ` · ${file.locked}`}
              </p>
            )}
            {file.problem === '' ? null : <p className="text-ask text-small">{file.problem}</p>}
          </li>
        ))}
      </ul>
    </Part>
  );
}

function ago(at: number, now: number): string {
  const said = age(at, now);
  return said === 'now' ? 'just now' : /^\d+ [mh]$/.test(said) ? `${said} ago` : said;
}

const scalarWords: Readonly<Record<PermissionScalar, { readonly title: string; readonly about: string }>> = {
  defaultMode: { title: 'Default mode', about: 'The mode that new sessions start in.' },
  disableBypassPermissionsMode: {
    title: 'Bypass mode switched off',
    about: 'Any source that switches it off has the last word.',
  },
  disableAutoMode: { title: 'Auto mode switched off', about: 'Any source that switches it off has the last word.' },
};

function Scalars({ policy }: { readonly policy: EffectivePolicy }) {
  return (
    <Part title="Settings" about="Policy beats the command line, then --settings, local, project and user.">
      <div className="flex flex-col gap-4">
        {policy.scalars.map((scalar) => (
          <Scalar key={scalar.key} scalar={scalar} />
        ))}
      </div>
    </Part>
  );
}

const fileSources = FileSource.options.map((value) => ({ value, label: ruleSources[value].label }));

/** The changes that are not written yet. */
function useStagedEdits(): readonly RuleEdit[] {
  const sessionId = useRulesPage((page) => page.sessionId);
  return useRuleDraft((store) => editsOf(draftOf(store, sessionId)));
}

function Scalar({ scalar }: { readonly scalar: EffectivePolicy['scalars'][number] }) {
  const { key, effective, places } = scalar;
  const { title, about } = scalarWords[key];
  const [source, setSource] = useState<FileSource>('userSettings');
  const values = key === 'defaultMode' ? permissionScalars.defaultMode.options : ['disable'];
  const draft = useStagedEdits();
  const onDisk = places.find((place) => place.source === source)?.value ?? null;
  const staged = draft.findLast(
    (edit): edit is Extract<RuleEdit, { type: 'setScalar' }> =>
      edit.type === 'setScalar' && edit.source === source && edit.key === key,
  );
  const written = (staged === undefined ? onDisk : staged.value) ?? 'unset';
  return (
    <div className="rounded-card border border-line px-3 py-2.5">
      <div className="flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1">
          <p className="font-semibold">{title}</p>
          <p className="text-muted text-small">{about}</p>
        </div>
        <Select label={`${title}, in`} hideLabel value={source} options={fileSources} onChange={setSource} />
        <Select
          label={title}
          hideLabel
          className="w-44"
          value={written}
          options={[{ value: 'unset', label: 'not set' }, ...values.map((value) => ({ value, label: labelOf(value) }))]}
          onChange={(value) => stage([{ type: 'setScalar', source, key, value: value === 'unset' ? null : value }])}
        />
      </div>
      {staged === undefined || staged.value === onDisk ? null : (
        <p className="mt-1.5 text-accent text-small">
          Not saved yet: {onDisk === null ? 'not set' : labelOf(onDisk)} →{' '}
          {staged.value === null ? 'not set' : labelOf(staged.value)} in {ruleSources[source].label}
        </p>
      )}
      <p className="mt-1.5">
        {effective === null ? (
          <span className="text-muted">Nobody sets it.</span>
        ) : (
          <>
            Counts: <span className="font-semibold">{labelOf(effective.value)}</span>
            <span className="text-muted"> from {placeOf(effective)}</span>
          </>
        )}
      </p>
      {places
        .filter((place) => place.source !== effective?.source || place.file !== effective.file)
        .map((place) => (
          <p key={`${place.source} ${place.file}`} className="text-muted text-small">
            <span className="line-through">{labelOf(place.value)}</span> in {placeOf(place)}:{' '}
            {place.heldBack === '' ? 'a stronger source says something else.' : sentence(place.heldBack)}
          </p>
        ))}
    </div>
  );
}

function labelOf(value: string): string {
  return Object.hasOwn(permissionModes, value)
    ? permissionModes[permissionScalars.defaultMode.parse(value)].label
    : value;
}

function placeOf({ source, line }: SettingPlace): string {
  return `${ruleSources[source].label}${line === null ? '' : `, line ${line}`}`;
}

function Directories({ policy }: { readonly policy: EffectivePolicy }) {
  const [path, setPath] = useState('');
  const [source, setSource] = useState<FileSource>('localSettings');
  const draft = useStagedEdits();
  const added = draft.flatMap((edit) => (edit.type === 'addDirectory' ? [edit] : []));
  const isRemoved = (folder: SettingPlace) =>
    draft.some(
      (edit) => edit.type === 'removeDirectory' && edit.source === folder.source && edit.path === folder.value,
    );
  const add = () => {
    if (path.trim() === '') return;
    stage([{ type: 'addDirectory', source, path: path.trim() }]);
    setPath('');
  };
  return (
    <Part title="Additional folders" about="Folders beside the session’s own that count as inside.">
      {policy.directories.length + added.length === 0 ? (
        <p className="text-muted">There are none.</p>
      ) : (
        <ul className="overflow-hidden rounded-card border border-line">
          {policy.directories.map((folder) => (
            <Directory key={`${folder.source} ${folder.value}`} folder={folder} isRemoved={isRemoved(folder)} />
          ))}
          {added.map((folder) => (
            <li
              key={`${folder.source} ${folder.path}`}
              className="flex min-w-0 items-center gap-3 border-line border-b px-3 py-1.5 last:border-b-0"
            >
              <span className="min-w-0 flex-1 break-all font-mono text-mono">
                <VisibleText text={folder.path} />
              </span>
              <span className="shrink-0 text-accent text-small">
                new in {ruleSources[folder.source].label}, not saved
              </span>
            </li>
          ))}
        </ul>
      )}
      <form
        className="mt-2.5 flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <TextField
          label="Folder"
          hideLabel
          mono
          className="min-w-48 flex-1"
          placeholder="../shared or ~/library"
          value={path}
          onChange={setPath}
        />
        <Select label="Add to" hideLabel value={source} options={fileSources} onChange={setSource} />
        <Button type="submit" icon={FolderPlus} disabled={path.trim() === ''}>
          Add folder
        </Button>
      </form>
    </Part>
  );
}

interface DirectoryProps {
  readonly folder: EffectivePolicy['directories'][number];
  readonly isRemoved: boolean;
}

function Directory({ folder, isRemoved }: DirectoryProps) {
  const source = FileSource.safeParse(folder.source);
  return (
    <li className="flex min-w-0 items-center gap-3 border-line border-b px-3 py-1.5 last:border-b-0">
      <MiddleEllipsis
        text={folder.path}
        className={classes('min-w-0 flex-1 font-mono text-mono', isRemoved && 'text-muted line-through')}
      />
      <span className="shrink-0 text-muted text-small">
        {isRemoved ? <span className="text-removed">removed, not saved · </span> : null}
        {placeOf(folder)}
        {folder.heldBack === '' ? '' : ` · ${folder.heldBack}`}
      </span>
      {source.success && !isRemoved ? (
        <IconButton
          label={`Remove ${folder.value} from ${ruleSources[folder.source].label}`}
          icon={X}
          size="small"
          onClick={() => stage([{ type: 'removeDirectory', source: source.data, path: folder.value }])}
        />
      ) : null}
    </li>
  );
}
