// A decision as a tree of plain nodes: the verdict, the seven steps, and below permission all that speaks of the call.
import type { Decision, DecisionReason, RuleRef } from '#shared/permissions/decision';
import { permissionModes } from '#shared/permissions/modes';
import { ruleSources } from '#shared/permissions/sources';
import type { NearMiss, RuleStanding, WhyRule, WhyTree } from '#shared/permissions/why';
import type { StepName } from '#shared/session/toolCall';
import { verdictOfDecision, verdictText } from '../chat/cards/verdict';
import { homePath } from '../frame/words';

/** One line of the tree. */
export interface WhyNode {
  /** Unique within the tree, the same as long as its place is. */
  readonly id: string;
  /** Shape and word before the title. */
  readonly verdict?: { readonly name: 'allow' | 'ask' | 'deny' | 'undetermined'; readonly word: string };
  /** What links verdict and title: "by", "because of". */
  readonly lead?: string;
  readonly title: string;
  /** The title is a rule, command or path. */
  readonly mono?: boolean;
  /** A word behind the title. */
  readonly mark?: string;
  /** Further lines, in words. */
  readonly notes: readonly string[];
  /** Where the rule stands; the line leads there. */
  readonly rule?: RuleRef;
  /** A rule that would have meant it. */
  readonly instead?: string;
  /** `strong`: the decision is its; `dim`: it had no part in it. */
  readonly weight: 'strong' | 'plain' | 'dim';
  readonly children: readonly WhyNode[];
  /** Whether its children are shown at first. */
  readonly open: boolean;
}

/** A step as a card, a trial or the past has it. */
export interface WhyStep {
  readonly step: StepName;
  readonly label: string;
  /** How it went, in a word or two. */
  readonly state: string;
  readonly detail: string;
  readonly stops: boolean;
}

export interface WhyOf {
  /** Null: the call did not come before the rules. */
  readonly decision: Decision | null;
  /** In place of the decision's own: an ask keeps it apart. */
  readonly why?: WhyTree | undefined;
  /** Left out: only the permission step is shown. */
  readonly steps?: readonly WhyStep[] | undefined;
}

const standings: Readonly<Record<RuleStanding, string>> = { wins: 'decides', helps: 'helps', loses: 'loses' };

const order = ['deny', 'ask', 'allow'] as const;

/** The tree's root. */
export function whyRoot({ decision, why = decision?.why, steps }: WhyOf): WhyNode {
  const branches = decision === null ? [] : branchesOf(decision, why);
  const children =
    steps === undefined
      ? branches
      : steps.map(({ step, label, state, detail, stops }): WhyNode => {
          const below = step === 'permission' ? branches : [];
          return {
            id: `step ${step}`,
            title: label,
            mark: state,
            notes: detail === '' ? [] : [detail],
            weight: stops ? 'strong' : state === 'not reached' ? 'dim' : 'plain',
            children: below,
            open: below.length > 0,
          };
        });
  if (decision === null)
    return {
      id: 'root',
      verdict: { name: 'undetermined', word: 'no verdict' },
      title: 'The call does not come before the rules.',
      notes: [],
      weight: 'plain',
      children,
      open: true,
    };
  return { ...verdictNode('root', decision), weight: 'plain', children, open: true };
}

/** The verdict with its reason, and the rule where it is one. */
function verdictNode(id: string, { behavior, reason }: Pick<Decision, 'behavior' | 'reason'>): WhyNode {
  const { word, link, rule, detail } = verdictOfDecision({ behavior, reason, parts: [] });
  return {
    id,
    verdict: { name: behavior, word },
    ...(link === '' || link === '·' ? {} : { lead: link }),
    ...(rule === null ? { title: detail } : { title: rule, mono: true }),
    notes: reasonNotes(reason),
    ...(reason.type === 'rule' ? { rule: reason.rule } : {}),
    weight: 'plain',
    children: [],
    open: false,
  };
}

/** What a verdict line has no room for: the meaning of a mode, what a hook's or model's word is worth. */
function reasonNotes(reason: DecisionReason): readonly string[] {
  if (reason.type === 'mode') return [permissionModes[reason.mode].meaning];
  if (reason.type === 'classifier')
    return [
      'A model judged this call, because neither a rule nor the mode decided it. Deny rules, ask rules and safety checks come before it.',
    ];
  if (reason.type === 'hook')
    return [
      'A hook gave this answer. What a hook allows lifts neither deny rules nor ask rules; the tab Trace has what the hook was told and what it said.',
    ];
  return [];
}

