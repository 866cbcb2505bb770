// Drafts made on what is in force: the same loader and the same combination of sources as for files on disk.
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DraftedRule, DraftView, FileChange } from '#shared/api/rules';
import type { RuleDraft, RuleEdit } from '#shared/permissions/ruleEdits';
import { readNow } from '../settings/settingsWriter';
import { combineSources, type Sources } from './combineSources';
import type { Drafted, RuleDrafts } from './drafted';
import { allowedInFolder, type DraftFile, type DraftResult, makeDraft, stateKey } from './draftFiles';
import { type LoadedFile, withText } from './ruleFile';
import { ruleProblem } from './ruleInForce';
import type { SourcedRule } from './ruleSet';
import type { RuleStore, SessionParts } from './ruleStore';

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The files of a session that may be written, with their present texts. */
export function writableFiles(parts: SessionParts): readonly DraftFile[] {
  return parts.files.flatMap((file): DraftFile[] => {
    const { source, path } = file;
    if (source !== 'userSettings' && source !== 'projectSettings' && source !== 'localSettings') return [];
    const text = readNow(path);
    // What cannot be read cannot be changed without losing it.
    return text.ok ? [{ source, path, real: realOf(path), text: text.value }] : [];
  });
}

/** What would be loaded after a draft. A file that does not parse stays as it was loaded. */
function loadedWith(parts: SessionParts, made: DraftResult, before: readonly DraftFile[]): readonly LoadedFile[] {
  return parts.files.map((loaded) => {
    const after = made.files.find(({ path, source }) => path === loaded.path && source === loaded.source);
    const old = before.find(({ path, source }) => path === loaded.path && source === loaded.source);
    if (after === undefined || after.text === old?.text) return loaded;
    return withText(loaded, { text: after.text, sourceFolder: parts.anchorOf(loaded.source) }) ?? loaded;
  });
}

function combined(parts: SessionParts, files: readonly LoadedFile[], made: DraftResult): Sources {
  // What the person would save by the draft counts without trust, as it would afterwards.
  const saved = new Set(allowedInFolder(made.states));
  return combineSources({
    ...parts.combine,
    files: parts.inline === null ? files : [...files, parts.inline],
    own: made.own,
    hasWritten: (rule) => parts.combine.hasWritten(rule) || saved.has(rule),
  });
}

/** Folders whose sources are kept, with and without a draft. */
const maxOthers = 1_000;

const onlyPolicy = 'The administrator lets only the rules of the policy count.';

/** Why a rule that stands somewhere does not count; empty when it does. */
function heldBack(rule: SourcedRule, sources: Sources, counts: ReadonlySet<SourcedRule>): string {
  if (counts.has(rule)) {
    const problem = ruleProblem(rule.ref);
    return problem === null || problem.inForce ? '' : problem.problem;
  }
  if (sources.managedOnly) return onlyPolicy;
  const waits = sources.trust.waitingRules.some(
    ({ text, file, line }) => text === rule.ref.text && file === rule.ref.file && line === rule.ref.line,
  );
  if (waits) return 'It came with the folder and waits until you trust it.';
  return 'A policy file cannot be read, so nothing else may allow anything.';
}

function rulesOf(
  parts: SessionParts,
  files: readonly LoadedFile[],
  made: DraftResult,
  sources: Sources,
): readonly DraftedRule[] {
  const counts = new Set(sources.rules);
  const inFiles = (parts.inline === null ? files : [...files, parts.inline]).flatMap((file) => file.rules);
  const all = new Set([...sources.rules, ...inFiles, ...made.own.map(({ rule }) => rule)]);
  // Of equal rules in one file the last one is the one that was touched.
  const left = new Map(made.states);
  return [...all]
    .reverse()
    .map((rule): DraftedRule => {
      const key = stateKey(rule.ref);
      const state = left.get(key) ?? 'same';
      left.delete(key);
      return { rule: { ...rule.ref }, state, held: heldBack(rule, sources, counts) };
    })
    .reverse();
}

/** Makes drafts for the sessions of a store. `now` gives epoch milliseconds. */
export function createRuleDrafts(options: { readonly store: RuleStore; readonly now: () => number }): RuleDrafts {
  const { store, now } = options;
  const others = new Map<string, { readonly key: string; readonly sources: Sources }>();

  const draftOn = (parts: SessionParts, draft: RuleDraft): Drafted => {
    const before = draft.length === 0 ? [] : writableFiles(parts);
    const made = makeDraft({ files: before, own: parts.own, draft, now: now() });
    const files = loadedWith(parts, made, before);
    const sources = draft.length === 0 ? parts.sources : combined(parts, files, made);
    const changes = made.files.flatMap((file, at): FileChange[] => {
      const old = before[at]?.text ?? null;
      if (file.text === old) return [];
      const { source, path, text } = file;
      return [{ source, path, shared: source === 'projectSettings', before: old, after: text }];
    });
    const view: DraftView = {
      rules: [...rulesOf(parts, files, made, sources)],
      files: changes,
      problems: made.problems.map(({ edit, fault }) => ({ edit, problem: fault.message })),
    };
    return { sources, view };
  };

  return {
    async drafted({ sessionId, folder }, draft) {
      store.open(sessionId, resolve(folder));
      store.current(sessionId);
      const parts = store.parts(sessionId);
      if (parts === null) throw new Error(`Session ${sessionId} was opened and is not there.`);
      return draftOn(parts, draft);
    },

    async sourcesFor(folder, { sessionId, ownFolder, draft }) {
      const here = resolve(folder) === resolve(ownFolder);
      const parts = store.partsFor(resolve(folder), here ? sessionId : null);
      const counting = here ? draft : draft.flatMap(inUserFile);
      const key = JSON.stringify([parts.signatures, counting]);
      // Whoever replays asks for what is in force and for the draft in turn.
      const place = `${draft.length === 0 ? 'now' : 'then'} ${folder}`;
      const known = others.get(place);
      if (known?.key === key) return known.sources;
      const { sources } = draftOn(parts, counting);
      if (others.size >= maxOthers) others.clear();
      others.set(place, { key, sources });
      return sources;
    },
  };
}

/** What an edit does to the user's own file: all that reaches other folders. */
function inUserFile(edit: RuleEdit): RuleDraft {
  const user = 'userSettings';
  switch (edit.type) {
    case 'add':
    case 'setScalar':
    case 'addDirectory':
    case 'removeDirectory':
      return edit.source === user ? [edit] : [];
    case 'remove':
    case 'change':
      return edit.rule.source === user ? [edit] : [];
    case 'move':
    case 'copy': {
      const { rule, to, type } = edit;
      if (to === user) return [{ type: 'add', source: user, behavior: rule.behavior, text: rule.text }];
      return type === 'move' && rule.source === user ? [{ type: 'remove', rule }] : [];
    }
  }
}
