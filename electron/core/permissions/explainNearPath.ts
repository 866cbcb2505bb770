// Near misses of rules on files.
import { formatRule } from '#shared/permissions/rule';
import type { FileFact } from './callFacts';
import { type Miss, type NearContext, short } from './explainParts';
import { exceptionsOf } from './ruleIndex';
import { allowsFile, type CompiledRule, type RuleSet, stopsFile } from './rules';

function fits(
  rule: CompiledRule | null,
  file: FileFact,
  context: NearContext,
  rules: RuleSet = context.rules,
): boolean {
  if (rule === null) return false;
  return rule.ref.behavior === 'allow'
    ? allowsFile(rule, file, context.facts, rules)
    : stopsFile(rule, file, context.facts, rules);
}

const anchorWords: readonly (readonly [prefix: string, starts: string])[] = [
  ['//', 'the root of the file system'],
  ['~/', 'the home folder'],
  ['/', 'the folder of the rule’s source'],
];

function anchorOf(content: string, context: NearContext): string {
  const known = anchorWords.find(([prefix]) => content.startsWith(prefix));
  const [folder] = content.startsWith('/') ? context.rule.sourceFolders : context.rules.allowFolders;
  if (known?.[0] === '/') return `${known[1]}${folder === undefined ? '' : ` (${folder})`}`;
  return known?.[1] ?? `the working folder${folder === undefined ? '' : ` (${folder})`}`;
}

/** The same pattern under the other anchors. */
function otherAnchors(content: string): readonly string[] {
  const bare = content.replace(/^(\/\/|~\/|\/|(\.\/)+)/, '');
  return [`/${bare}`, `//${bare}`, `~/${bare}`, bare, `//**/${bare}`].filter((other) => other !== content);
}

function nearFile(file: FileFact, content: string, context: NearContext): Omit<Miss, 'part'> | null {
  const { rule, rules, changed, parsed } = context;
  const { behavior } = rule.ref;
  const as = (text: string) => formatRule({ tool: parsed.tool, content: text });

  if (file.personOnly && fits(rule, file, context))
    return { kind: 'unknownFile', because: 'It fits, but which file this is can only be judged by a person.' };
  if (parsed.tool === 'Read' && file.access === 'write' && fits(changed(content, 'Edit'), file, context))
    return {
      kind: 'access',
      because: 'Read rules say nothing about changing a file.',
      instead: formatRule({ tool: 'Edit', content }),
    };
  if (parsed.tool === 'Edit' && file.access === 'read' && fits(changed(content, 'Read'), file, context))
    return {
      kind: 'access',
      because: 'Edit rules say nothing about reading a file.',
      instead: formatRule({ tool: 'Read', content }),
    };
  if (behavior !== 'allow' && exceptionsOf(rules[behavior]).length > 0) {
    const own = rules[behavior].filter((other) => other.kind !== 'path' || !other.pattern.negated);
    if (fits(rule, file, context, { ...rules, [behavior]: own }))
      return { kind: 'exception', because: 'A later rule with ! in the same list takes this file out.' };
  }
  const [given] = file.spellings;
  if (behavior === 'allow' && given !== undefined && given !== file.real) {
    if (fits(rule, { ...file, real: given }, context))
      return { kind: 'link', because: `A link leads to ${short(file.real)}, and an allow rule must fit that too.` };
    if (fits(rule, { ...file, spellings: [file.real] }, context))
      return { kind: 'link', because: 'It fits where the link leads, and an allow rule must fit the link too.' };
  }
  if (behavior === 'allow') {
    // Deny rules ignore case already; the loose compilation shows whether case is all that differs.
    const loose: RuleSet = { ...rules, ignoreCase: true };
    const lower = changed(content.toLowerCase());
    const small = {
      ...file,
      spellings: file.spellings.map((path) => path.toLowerCase()),
      real: file.real.toLowerCase(),
    };
    if (fits(lower, small, context, loose))
      return { kind: 'case', because: 'Upper and lower case count in allow rules on this disk.' };
  }
  if (/^[^/~]/.test(content)) {
    const inner = `**/${content.replace(/^(\.\/)+/, '')}`;
    if (fits(changed(inner), file, context))
      return {
        kind: 'depth',
        because: 'In allow a folder pattern counts only directly below the working folder.',
        instead: as(inner),
      };
  }
  for (const other of otherAnchors(content)) {
    if (!fits(changed(other), file, context)) continue;
    return {
      kind: 'anchor',
      because: `The pattern starts at ${anchorOf(content, context)}; this file does not lie there.`,
      instead: other.startsWith('//**/') && file.real !== '' ? as(`/${file.real}`) : as(other),
    };
  }
  const deeper = content.replace(/(^|\/)\*$/, '$1**');
  if (deeper !== content && fits(changed(deeper), file, context))
    return { kind: 'wildcard', because: 'One star stays within one folder.', instead: as(deeper) };
  return null;
}

const literalsOfRules = new WeakMap<CompiledRule, readonly string[]>();

/** Texts of a pattern between its wildcards; every file that it nearly fits has them all in its path. */
function literals(rule: CompiledRule, content: string): readonly string[] {
  const known = literalsOfRules.get(rule);
  if (known !== undefined) return known;
  const found = content
    .normalize('NFC')
    .toLowerCase()
    .replace(/^!?(\/\/|~\/|\/|(\.\/)+)/, '')
    .split(/[*?[\]\\]+/)
    .map((text) => text.replace(/^\/+|\/+$/g, ''))
    .filter((text) => text !== '');
  literalsOfRules.set(rule, found);
  return found;
}

/** Why a rule on files misses the first file that it nearly fits. */
export function nearPath(context: NearContext): Miss | null {
  const content = context.parsed.content ?? '';
  const texts = literals(context.rule, content);
  for (const file of context.facts.files) {
    if (file.unknown !== null || file.nested) continue;
    const names = file.spellings.map((path) => path.normalize('NFC').toLowerCase());
    if (!texts.every((text) => names.some((name) => name.includes(text)))) continue;
    const miss = nearFile(file, content, context);
    if (miss !== null) return { part: short(file.given), ...miss };
  }
  return null;
}
