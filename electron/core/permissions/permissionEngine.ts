// The engine as the rest of the core sees it: facts, decision, suggestions, rule files.
import { join, resolve } from 'node:path';
import type { RulesView, RuleWarning } from '#shared/api/permissions';
import { examineRule } from '#shared/permissions/deadRules';
import type { RuleRef } from '#shared/permissions/decision';
import { PermissionMode } from '#shared/permissions/modes';
import { parseRule } from '#shared/permissions/rule';
import { ruleSources } from '#shared/permissions/sources';
import { fail, ok } from '#shared/util/result';
import type { Log } from '../ports';
import { addedLines, addRules, removeRuleText } from '../settings/settingsText';
import { createSettingsWriter, readIfThere } from '../settings/settingsWriter';
import { holdsCredential } from './credentials';
import { decide } from './decide';
import { destructiveWarning } from './destructive';
import type { Evaluation, PermissionEngine, PermissionRequest, PermissionSituation, ResolvedPath } from './engine';
import { gatherFacts, type Place, spellingsOf } from './facts';
import { diskView, type FileView } from './fileView';
import { toEnginePath } from './paths';
import { buildRuleSet, extendRuleSet, type SourcedRule } from './ruleSet';
import { type ExtraSource, RuleStore, type Sources } from './ruleStore';
import type { RuleSet } from './rules';
import { loadSecondParser } from './shell/treeSitter';
import { suggestRules } from './suggest';

export type { ExtraSource } from './ruleStore';

export interface PermissionEngineOptions {
  readonly paths: {
    readonly data: string;
    readonly home: string;
    readonly claudeConfig: string;
    readonly managedSettings: string;
    readonly privateFiles: readonly string[];
  };
  readonly platform: 'linux' | 'darwin' | 'win32' | 'other';
  readonly allowBypass: boolean;
  readonly runsAsRoot: boolean;
  readonly log: Log;
  /** Rules given at launch (`--settings`, `--allowedTools`) or by a command. */
  readonly extraSources?: readonly ExtraSource[];
  /** Whether a folder's project file may allow; left out: yes. */
  readonly isTrusted?: (folder: string) => boolean;
  /** The disk as the engine sees it; left out: the real one. */
  readonly view?: FileView;
}

