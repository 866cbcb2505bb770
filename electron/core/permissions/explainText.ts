// A decision in words: a tree for people, one short paragraph for the model.
import {
  type Decision,
  describeReason,
  describeRule,
  type PartVerdict,
  type RuleRef,
} from '#shared/permissions/decision';
import { isBare, parseRule } from '#shared/permissions/rule';
import { ruleSources } from '#shared/permissions/sources';
import type { NearMiss, RuleStanding, WhyTree } from '#shared/permissions/why';

interface Node {
  readonly text: string;
  readonly children?: readonly Node[];
}

/** Control and invisible characters by their number, so that a command cannot paint over what is said about it. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) =>
    char === '\n' ? char : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

function draw(nodes: readonly Node[], indent: string): readonly string[] {
  return nodes.flatMap((node, index) => {
    const last = index === nodes.length - 1;
    const inner = `${indent}${last ? '   ' : '│  '}`;
    const [first = '', ...more] = visible(node.text).split('\n');
    const bar = (node.children ?? []).length > 0 ? '│  ' : '   ';
    return [
      `${indent}${last ? '└─ ' : '├─ '}${first}`,
      ...more.map((line) => `${inner}${bar}${line}`),
      ...draw(node.children ?? [], inner),
    ];
  });
}

function placeOf(rule: RuleRef): string {
  if (rule.file === undefined) return `${ruleSources[rule.source].label} (${ruleSources[rule.source].where})`;
  return `${ruleSources[rule.source].label}, ${rule.file}${rule.line === undefined ? '' : `:${rule.line}`}`;
}

const partWords: Readonly<Record<PartVerdict['kind'], string>> = {
  command: 'run',
  read: 'read',
  write: 'write',
  host: 'fetch from',
  tool: 'use',
};

function reasonText(behavior: Decision['behavior'], reason: Decision['reason']): string {
  const words = describeReason(reason);
  switch (reason.type) {
    case 'rule':
      return `${behavior === 'ask' ? 'because of' : 'by'} the rule ${reason.rule.text} · ${placeOf(reason.rule)}`;
    case 'mode':
      return `${behavior === 'ask' ? 'because of' : 'by'} the mode: ${words}`;
    case 'noPermissionNeeded':
      return 'this tool needs no permission';
    default:
      return words;
  }
}

const standings: Readonly<Record<RuleStanding, string>> = { wins: 'decides', helps: 'helps', loses: 'loses' };

function ruleNode(rule: RuleRef, lead: string, children: readonly string[]): Node {
  return {
    text: `${lead}${rule.behavior} ${rule.text} · ${placeOf(rule)}`,
    children: children.filter((text) => text !== '').map((text) => ({ text })),
  };
}

function nearNode(miss: NearMiss): Node {
  const instead = miss.instead === undefined ? '' : `the form that fits: ${miss.instead}`;
  return ruleNode(miss.rule, '', [`${miss.part}: ${miss.because}`, instead]);
}

function group(title: string, children: readonly Node[]): readonly Node[] {
  return children.length === 0 ? [] : [{ text: title, children }];
}

function treeNodes(why: WhyTree): readonly Node[] {
  const note = (text: string) => (text === '' ? '' : ` (${text})`);
  return [
    ...group(
      'checks above all allow rules',
      why.gates.map((gate) => ({ text: `${gate.decides ? 'decides: ' : ''}${gate.detail}` })),
    ),
    ...group(
      'why no rule may allow the line as a whole',
      why.doubts.map((text) => ({ text })),
    ),
    ...group(
      'rules that fit',
      why.rules.map(({ rule, standing, parts, because }) =>
        ruleNode(rule, `${standings[standing]}: `, [`fits ${parts.join(' | ')}`, because]),
      ),
    ),
    ...group('rules that nearly fit', why.nearMisses.map(nearNode)),
    ...group(
      'commands found',
      why.commands.map((command) => ({
        text: `${command.text}${command.nested ? ' · run by another command' : ''}${note(command.note)}`,
      })),
    ),
    ...group(
      'files touched',
      why.files.map((file) => {
        const real = file.real === null || file.real === file.given ? '' : ` → ${file.real}`;
        return { text: `${file.access} ${file.given}${real}${note(file.note)}` };
      }),
    ),
    ...group(
      'hosts reached',
      why.hosts.map((text) => ({ text })),
    ),
    ...group(
      'said by others',
      why.opinions.map((text) => ({ text })),
    ),
    { text: `mode ${why.modeNote}` },
    ...(why.leftOut === 0 ? [] : [{ text: `${why.leftOut} more entries are not shown` }]),
  ];
}

const headings: Readonly<Record<Decision['behavior'], (toolName: string) => string>> = {
  allow: (toolName) => `ALLOW: ${toolName} may do this without asking`,
  ask: (toolName) => `ASK: a person must agree before ${toolName} does this`,
  deny: (toolName) => `DENY: ${toolName} may not do this`,
};

/** A decision as a tree for people, lines joined by line ends. Invisible characters stand as numbers. */
export function explainForPeople(decision: Decision, toolName: string): string {
  const { behavior, reason, parts, why } = decision;
  const nodes: readonly Node[] = [
    { text: reasonText(behavior, reason) },
    ...group(
      parts.length === 1 ? 'the call' : `${parts.length} parts, each with its own verdict`,
      parts.map((part) => ({
        text: `${part.behavior}: ${partWords[part.kind]} ${part.text}`,
        children: [{ text: reasonText(part.behavior, part.reason) }],
      })),
    ),
    ...(why === undefined ? [] : treeNodes(why)),
  ];
  return [headings[behavior](visible(toolName)), ...draw(nodes, '')].join('\n');
}

