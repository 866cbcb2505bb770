// The engine as the rest of the core sees it: facts, decision, suggestions, rule files.
import { join, resolve } from 'node:path';
import type { RulesView } from '#shared/api/permissions';
import type { RuleRef } from '#shared/permissions/decision';
import { PermissionMode } from '#shared/permissions/modes';
import { fail, ok } from '#shared/util/result';
import type { Log } from '../ports';
import { addedLines, addRules } from '../settings/settingsText';
import { createSettingsWriter, readIfThere } from '../settings/settingsWriter';
import { classifierTakesPart, classifyStatically } from './classifier';
import { type ExtraSource, type Sources, trustedFolder } from './combineSources';
import { compileSources, inEnginePaths, placeIn } from './compileSources';
import { decide } from './decide';
import { denialPattern } from './denials';
import { destructiveWarning } from './destructive';
import { effectivePolicy } from './effectivePolicy';
import type { Evaluation, PermissionEngine, PermissionRequest, PermissionSituation, ResolvedPath } from './engine';
import { explainDecision } from './explain';
import { gatherFacts, type Place, spellingsOf } from './facts';
import { diskView, type FileView } from './fileView';
import { listedRules } from './listedRules';
import { toEnginePath } from './paths';
import { applyPermissionUpdates, previewAddedRules } from './permissionUpdates';
import { createRuleDrafts } from './ruleDrafts';
import { createRuleEditor } from './ruleEditor';
import { ruleProblems } from './ruleProblems';
import { buildRuleSet, extendRuleSet, type SourcedRule } from './ruleSet';
import { ruleSpeaksOf } from './ruleSpeaksOf';
import { createRuleSteps } from './ruleSteps';
import { type FlagSettings, RuleStore } from './ruleStore';
import type { RuleSet } from './rules';
import { type CommandSandbox, confinementOf } from './sandboxed';
import { saveAnswer } from './saveAnswer';
import { SessionGuards } from './sessionGuards';
import { loadSecondParser } from './shell/treeSitter';
import { steeringFiles } from './steering';
import { suggestRules } from './suggest';
import { applySwitches } from './switches';
import { type FolderTrust, trustsAll } from './trust';

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
  /** What `--settings` gave, and the files of `--mcp-config`. */
  readonly flagSettings?: FlagSettings | null;
  readonly serverFiles?: readonly string[];
  /** Rules given at launch (`--allowedTools`, `--disallowedTools`, `--add-dir`). */
  readonly extraSources?: readonly ExtraSource[];
  /** Which folders may allow something by themselves; left out: all. */
  readonly trust?: FolderTrust;
  /** User id that policy files must belong to; left out: root, and on Windows nobody is asked. */
  readonly managedOwner?: number;
  /**
   * Why no model can judge calls, in words for people; empty where one can. Asked anew each time, for a session or for
   * any. Left out: there is none. Without one `auto` cannot be chosen.
   */
  readonly whyNoClassifier?: (sessionId: string | null) => string;
  /** Where the kept results of a session lie, which its Read may look at without asking; left out: nowhere. */
  readonly resultFolder?: (sessionId: string) => string | null;
  /** Epoch milliseconds; left out: the system's clock. */
  readonly now?: () => number;
  /** What a session's commands run in; left out: nobody knows. */
  readonly commandSandbox?: (sessionId: string) => CommandSandbox;
  /** The disk as the engine sees it; left out: the real one. */
  readonly view?: FileView;
}

const noClassifier = 'Auto needs a model that judges calls, and none is set up. Choose another mode.';

const onlyPolicy = 'The administrator lets only the rules of the policy count.';