function branchesOf({ parts }: Decision, why: WhyTree | undefined): readonly WhyNode[] {
  const split = branch({
    id: 'parts',
    title: parts.length === 1 ? 'The call' : `${parts.length} parts, each with its own verdict`,
    open: true,
    children: parts.map((part, index) => {
      const { lead: _lead, ...node } = verdictNode(`part ${index}`, part);
      const verdict = verdictOfDecision({ ...part, parts: [] });
      const said = verdictText({ ...verdict, word: '', link: verdict.link === '·' ? '' : verdict.link });
      return { ...node, title: part.text, mono: true, notes: [said, ...node.notes] };
    }),
  });
  if (why === undefined) return split;
  const left: WhyNode[] =
    why.leftOut === 0 ? [] : [leaf({ id: 'left', title: `${why.leftOut} more entries are not shown.`, weight: 'dim' })];
  return [
    ...split,
    ...branch({
      id: 'gates',
      title: 'Checks above all allow rules',
      open: true,
      children: why.gates.map(({ check, detail, decides }) =>
        leaf({ id: `gate ${check}`, title: detail, ...(decides ? { mark: 'decides', weight: 'strong' } : {}) }),
      ),
    }),
    ...branch({
      id: 'doubts',
      title: 'Why no rule may allow the line as a whole',
      open: true,
      children: why.doubts.map((doubt, index) => leaf({ id: `doubt ${index}`, title: doubt, weight: 'strong' })),
    }),
    ...branch({ id: 'rules', title: 'Rules that fit', open: true, children: sorted(why.rules).map(ruleNode) }),
    ...branch({ id: 'near', title: 'Rules that nearly fit', open: true, children: why.nearMisses.map(missNode) }),
    ...branch({
      id: 'commands',
      title: 'Commands found',
      children: why.commands.map(({ text, nested, readOnly, note }, index) =>
        leaf({
          id: `command ${index}`,
          title: text,
          mono: true,
          mark: readOnly ? 'only reads' : '',
          notes: [[nested ? 'run by another command' : '', note].filter((one) => one !== '').join('; ')],
        }),
      ),
    }),
    ...branch({
      id: 'files',
      title: 'Files touched',
      children: why.files.map(({ given, real, access, inside, note }, index) =>
        leaf({
          id: `file ${index}`,
          title: real === null || real === given ? given : `${given} → ${real}`,
          mono: true,
          mark: inside || real === null ? access : `${access}, outside the folder`,
          notes: [note],
        }),
      ),
    }),
    ...branch({
      id: 'hosts',
      title: 'Hosts reached',
      children: why.hosts.map((host) => leaf({ id: `host ${host}`, title: host, mono: true })),
    }),
    ...branch({
      id: 'opinions',
      title: 'Said by others',
      children: why.opinions.map((opinion, index) => leaf({ id: `opinion ${index}`, title: opinion })),
    }),
    ...branch({ id: 'mode', title: 'Mode', children: [leaf({ id: 'mode note', title: why.modeNote })] }),
    ...left,
  ];
}

/** The winner first, then deny, ask, allow as they are looked at. */
function sorted(rules: readonly WhyRule[]): readonly WhyRule[] {
  const rank = ({ standing, rule }: WhyRule) => (standing === 'wins' ? -1 : order.indexOf(rule.behavior));
  return [...rules].sort((one, other) => rank(one) - rank(other));
}

function ruleNode({ rule, standing, parts, because }: WhyRule, index: number): WhyNode {
  return {
    ...leaf({ id: `rule ${index}`, title: rule.text, mono: true, mark: standings[standing] }),
    verdict: { name: rule.behavior, word: rule.behavior },
    notes: [parts.length === 0 ? '' : `fits ${parts.join(' | ')}`, because].filter((note) => note !== ''),
    rule,
    weight: standing === 'wins' ? 'strong' : 'plain',
  };
}

function missNode({ rule, part, because, instead }: NearMiss, index: number): WhyNode {
  return {
    ...leaf({ id: `near ${index}`, title: rule.text, mono: true, weight: 'dim' }),
    verdict: { name: rule.behavior, word: rule.behavior },
    notes: [`${part}: ${because}`],
    rule,
    ...(instead === undefined ? {} : { instead }),
  };
}

function branch(about: {
  readonly id: string;
  readonly title: string;
  readonly children: readonly WhyNode[];
  readonly open?: boolean;
}): readonly WhyNode[] {
  if (about.children.length === 0) return [];
  return [{ notes: [], weight: 'plain', open: false, ...about }];
}

function leaf(about: Pick<WhyNode, 'id' | 'title'> & Partial<WhyNode>): WhyNode {
  const { mark = '', notes = [], ...rest } = about;
  return {
    weight: 'plain',
    children: [],
    open: false,
    ...rest,
    ...(mark === '' ? {} : { mark }),
    notes: notes.filter((note) => note !== ''),
  };
}

/** `project · .claude/settings.json:21`, or where a rule in memory comes from; files of the project without its folder. */
export function placeOfRule(
  { source, file, line }: RuleRef,
  { folder, home }: { readonly folder: string; readonly home: string },
): string {
  const label = ruleSources[source].label;
  if (file === undefined) return `${label} · ${ruleSources[source].where}`;
  const inside = folder !== '' && file.startsWith(`${folder}/`);
  const path = inside ? file.slice(folder.length + 1) : homePath(file, home);
  return `${label} · ${path}${line === undefined ? '' : `:${line}`}`;
}

/** A node as it stands in the list of those that are in sight. */
export interface ShownNode {
  readonly node: WhyNode;
  readonly level: number;
  readonly place: number;
  readonly ofPlaces: number;
  readonly parent: string | null;
  readonly isOpen: boolean;
}

/** All nodes in sight, from top to bottom. `turned`: those that a person opened or closed. */
export function shownNodes(root: WhyNode, turned: ReadonlySet<string>): readonly ShownNode[] {
  const shown: ShownNode[] = [];
  const walk = (nodes: readonly WhyNode[], level: number, parent: string | null): void => {
    nodes.forEach((node, index) => {
      const isOpen = node.children.length > 0 && node.open !== turned.has(node.id);
      shown.push({ node, level, place: index + 1, ofPlaces: nodes.length, parent, isOpen });
      if (isOpen) walk(node.children, level + 1, node.id);
    });
  };
  walk([root], 1, null);
  return shown;
}