/** Long parts are quoted to the model up to here: it knows its own call. */
const maxQuoted = 120;

function quoted(text: string): string {
  return `\`${text.length > maxQuoted ? `${text.slice(0, maxQuoted)}…` : text}\``;
}

function cause({ behavior, reason, parts }: Decision): string {
  const words = describeReason(reason).replace(/[.\s]+$/, '');
  if (reason.type !== 'rule')
    return `${behavior === 'deny' ? 'Denied' : 'A person must allow this'}: ${reason.type === 'mode' ? `the session is in ${words}` : words}.`;
  const named = parts.find((part) => part.behavior === behavior && part.reason.type === 'rule');
  const part = named !== undefined && parts.length > 1 ? `, for its part ${quoted(named.text)}` : '';
  const verb = behavior === 'deny' ? 'Denied by the rule' : 'A person must allow this, because of the ask rule';
  return `${verb} ${describeRule(reason.rule)}${part}.`;
}

function scope({ reason, parts }: Decision, toolName: string): string {
  if (reason.type === 'noRule' && parts.length === 0) return '';
  const rule = reason.type === 'rule' ? parseRule(reason.rule.text) : null;
  if (rule?.ok === true && isBare(rule.value)) return `The rule is about ${toolName} as a whole: use another tool.`;
  return `This is about this call, not about ${toolName} as a whole.`;
}

/** Ways of writing that would make a call easier to judge, by the words of what stands against it. */
const rewrites: readonly (readonly [sign: RegExp, advice: string])[] = [
  [/invisible characters/, 'Write it again without invisible characters.'],
  [/longer than [\d,]+ characters/, 'Split it into shorter commands, one call for each.'],
  [/not complete shell/, 'Complete the command: a quote, bracket or operator is left open.'],
  [
    /substitution|filled in|\$\(|`|not known before it runs|the command’s name/,
    'Write it without $(…), backticks and variables: run the inner command on its own first, then put its output in as plain text.',
  ],
  [/parsers|nested too deeply/, 'Write it in simpler shell, one command for each call.'],
  [/is a pattern|a person/, 'Name the files themselves instead of a pattern.'],
  [/the variable \w+ may change/, 'Leave out the assignment before the command.'],
  [/a subshell|a function|a group|a loop/, 'Run the commands plainly, one call for each.'],
];

function advice(decision: Decision): string {
  const { behavior, reason, parts, why } = decision;
  if (reason.type === 'safety' && reason.check === 'criticalRemoval') return 'Name the exact files to remove.';
  if (reason.type === 'safety' && reason.check === 'outsideSandbox')
    return 'Run it without dangerouslyDisableSandbox, or say in the conversation what has to be done outside and why.';
  if (reason.type === 'safety' && reason.check === 'noSandbox')
    return 'No other command runs either: tell the person, and go on with the other tools.';
  if (reason.type === 'safety' && reason.check === 'privateFile') return 'No other way to these files is open either.';
  if (reason.type === 'mode' && reason.mode === 'plan')
    return 'Finish the plan first: changes are possible once the person has left plan mode.';
  if (behavior === 'deny' && reason.type === 'rule')
    return 'Do not try the same with other words; reach the goal another way, or ask the person.';
  const against = [
    'detail' in reason ? reason.detail : '',
    ...parts.flatMap((part) => (part.reason.type === 'noRule' ? [part.reason.detail] : [])),
    ...(why?.doubts ?? []),
  ].join(' ');
  const rewrite = rewrites.find(([sign]) => sign.test(against))?.[1];
  if (rewrite !== undefined) return rewrite;
  const open = parts.filter((part) => part.behavior !== 'allow');
  const free = parts.filter((part) => part.behavior === 'allow' && part.kind === 'command');
  const redirected = why?.files.some((file) => file.from === 'redirect' && file.access === 'write') === true;
  if (reason.type === 'noRule' && redirected && open.every((part) => part.kind === 'write'))
    return 'Only the redirect is in the way: run the command without it, and write files with the Write tool.';
  if (open.length > 0 && free.length > 0)
    return `Allowed on their own: ${free
      .slice(0, 3)
      .map((part) => quoted(part.text))
      .join(', ')}.`;
  return '';
}

/**
 * Why a call was not run, for the model: which rule or check, how far it reaches, and how to write the call where that
 * would help. Empty for an allowed call.
 */
export function explainForModel(decision: Decision, toolName: string): string {
  if (decision.behavior === 'allow') return '';
  return [cause(decision), scope(decision, toolName), advice(decision)].filter((text) => text !== '').join(' ');
}