/** Makes the engine. Files are read once a session is opened or a call is evaluated. */
export function createPermissionEngine(options: PermissionEngineOptions): PermissionEngine {
  const { paths, platform, log } = options;
  const view = options.view ?? diskView(platform);
  const ignoreCase = platform === 'win32' || platform === 'darwin';
  const writer = createSettingsWriter({ backups: join(paths.data, 'backups') });
  const store = new RuleStore({
    home: paths.home,
    claudeConfig: paths.claudeConfig,
    managedSettings: paths.managedSettings,
    platform,
    extraSources: options.extraSources ?? [],
    isTrusted: options.isTrusted ?? (() => true),
    onError: (what, error) => log.error(what, error),
  });
  const compiled = new Map<string, { readonly key: string; readonly rules: RuleSet }>();

  const sourcesOf = (sessionId: string, folder: string): Sources => {
    store.open(sessionId, folder);
    const sources = store.current(sessionId);
    if (sources === null) throw new Error(`Session ${sessionId} was opened and is not there.`);
    return sources;
  };

  const placeOf = (situation: PermissionSituation, sources: Sources): Place => {
    const engine = (path: string) => toEnginePath(path, platform);
    return {
      folder: engine(situation.folder),
      cwd: engine(situation.cwd),
      home: engine(paths.home),
      additional: sources.additional.map(engine),
      privateFiles: paths.privateFiles.map(engine),
      platform,
      ignoreCase,
    };
  };

  const inEnginePaths = (rules: readonly SourcedRule[]): readonly SourcedRule[] =>
    platform === 'win32'
      ? rules.map((rule) =>
          rule.sourceFolder === null ? rule : { ...rule, sourceFolder: toEnginePath(rule.sourceFolder, platform) },
        )
      : rules;

  const rulesFor = (sessionId: string, sources: Sources, place: Place): RuleSet => {
    const key = `${sources.version} ${place.folder} ${place.cwd}`;
    const known = compiled.get(sessionId);
    if (known?.key === key) return known.rules;
    const rules = buildRuleSet(inEnginePaths(sources.rules), place, view);
    compiled.set(sessionId, { key, rules });
    return rules;
  };

  const withRules = (given: {
    readonly sources: Sources;
    readonly place: Place;
    readonly situation: PermissionSituation;
    readonly texts: readonly string[];
    readonly source: RuleRef['source'];
  }): RuleSet => {
    const { sources, place, situation, texts, source } = given;
    const sourceFolder = source === 'userSettings' ? paths.claudeConfig : null;
    const more = texts.map((text): SourcedRule => ({ ref: { text, behavior: 'allow', source }, sourceFolder }));
    const rules = rulesFor(situation.sessionId, sources, place);
    return extendRuleSet({ rules, more: inEnginePaths(more), place, view });
  };

  const ready = async (): Promise<void> => {
    try {
      await loadSecondParser();
    } catch (error) {
      // Without the second opinion shell lines are put before a person.
      log.error('loading the second shell parser', error);
    }
  };

  const gather = (request: PermissionRequest, situation: PermissionSituation) => {
    const sources = sourcesOf(situation.sessionId, situation.folder);
    const place = placeOf(situation, sources);
    return { sources, place, facts: gatherFacts(request, place, view) };
  };

  const modeAvailable = (mode: PermissionMode, sources: Sources | null) => {
    if (mode === 'auto')
      return { available: false, reason: 'No classifier is set up, so it would ask like the default mode.' };
    if (mode !== 'bypassPermissions') return { available: true, reason: '' };
    if (!options.allowBypass) return { available: false, reason: 'Bypass must be enabled when Gatehouse is started.' };
    if (options.runsAsRoot) return { available: false, reason: 'Bypass is refused while Gatehouse runs as root.' };
    if (sources?.bypassDisabled ?? store.bypassDisabled())
      return { available: false, reason: 'A settings file has switched bypass off.' };
    return { available: true, reason: '' };
  };

  const ruleProblems = (rules: readonly string[]): readonly string[] =>
    rules.flatMap((rule) => {
      const parsed = parseRule(rule);
      if (!parsed.ok) return [`“${rule}”: ${parsed.error}`];
      if (rule.includes('\n')) return [`“${rule}”: a rule must be one line.`];
      if (holdsCredential(rule)) return [`A rule must not hold what looks like a key or password.`];
      const found = examineRule(rule, 'allow');
      if (found === null) return [];
      const instead = found.instead === undefined ? '' : ` Write ${found.instead}.`;
      return [`“${rule}”: ${found.problem}${instead}`];
    });

  const refused = (rules: readonly string[]): readonly string[] =>
    ruleProblems(
      rules.filter(
        (rule) =>
          !parseRule(rule).ok ||
          holdsCredential(rule) ||
          rule.includes('\n') ||
          examineRule(rule, 'allow')?.inForce === false,
      ),
    );

  return {
    async openSession(sessionId, folder) {
      store.open(sessionId, resolve(folder));
      await ready();
    },

    closeSession(sessionId) {
      compiled.delete(sessionId);
      store.close(sessionId).catch((error: unknown) => log.error('closing the watch on settings files', error));
    },

    async evaluate(request, situation): Promise<Evaluation> {
      await ready();
      const { sources, place, facts } = gather(request, situation);
      const rules = rulesFor(situation.sessionId, sources, place);
      const { mode } = situation;
      const { own } = request;
      const decision = decide({ facts, own, rules, mode });
      const warning = destructiveWarning(facts);
      const suggested = suggestRules({
        decision,
        facts,
        folders: rules.allowFolders,
        homes: spellingsOf(place.home, view),
        wouldAllow: (texts) =>
          decide({
            facts,
            own,
            rules: withRules({ sources, place, situation, texts, source: 'localSettings' }),
            mode,
          }).behavior === 'allow',
      });
      const resolved = facts.files
        .filter(
          (file) =>
            file.unknown === null &&
            (file.from !== 'argument' || view.kind(file.real) !== null || !file.inside || file.access === 'write'),
        )
        .map((file): ResolvedPath => ({ given: file.given, real: file.real, access: file.access }));
      return {
        decision,
        paths: [...new Map(resolved.map((path) => [`${path.access} ${path.given} ${path.real}`, path])).values()],
        hosts: facts.hosts,
        ...(warning === undefined ? {} : { warning }),
        ...suggested,
      };
    },

    async preview({ rules, source, request, situation }) {
      await ready();
      const { sources, place, facts } = gather(request, situation);
      const ruleSet = withRules({ sources, place, situation, texts: rules, source });
      const decision = decide({ facts, own: request.own, rules: ruleSet, mode: situation.mode });
      const wouldRun = decision.behavior === 'allow';
      const why = decision.reason.type === 'rule' ? `the rule ${decision.reason.rule.text} comes first` : null;
      const detail = 'detail' in decision.reason ? decision.reason.detail : null;
      const anchor =
        source === 'userSettings' && rules.some((rule) => /^(Read|Edit)\(\/(?!\/)/.test(rule))
          ? `in user settings a leading / starts at ${paths.claudeConfig}; write the whole path behind //`
          : null;
      const file = source === 'session' ? null : store.pathOf(situation.sessionId, source);
      const shown = {
        problems: ruleProblems(rules),
        wouldRun,
        stillBecause: wouldRun ? '' : (why ?? anchor ?? detail ?? `${decision.behavior} in ${situation.mode} mode`),
        file,
      };
      if (file === null) return { ...shown, addedLines: [] };
      const now = await readIfThere(file);
      const changed = now.ok ? addRules(now.value, 'allow', rules) : now;
      if (!changed.ok) return { ...shown, problems: [...shown.problems, changed.error], addedLines: [] };
      return { ...shown, addedLines: addedLines(now.ok ? now.value : null, changed.value) };
    },

    async saveRules({ sessionId, rules, source }) {
      const [problem] = refused(rules);
      if (problem !== undefined) return fail(`Nothing was saved. ${problem}`);
      if (source === 'session') {
        if (store.current(sessionId) === null) return fail('This session is not open any more. Open it again.');
        store.addSessionRules(sessionId, rules);
        return ok({ where: 'this session', file: null });
      }
      const path = store.pathOf(sessionId, source);
      if (path === null) return fail('This session is not open any more. Open it again.');
      const saved = await writer.change(path, (text) => addRules(text, 'allow', rules));
      if (!saved.ok) return saved;
      const found = store
        .current(sessionId)
        ?.rules.find((rule) => rule.ref.file === path && rule.ref.text === rules[0]);
      const line = found?.ref.line === undefined ? '' : `, line ${found.ref.line}`;
      return ok({ where: `${path}${line}`, file: path });
    },

    async removeRule(sessionId, rule) {
      const { label, editable } = ruleSources[rule.source];
      if (!editable) return fail(`Rules of ${label} cannot be changed here.`);
      if (rule.source === 'session')
        return store.removeSessionRule(sessionId, rule.text) ? ok(null) : fail('The rule is not there any more.');
      const path = rule.file ?? store.pathOf(sessionId, rule.source);
      if (path === null || path !== store.pathOf(sessionId, rule.source))
        return fail('This file does not belong to the session’s settings.');
      const changed = await writer.change(path, (text) => {
        const removed = removeRuleText(text ?? '{}', rule.behavior, rule.text);
        if (removed.ok) return removed;
        return fail(
          removed.error === 'gone' ? 'The rule is not there any more.' : 'The file is not valid JSON. Mend it first.',
        );
      });
      if (!changed.ok) return changed;
      store.current(sessionId);
      return ok(null);
    },

    view(sessionId): RulesView {
      const sources = store.current(sessionId);
      const rules = (sources?.rules ?? []).map((rule) => rule.ref);
      const warnings = rules.flatMap((rule): RuleWarning[] => {
        const found = examineRule(rule.text, rule.behavior);
        if (found === null) return [];
        const problem = found.inForce ? found.problem : `Not in force: ${found.problem}`;
        return [found.instead === undefined ? { rule, problem } : { rule, problem, instead: found.instead }];
      });
      const modes = PermissionMode.options.map((mode) => ({ mode, ...modeAvailable(mode, sources) }));
      const folders = sources === null ? [] : [sources.folder, ...sources.additional];
      return { rules, files: [...(sources?.files ?? [])], warnings, modes, folders };
    },

    startingMode(sessionId) {
      const sources = store.current(sessionId);
      const mode = sources?.defaultMode ?? 'default';
      return modeAvailable(mode, sources).available ? mode : 'default';
    },

    modeAvailable: (mode) => modeAvailable(mode, null),

    onChange: (listener) => store.onChange(listener),

    dispose: () => store.dispose(),
  };
}
