// Makes a draft on the texts of settings files and on the rules of a session. Pure: nothing is read or written.
import type { DraftedRule } from '#shared/api/rules';
import { type FileSource, permissionScalars, type RuleDraft, type RuleEdit } from '#shared/permissions/ruleEdits';
import type { Behavior, RuleRef } from '#shared/permissions/ruleRef';
import { type RuleSource, ruleSources, type SavableSource } from '#shared/permissions/sources';
import type { RuleLifetime } from '#shared/session/ask';
import { fail, ok, type Result } from '#shared/util/result';
import { type EditFault, editSettings, type SettingsEdit } from '../settings/settingsEdits';
import type { OwnRule } from './combineSources';
import { savingProblems } from './ruleProblems';

/** A settings file that may be written, as far as a draft has come. */
export interface DraftFile {
  readonly source: FileSource;
  readonly path: string;
  /** Where it lies with links followed: two sources may be one file, as in a person's home folder. */
  readonly real: string;
  readonly text: string | null;
}

/** How a rule came to stand where it stands; rules that are not named stand as they stood. */
export type RuleStates = ReadonlyMap<string, Exclude<DraftedRule['state'], 'same'>>;

export interface DraftResult {
  readonly files: readonly DraftFile[];
  readonly own: readonly OwnRule[];
  readonly states: RuleStates;
  readonly problems: readonly { readonly edit: number; readonly fault: EditFault }[];
}

/** Tells rules apart by what they say and where. */
export function stateKey(rule: Pick<RuleRef, 'source' | 'behavior' | 'text'>): string {
  return `${rule.source} ${rule.behavior} ${rule.text}`;
}

/** Allow rules that a draft puts into the folder's own files: the person has written them, so they count without trust. */
export function allowedInFolder(states: RuleStates): readonly string[] {
  return [...states.keys()].flatMap((key) => {
    const [source, behavior, ...text] = key.split(' ');
    const inFolder = source === 'projectSettings' || source === 'localSettings';
    return inFolder && behavior === 'allow' ? [text.join(' ')] : [];
  });
}

/** When a rule of a session ends: epoch milliseconds, the end of the turn, or never. */
export function endOf(lifetime: RuleLifetime, now: number): OwnRule['until'] {
  switch (lifetime) {
    case 'session':
      return null;
    case 'turn':
      return 'turn';
    case 'hour':
      return now + 3_600_000;
    case 'quarterHour':
      return now + 900_000;
  }
}

interface Work {
  files: readonly DraftFile[];
  own: readonly OwnRule[];
  readonly states: Map<string, Exclude<DraftedRule['state'], 'same'>>;
  readonly now: number;
}

/** Makes one edit after the other. One that cannot be made is named and changes nothing. `now` is epoch milliseconds. */
export function makeDraft(options: {
  readonly files: readonly DraftFile[];
  readonly own: readonly OwnRule[];
  readonly draft: RuleDraft;
  readonly now: number;
}): DraftResult {
  const { files, own, draft, now } = options;
  const problems: { edit: number; fault: EditFault }[] = [];
  let work: Work = { files, own, states: new Map(), now };
  for (const [edit, change] of draft.entries()) {
    const states = new Map(work.states);
    const made = makeEdit({ ...work, states }, change);
    if (made.ok) work = { ...made.value, states };
    else problems.push({ edit, fault: made.error });
  }
  return { files: work.files, own: work.own, states: work.states, problems };
}

type Made = Result<Work, EditFault>;

function makeEdit(work: Work, edit: RuleEdit): Made {
  switch (edit.type) {
    case 'add':
      return note(add(work, edit), edit, 'added');
    case 'remove':
      return forget(remove(work, edit.rule), edit.rule);
    case 'change':
      return change(work, edit);
    case 'move': {
      const { rule, to } = edit;
      if (rule.source === to) return ok(work);
      if (isOneFile(work, rule.source, to))
        return refused(`${ruleSources[rule.source].label} and ${ruleSources[to].label} are one file here.`);
      const added = add(work, { source: to, behavior: rule.behavior, text: rule.text });
      const before = work.states.get(stateKey(rule));
      const moved = added.ok ? forget(remove(added.value, rule), rule) : added;
      return note(moved, { ...rule, source: to }, before === 'added' ? 'added' : 'moved');
    }
    case 'copy':
      return note(
        add(work, { source: edit.to, behavior: edit.rule.behavior, text: edit.rule.text }),
        { ...edit.rule, source: edit.to },
        'added',
      );
    case 'setScalar':
      if (edit.value !== null && !permissionScalars[edit.key].safeParse(edit.value).success)
        return refused(`“${edit.value}” is not a value that ${edit.key} may have.`);
      return inFile(work, edit.source, { type: 'setScalar', key: edit.key, value: edit.value });
    case 'addDirectory':
    case 'removeDirectory':
      return inFile(work, edit.source, { type: edit.type, path: edit.path });
  }
}

