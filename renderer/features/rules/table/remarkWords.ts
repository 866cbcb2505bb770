// What a check says of a rule, in the few words that a cell of the table has room for. The whole remark is in the details.
import type { LintFinding, LintKind } from '#shared/api/rules';
import { ruleSources } from '#shared/permissions/sources';

const words: Readonly<Record<LintKind, string>> = {
  syntax: 'not a rule',
  unknownTool: 'no such tool',
  neverConsulted: 'never consulted',
  shadowedByDeny: 'denied',
  shadowedByAsk: 'asks',
  subsumed: 'covered',
  duplicate: 'said twice',
  wrongAnchor: 'means another folder',
  wordBoundary: 'matches longer words too',
  misplacedColonStar: ':* counts only at the end',
  overBroad: 'very broad',
  wrapperNotStripped: 'a wrapper, not its command',
  denyWalkedRound: 'can be walked round',
  redirect: 'its redirect is judged apart',
  multiLine: 'several lines',
  credential: 'holds a credential',
  invisibleCharacters: 'invisible characters',
  missingPath: 'path does not exist',
  neverUsed: 'never used',
  needsTrust: 'waits for trust',
  managedOnly: 'void by policy',
  localNotIgnored: 'its file is not ignored by git',
  notStrictJson: 'not strict JSON',
  platform: 'differs between platforms',
  unknownMcpServer: 'server not configured',
};

/** Kinds that are about another rule, with the word that leads to it. */
const about: Readonly<Partial<Record<LintKind, string>>> = {
  shadowedByDeny: 'denied by',
  shadowedByAsk: 'asks by',
  subsumed: 'covered by',
  duplicate: 'same as',
};

/** `covered by Bash(git *) in user:11`, `never consulted: use Edit(/docs/**)`, `very broad: better ask`. */
export function shortRemark({ kind, other, fix }: LintFinding): string {
  const leads = about[kind];
  if (leads !== undefined && other !== null) {
    const line = other.line === undefined ? '' : `:${other.line}`;
    return `${leads} ${other.text} in ${ruleSources[other.source].label}${line}`;
  }
  const [edit, ...more] = fix?.edits ?? [];
  if (edit?.type !== 'change' || more.length > 0) return words[kind];
  return edit.text === edit.rule.text ? `${words[kind]}: better ${edit.behavior}` : `${words[kind]}: use ${edit.text}`;
}
