// A comparison of policies as text for terminals and as Markdown for pull requests.
import type { RuleRef } from '#shared/permissions/decision';
import { ruleSources } from '#shared/permissions/sources';
import { visibleText } from '../../tools/visibleText';
import type { Flip, PolicyDiff, RuleChange, SettingChange } from './diffPolicies';

function ruleLine(rule: RuleRef): string {
  return `${rule.behavior} ${visibleText(rule.text)}`;
}

function changeText({ kind, before, after }: RuleChange): string {
  if (before !== null && after !== null)
    return kind === 'moved'
      ? `> ${ruleLine(after)} (${ruleSources[before.source].label} to ${ruleSources[after.source].label})`
      : `~ ${visibleText(after.text)}: ${before.behavior} to ${after.behavior}`;
  if (after !== null) return `+ ${ruleLine(after)}`;
  return before === null ? '' : `- ${ruleLine(before)}`;
}

function settingText({ name, before, after }: SettingChange): string {
  if (before === '') return `+ ${name}: ${visibleText(after)}`;
  if (after === '') return `- ${name}: ${visibleText(before)}`;
  return `~ ${name}: ${before} to ${after}`;
}

function headline(diff: PolicyDiff): string {
  const looser = diff.flips.filter((flip) => flip.looser);
  const allowed = looser.filter((flip) => flip.after === 'allow').length;
  const stricter = diff.flips.length - looser.length;
  if (diff.rules.length === 0 && diff.settings.length === 0 && diff.flips.length === 0)
    return 'Nothing about permissions changes.';
  const parts = [
    `${looser.length} of ${diff.probes} dangerous calls become more permissive`,
    ...(allowed === 0 ? [] : [`${allowed} of them run without asking`]),
    `${stricter} become stricter`,
  ];
  return `${parts.join(', ')}.`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}

/** For a terminal. */
export function diffAsText(diff: PolicyDiff): string {
  const flip = ({ line, before, after, because, danger }: Flip): string =>
    `${before} to ${after}: ${line}   (${danger}; ${visibleText(because)})`;
  return [
    headline(diff),
    ...section('More permissive', diff.flips.filter((one) => one.looser).map(flip)),
    ...section('Stricter', diff.flips.filter((one) => !one.looser).map(flip)),
    ...section('Rules', diff.rules.map(changeText)),
    ...section('Settings', diff.settings.map(settingText)),
  ].join('\n');
}

/** Code in a Markdown table: a text of the repository may hold anything. */
function code(text: string): string {
  const shown = visibleText(text).replaceAll('|', '\\|');
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `\`${shown}\`` : `${fence} ${shown} ${fence}`;
}

/** For a comment on a pull request. */
export function diffAsMarkdown(diff: PolicyDiff): string {
  const table = (flips: readonly Flip[]): readonly string[] => [
    '| call | before | after | because |',
    '|---|---|---|---|',
    ...flips.map(
      ({ line, before, after, because, danger }) =>
        `| ${code(line)} (${danger}) | ${before} | **${after}** | ${code(because)} |`,
    ),
  ];
  const looser = diff.flips.filter((one) => one.looser);
  const stricter = diff.flips.filter((one) => !one.looser);
  const changes = [...diff.rules.map(changeText), ...diff.settings.map(settingText)];
  return [
    '### Permissions',
    '',
    headline(diff),
    ...(looser.length === 0 ? [] : ['', '**More permissive**', '', ...table(looser)]),
    ...(stricter.length === 0
      ? []
      : ['', `<details><summary>${stricter.length} stricter</summary>`, '', ...table(stricter), '', '</details>']),
    ...(changes.length === 0 ? [] : ['', '**Changes**', '', ...changes.map((line) => `- ${code(line)}`)]),
    '',
  ].join('\n');
}