function note(
  made: Made,
  rule: Pick<RuleRef, 'source' | 'behavior' | 'text'>,
  state: Exclude<DraftedRule['state'], 'same'>,
): Made {
  if (made.ok) made.value.states.set(stateKey(rule), state);
  return made;
}

function forget(made: Made, rule: RuleRef): Made {
  if (made.ok) made.value.states.delete(stateKey(rule));
  return made;
}

function refused(message: string): Result<never, EditFault> {
  return fail({ kind: 'broken', message });
}

interface NewRule {
  readonly source: SavableSource;
  readonly behavior: Behavior;
  readonly text: string;
  readonly lifetime?: RuleLifetime | undefined;
}

function add(work: Work, { source, behavior, text, lifetime = 'session' }: NewRule): Made {
  const [problem] = savingProblems([text], behavior);
  if (problem !== undefined) return refused(problem);
  if (source !== 'session') return inFile(work, source, { type: 'add', behavior, rule: text });
  const fresh: OwnRule = {
    rule: { ref: { text, behavior, source }, sourceFolder: null },
    until: endOf(lifetime, work.now),
  };
  return ok({ ...work, own: [...work.own.filter(({ rule }) => !isRule(rule.ref, fresh.rule.ref)), fresh] });
}

function isRule(one: RuleRef, other: Pick<RuleRef, 'behavior' | 'text'>): boolean {
  return one.behavior === other.behavior && one.text === other.text;
}

function remove(work: Work, rule: RuleRef): Made {
  if (rule.source === 'session') {
    const own = work.own.filter((one) => !isRule(one.rule.ref, rule));
    if (own.length === work.own.length) return gone(`${rule.text} is not among the session’s rules any more.`);
    return ok({ ...work, own });
  }
  const { behavior, text, line } = rule;
  if (isElsewhere(work, rule)) return refused('This file does not belong to the session’s settings.');
  return inFile(work, rule.source, { type: 'remove', behavior, rule: text, line });
}

function isElsewhere(work: Work, { source, file }: RuleRef): boolean {
  const meant = work.files.find((one) => one.source === source);
  return file !== undefined && meant !== undefined && meant.path !== file;
}

function isOneFile(work: Work, one: RuleSource, other: RuleSource): boolean {
  const [a, b] = [one, other].map((source) => work.files.find((file) => file.source === source)?.real);
  return a !== undefined && a === b;
}

function gone(message: string): Result<never, EditFault> {
  return fail({ kind: 'gone', message });
}

function change(work: Work, edit: Extract<RuleEdit, { readonly type: 'change' }>): Made {
  const { rule, behavior, text } = edit;
  const to = { source: rule.source, behavior, text };
  const state = work.states.get(stateKey(rule)) ?? 'changed';
  const [problem] = savingProblems([text], behavior);
  if (problem !== undefined) return refused(problem);
  if (isElsewhere(work, rule)) return refused('This file does not belong to the session’s settings.');
  if (rule.source !== 'session') {
    const { line } = rule;
    const changed = inFile(work, rule.source, {
      type: 'change',
      behavior: rule.behavior,
      rule: rule.text,
      line,
      to: { behavior, rule: text },
    });
    return note(forget(changed, rule), to, state);
  }
  const known = work.own.find((one) => isRule(one.rule.ref, rule));
  if (known === undefined) return gone(`${rule.text} is not among the session’s rules any more.`);
  const fresh: OwnRule = { ...known, rule: { ...known.rule, ref: { ...known.rule.ref, behavior, text } } };
  const own = work.own.map((one) => (one === known ? fresh : one));
  return note(forget(ok({ ...work, own }), rule), to, state);
}

function inFile(work: Work, source: RuleSource, edit: SettingsEdit): Made {
  const file = work.files.find((one) => one.source === source);
  if (file === undefined) return refused(`Rules of ${ruleSources[source].label} cannot be changed here.`);
  const edited = editSettings(file.text, edit);
  if (!edited.ok) return fail({ ...edited.error, message: `${file.path}: ${edited.error.message}` });
  const files = work.files.map((one) => (one.real === file.real ? { ...one, text: edited.value } : one));
  return ok({ ...work, files });
}