/** Makes the engine. Files are read once a session is opened or a call is evaluated. */
export function createPermissionEngine(options: PermissionEngineOptions): PermissionEngine {
  const { paths, platform, log } = options;
  const view = options.view ?? diskView(platform);
  const now = options.now ?? (() => Date.now());
  const guards = new SessionGuards(now);
  const changes = new Set<(sessionId: string) => void>();
  const store = new RuleStore({
    home: paths.home,
    claudeConfig: paths.claudeConfig,
    managedSettings: paths.managedSettings,
    managedOwner: platform === 'win32' ? null : (options.managedOwner ?? 0),
    platform,
    flagSettings: options.flagSettings ?? null,
    extraSources: options.extraSources ?? [],
    trust: options.trust ?? trustsAll,
    now,
    onError: (what, error) => log.error(what, error),
  });
  const onWriting = store.noteWriting.bind(store);
  const writer = createSettingsWriter({ backups: join(paths.data, 'backups'), onWriting });
  /** Changes of settings files that somebody may still object to, by session and path. */
  const considered = new Map<string, Map<string, Promise<void>>>();
  const compiled = new Map<string, { readonly key: string; readonly rules: RuleSet }>();

  const sourcesOf = (sessionId: string, folder: string): Sources => {
    store.open(sessionId, folder);
    const sources = store.current(sessionId);
    if (sources === null) throw new Error(`Session ${sessionId} was opened and is not there.`);
    return sources;
  };

  const resultFolderOf = (sessionId: string): Pick<Place, 'resultFolder'> => {
    const folder = options.resultFolder?.(sessionId) ?? null;
    return folder === null ? {} : { resultFolder: toEnginePath(folder, platform) };
  };

  const host = { ...paths, platform, steering: steeringFiles(options) };

  const placeOf = (situation: PermissionSituation, sources: Sources): Place => ({
    ...placeIn({ sources, cwd: situation.cwd, host }),
    // A sub-agent's may be another checkout of the one that the rules are for.
    folder: toEnginePath(situation.folder, platform),
    ...resultFolderOf(situation.sessionId),
  });

  const rulesFor = (sessionId: string, sources: Sources, place: Place): RuleSet => {
    const key = `${sources.version} ${place.folder} ${place.cwd}`;
    const known = compiled.get(sessionId);
    if (known?.key === key) return known.rules;
    const rules = compileSources(sources, place, view);
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
    return extendRuleSet({ rules, more: inEnginePaths(more, platform), place, view });
  };

  const recovered = writer.recover().then(
    (left) => {
      if (left.length > 0) log.warn('settings files were left half changed; look at them', { files: left });
    },
    (error: unknown) => log.error('taking back a half written change of settings', error),
  );

  const ready = async (): Promise<void> => {
    await recovered;
    try {
      await loadSecondParser();
    } catch (error) {
      // Without the second opinion shell lines are put before a person.
      log.error('loading the second shell parser', error);
    }
  };

  const gather = (
    request: PermissionRequest,
    situation: PermissionSituation,
    sources = sourcesOf(situation.sessionId, situation.folder),
  ) => {
    const place = placeOf(situation, sources);
    const { own, original } = request;
    const before = original === undefined ? {} : { original: gatherFacts({ ...request, ...original }, place, view) };
    const facts = gatherFacts(request, place, view);
    const sandbox = options.commandSandbox?.(situation.sessionId) ?? null;
    const said = {
      ...before,
      own,
      confinement: confinementOf(request.facts, facts, sandbox),
      ...(request.hook === undefined ? {} : { hook: request.hook }),
      ...(request.answer === undefined ? {} : { answer: request.answer }),
    };
    return { sources, place, facts, said };
  };

  const whyNoClassifier = options.whyNoClassifier ?? (() => noClassifier);

  const modeAvailable = (
    mode: PermissionMode,
    sessionId: string | null,
    sources = () => (sessionId === null ? null : store.current(sessionId)),
  ) => {
    const no = (reason: string) => ({ available: false, reason });
    if (mode === 'auto') {
      // What nobody can change here comes first.
      if (sources()?.autoDisabled ?? store.modeDisabled('auto'))
        return no('A settings file has switched auto mode off.');
      const problem = whyNoClassifier(sessionId);
      if (problem !== '') return no(problem);
    }
    if (mode === 'bypassPermissions') {
      if (!options.allowBypass) return no('Bypass must be enabled when Gatehouse is started.');
      if (options.runsAsRoot) return no('Bypass is refused while Gatehouse runs as root.');
      if (sources()?.bypassDisabled ?? store.modeDisabled(mode)) return no('A settings file has switched bypass off.');
    }
    return { available: true, reason: '' };
  };

  /** A session may have been left in a mode that was taken away since. */
  const effectiveMode = (mode: PermissionMode, sessionId: string): PermissionMode =>
    modeAvailable(mode, sessionId, () => store.seen(sessionId)).available ? mode : 'default';

  const classifierProblem = (sessionId: string, sources: Sources): string => {
    if (sources.autoDisabled) return 'a settings file has switched it off';
    if (whyNoClassifier(sessionId) !== '') return 'no model that could judge calls is set up for this session';
    return guards.classifierPaused(sessionId) ? 'it has blocked so much that you are asked until you allow a call' : '';
  };

  const announce = (sessionId: string): void => {
    for (const listener of changes) listener(sessionId);
  };
  store.onChange(announce);

  const drafts = createRuleDrafts({ store, now });
  const editor = createRuleEditor({
    store,
    writer,
    steps: createRuleSteps({
      file: join(paths.data, 'rule-steps.json'),
      onError: (what, error) => log.error(what, error),
    }),
    managedOnly: onlyPolicy,
    now,
  });

  return {
    drafts,
    editor,

    policy(sessionId) {
      store.current(sessionId);
      const parts = store.parts(sessionId);
      return parts === null ? { files: [], scalars: [], directories: [] } : effectivePolicy(parts);
    },

    async evaluateWith(request, situation, sources) {
      await ready();
      const { place, facts, said } = gather(request, situation, sources);
      const mode = effectiveMode(situation.mode, situation.sessionId);
      const rules = compileSources(sources, place, view);
      const decided = applySwitches(decide({ facts, ...said, rules, mode }), facts, sources.switches);
      const waiting = sources.trust.waitingRules;
      const why = explainDecision({ decision: decided, facts, ...said, rules, mode, written: sources.rules, waiting });
      return { decision: { ...decided, why }, warning: destructiveWarning(facts) ?? '' };
    },

    async openSession(sessionId, folder) {
      store.open(sessionId, resolve(folder));
      // Who decides waits for it; who only opens does not.
      void ready();
    },

    closeSession(sessionId) {
      compiled.delete(sessionId);
      guards.forget(sessionId);
      store.close(sessionId).catch((error: unknown) => log.error('closing the watch on settings files', error));
    },

    async consider(sessionId, change) {
      store.holdBack(sessionId, change.path);
      const open = considered.get(sessionId) ?? new Map<string, Promise<void>>();
      considered.set(sessionId, open);
      const decide = async (): Promise<void> => {
        if (await change.objects()) return;
        // A newer change of the file is considered by itself.
        if (open.get(change.path) !== deciding) return;
        change.accepted();
        store.release(sessionId, change.path);
      };
      const deciding = decide();
      open.set(change.path, deciding);
      try {
        await deciding;
      } finally {
        if (open.get(change.path) === deciding) open.delete(change.path);
        if (open.size === 0) considered.delete(sessionId);
      }
    },

    async evaluate(request, situation): Promise<Evaluation> {
      await ready();
      let gathered = gather(request, situation);
      // The look at the files may have found a change that somebody objects to.
      const open = considered.get(situation.sessionId);
      if (open !== undefined) {
        await Promise.allSettled(open.values());
        gathered = gather(request, situation);
      }
      const { sources, place, facts, said } = gathered;
      const rules = rulesFor(situation.sessionId, sources, place);
      const mode = effectiveMode(situation.mode, situation.sessionId);
      const decided = applySwitches(decide({ facts, ...said, rules, mode }), facts, sources.switches);
      const pattern = denialPattern(facts, decided);
      const { sessionId, repeats = 1 } = situation;
      const guarded = guards.apply({ sessionId, decision: decided, mode, pattern, repeats });
      const waiting = sources.trust.waitingRules;
      const why = explainDecision({ decision: guarded, facts, ...said, rules, mode, written: sources.rules, waiting });
      const decision = { ...guarded, why };
      const warning = destructiveWarning(facts);
      const suggested = suggestRules({
        decision,
        facts,
        managedOnly: sources.managedOnly,
        folders: rules.allowFolders,
        homes: spellingsOf(place.home, view),
        wouldAllow: (texts) =>
          applySwitches(
            decide({
              facts,
              ...said,
              rules: withRules({ sources, place, situation, texts, source: 'localSettings' }),
              mode,
            }),
            facts,
            sources.switches,
          ).behavior === 'allow',
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
        pattern,
        confinement: said.confinement,
        ...(warning === undefined ? {} : { warning }),
        ...suggested,
      };
    },

    async preview({ rules, source, request, situation }) {
      await ready();
      const { sources, place, facts, said } = gather(request, situation);
      const ruleSet = withRules({ sources, place, situation, texts: rules, source });
      const mode = effectiveMode(situation.mode, situation.sessionId);
      const decided = decide({ facts, ...said, rules: ruleSet, mode });
      const decision = applySwitches(decided, facts, sources.switches);
      const wouldRun = decision.behavior === 'allow';
      const why = decision.reason.type === 'rule' ? `the rule ${decision.reason.rule.text} comes first` : null;
      const detail = 'detail' in decision.reason ? decision.reason.detail : null;
      const anchor =
        source === 'userSettings' && rules.some((rule) => /^(Read|Edit)\(\/(?!\/)/.test(rule))
          ? `in user settings a leading / starts at ${paths.claudeConfig}; write the whole path behind //`
          : null;
      const file = source === 'session' ? null : store.pathOf(situation.sessionId, source);
      const shown = {
        problems: sources.managedOnly ? [onlyPolicy] : ruleProblems(rules),
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

    saveRules: (saving) => saveAnswer(saving, { store, editor }),

    async removeRule(sessionId, rule) {
      const saved = await editor.save(sessionId, [{ type: 'remove', rule }]);
      return saved.ok ? ok(null) : fail(saved.error.message);
    },

    applyUpdates: (sessionId, updates) =>
      applyPermissionUpdates({ sessionId, updates, store, writer, managedOnly: onlyPolicy }),

    previewAdded: (sessionId, change) => previewAddedRules({ sessionId, change, store, managedOnly: onlyPolicy }),

    setTrust: (sessionId, trusted) => store.setTrust(sessionId, trusted),
    setCommandRules: (sessionId, rules) => store.setCommandRules(sessionId, rules),
    startTurn: (sessionId) => guards.startTurn(sessionId),
    endTurn: (sessionId) => store.endTurn(sessionId),
    countCall: (sessionId, call) => guards.countCall(sessionId, call),
    recordAllow: (sessionId) => guards.personAllowed(sessionId),
    recordClassifier: (sessionId, blocked) => guards.recordClassifier(sessionId, blocked),

    recordDenial(sessionId, pattern) {
      const block = guards.recordDenial(sessionId, pattern);
      if (block !== null) announce(sessionId);
      return block;
    },

    liftDenial(sessionId, pattern) {
      const lifted = guards.lift(sessionId, pattern);
      if (lifted) announce(sessionId);
      return lifted;
    },

    async classify(request, situation) {
      await ready();
      const { sessionId } = situation;
      const seen = sourcesOf(sessionId, situation.folder);
      const mode = effectiveMode(situation.mode, sessionId);
      if (!classifierTakesPart(mode, seen.descriptions)) return null;
      const { sources, place, facts, said } = gather(request, situation);
      const rules = rulesFor(sessionId, sources, place);
      const decided = applySwitches(decide({ facts, ...said, rules, mode }), facts, sources.switches);
      return {
        effect: classifyStatically(facts),
        descriptions: sources.descriptions,
        mode,
        open: decided.behavior === 'ask' && decided.reason.type === 'noRule',
        problem: classifierProblem(sessionId, sources),
      };
    },

    settings({ sessionId, folder }) {
      store.open(sessionId, resolve(folder));
      const settings = store.settings(sessionId);
      if (settings === null) throw new Error(`Session ${sessionId} was opened and is not there.`);
      return settings;
    },

    async speaksOf(rule, request, situation) {
      await ready();
      const { place, facts } = gather(request, situation);
      return ruleSpeaksOf(rule, facts, (text) => {
        const ref: RuleRef = { text, behavior: 'deny', source: 'session' };
        return buildRuleSet([{ ref, sourceFolder: null }], place, view);
      });
    },

    view(sessionId): RulesView {
      const sources = store.current(sessionId);
      const { rules, warnings } = listedRules(sources?.rules);
      const available = (mode: PermissionMode) => modeAvailable(mode, sessionId, () => sources);
      const modes = PermissionMode.options.map((mode) => ({ mode, ...available(mode) }));
      const folders = sources === null ? [] : [sources.folder, ...sources.additional];
      return {
        rules: [...rules],
        files: [...(sources?.files ?? [])],
        warnings: [...warnings],
        modes,
        folders,
        trust: sources?.trust ?? trustedFolder(''),
        denials: guards.blocks(sessionId),
        expiring: [...(sources?.expiring ?? [])],
        managedOnly: sources?.managedOnly ?? false,
      };
    },

    inForce: (sessionId) => listedRules(store.recent(sessionId)?.rules).rules,

    workingFolders(sessionId) {
      const sources = store.seen(sessionId);
      return sources === null ? [] : [sources.folder, ...sources.additional];
    },

    startingMode(sessionId) {
      const sources = store.current(sessionId);
      const mode = sources?.defaultMode ?? 'default';
      return sources === null ? 'default' : effectiveMode(mode, sessionId);
    },

    modeAvailable: (mode, sessionId) => modeAvailable(mode, sessionId ?? null),

    onChange(listener) {
      changes.add(listener);
      return () => changes.delete(listener);
    },

    async dispose() {
      changes.clear();
      await store.dispose();
    },
  };
}
