import { FileText, FlaskConical } from 'lucide-react';
import { parseRule } from '#shared/permissions/rule';
import { ruleSources, SavableSource } from '#shared/permissions/sources';
import { useApp } from '../../../stores/app';
import { draftOf, editsOf, useRuleDraft } from '../../../stores/ruleDraft';
import { useRulesPage } from '../../../stores/rulesPage';
import { Button } from '../../../ui/Button';
import { Menu, MenuItem } from '../../../ui/Menu';
import { Verdict } from '../../../ui/Verdict';
import { VisibleText } from '../../../ui/VisibleText';
import { Hint } from '../../chat/inspector/Hint';
import { useNow } from '../../frame/useNow';
import { age, counted, homePath, sentence } from '../../frame/words';
import { Remark } from '../lab/Remark';
import { moveRules, removeRules, savableSources } from '../ruleActions';
import type { RuleRow } from '../table/rows';
import { focusRules } from '../table/rulesGrid';
import { NoteField } from './NoteField';
import { RuleForm } from './RuleForm';

const stateWords = { added: 'New', changed: 'Changed', moved: 'Moved here', removed: 'Taken out' };

/** Everything about the rule of a row, and the form that changes it. */
export function RuleDetail({ row }: { readonly row: RuleRow | undefined }) {
  const writing = useRulesPage((page) => page.writing);
  const show = useRulesPage((page) => page.show);
  const home = useApp((app) => app.hello?.home ?? '');
  const now = useNow(60_000);
  const editing = useRulesPage((page) => page.editing);
  const drop = useRuleDraft((store) => store.drop);
  const sessionId = useRulesPage((page) => page.sessionId);
  const draft = useRuleDraft((store) => editsOf(draftOf(store, sessionId)));
  if (writing !== null)
    return (
      <>
        <h2 className="px-4 pt-3.5 font-semibold text-title">New rule</h2>
        <RuleForm
          key={`${writing.behavior} ${writing.text} ${writing.source}`}
          rule={null}
          start={writing}
          onDone={(made) => {
            show({ writing: null, active: made });
            focusRules();
          }}
        />
      </>
    );
  if (row === undefined)
    return (
      <Hint title="Choose a rule">
        What it matches, where it stands and what the checks say shows here. Deny beats ask beats allow, wherever a rule
        stands.
      </Hint>
    );
  const { rule, locked, held, findings, matched, lastUsed, state } = row;
  const source = SavableSource.safeParse(rule.source);
  if (editing && source.success && locked === '' && state !== 'removed')
    return (
      <>
        <h2 className="px-4 pt-3.5 font-semibold text-title">Edit rule</h2>
        <RuleForm
          key={row.key}
          rule={rule}
          start={{ behavior: rule.behavior, text: rule.text, source: source.data }}
          onDone={(made) => {
            show({ editing: false, active: made ?? row.key });
            focusRules();
          }}
        />
      </>
    );
  const removal =
    state === 'removed'
      ? draft.findLastIndex(
          (edit) => edit.type === 'remove' && edit.rule.text === rule.text && edit.rule.source === rule.source,
        )
      : -1;
  const place = rule.file === undefined ? ruleSources[rule.source].where : homePath(rule.file, home);
  return (
    <div className="flex flex-col gap-4 px-4 py-3.5">
      <div>
        <Verdict verdict={rule.behavior} />
        <code className="mt-1.5 block whitespace-pre-wrap break-words font-mono text-mono">
          <VisibleText text={rule.text} />
        </code>
        <p className="mt-1.5 break-words font-mono text-dim text-mono">
          {place}
          {rule.line === undefined ? '' : `:${rule.line}`}
        </p>
      </div>
      {held === '' ? null : <p className="rounded-control bg-ask-tint px-3 py-2">Does not count. {sentence(held)}</p>}
      {locked === '' ? null : <p className="rounded-control bg-panel px-3 py-2 text-muted">{locked}</p>}
      {state === 'same' ? null : (
        <p className="text-accent">
          {stateWords[state]} by an unsaved change.
          {removal === -1 || sessionId === null ? null : (
            <Button size="small" className="ml-2" onClick={() => drop(sessionId, removal)}>
              Keep it
            </Button>
          )}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {locked === '' && state !== 'removed' ? (
          <>
            <Button size="small" variant="primary" onClick={() => show({ editing: true })}>
              Edit
            </Button>
            <Button size="small" variant="danger" onClick={() => removeRules([row])}>
              {rule.source === 'session' ? 'Revoke' : 'Remove'}
            </Button>
          </>
        ) : null}
        {locked === '' && state !== 'removed' && rule.source !== 'session' ? (
          <Menu label="Move to" trigger={<Button size="small">Move to…</Button>}>
            {savableSources
              .filter(({ value }) => value !== rule.source)
              .map(({ value, label }) => (
                <MenuItem key={value} onSelect={() => moveRules([row], value, 'move')}>
                  {label}
                </MenuItem>
              ))}
          </Menu>
        ) : null}
        <Menu
          label="Copy to"
          trigger={<Button size="small">{rule.source === 'session' ? 'Promote to…' : 'Copy to…'}</Button>}
        >
          {savableSources
            .filter(({ value }) => value !== rule.source)
            .map(({ value, label }) => (
              <MenuItem
                key={value}
                onSelect={() => moveRules([row], value, rule.source === 'session' ? 'move' : 'copy')}
              >
                {label}
              </MenuItem>
            ))}
        </Menu>
        <Button size="small" icon={FlaskConical} onClick={() => show({ tab: 'try', tried: sampleOf(rule.text) })}>
          Try it
        </Button>
        {rule.file === undefined ? null : (
          <Button
            size="small"
            icon={FileText}
            onClick={() => show({ view: 'text', file: rule.file ?? null, line: rule.line ?? null })}
          >
            Show in file
          </Button>
        )}
      </div>
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1">
        <dt className="text-muted">Matched</dt>
        <dd>{matched === null ? 'not known yet' : `${counted(matched, 'call')} in 30 days`}</dd>
        <dt className="text-muted">Last used</dt>
        <dd>{lastUsed === null ? 'never' : age(lastUsed, now)}</dd>
      </dl>
      {findings.length === 0 ? null : (
        <section aria-label="Checks" className="flex flex-col gap-2">
          <h3 className="font-semibold text-head text-muted">Checks</h3>
          {findings.map((finding) => (
            <Remark key={`${finding.kind} ${finding.message}`} finding={finding} />
          ))}
        </section>
      )}
      <NoteField key={rule.text} rule={rule} note={row.note} />
    </div>
  );
}

/** A call that a rule is about, to start trying with. */
function sampleOf(text: string): string {
  const parsed = parseRule(text);
  if (!parsed.ok) return text;
  const { tool, content } = parsed.value;
  if (content === null) return tool;
  if (tool === 'Bash') return content.replace(/:\*$/, '').replaceAll('*', '').trim();
  return `${tool} ${content
    .replace(/^domain:/, 'https://')
    .replaceAll('**', 'a')
    .replaceAll('*', 'a')}`;
}
