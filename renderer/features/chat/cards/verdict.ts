// Why a call was allowed, denied or asks, as the card's foot says it.
import type { Behavior, Decision, DecisionReason } from '#shared/permissions/decision';
import { describeReason } from '#shared/permissions/decision';
import { permissionModes } from '#shared/permissions/modes';
import { ruleSources } from '#shared/permissions/sources';
import type { ToolCall } from '#shared/session/toolCall';

export interface Verdict {
  readonly behavior: Behavior;
  /** "allowed", "allowed once", "denied", "asks". */
  readonly word: string;
  /** "by" or "because", empty where nothing follows. */
  readonly link: string;
  /** A rule's text, shown in mono; null where the reason is no rule. */
  readonly rule: string | null;
  /** What follows in plain words: place of the rule, or the reason. */
  readonly detail: string;
}

/** The foot's verdict; null while nothing has been decided. */
export function verdictOf(call: ToolCall): Verdict | null {
  if (call.status === 'asking') {
    return call.ask.kind === 'permission'
      ? verdictOfDecision({ behavior: 'ask', reason: call.ask.reason, parts: call.ask.parts })
      : { behavior: 'ask', word: 'asks', link: '', rule: null, detail: 'waits for your answer' };
  }
  return call.decision === null ? null : verdictOfDecision(call.decision);
}

/** A decision in the same four pieces everywhere: card, ask, inspector. */
export function verdictOfDecision(decision: Decision): Verdict {
  const { behavior, reason } = decision;
  if (reason.type === 'user') return verdictOfPerson(behavior, reason);
  const word = { allow: 'allowed', ask: 'asks', deny: 'denied' }[behavior];
  if (reason.type === 'rule') {
    return {
      behavior,
      word,
      link: behavior === 'ask' ? 'because of' : 'by',
      rule: reason.rule.text,
      detail: placeOf(reason),
    };
  }
  return { behavior, word, link: linkOf(behavior, reason), rule: null, detail: phraseOf(reason) };
}

function verdictOfPerson(behavior: Behavior, reason: Extract<DecisionReason, { type: 'user' }>): Verdict {
  const words = reason.words === undefined || reason.words === '' ? '' : `: “${reason.words}”`;
  const word = {
    once: 'allowed once',
    always: 'allowed, rule saved',
    deny: 'denied',
    answered: behavior === 'deny' ? 'declined' : 'answered',
  }[reason.answer];
  return { behavior, word, link: 'by', rule: null, detail: `you${words}` };
}

function placeOf(reason: Extract<DecisionReason, { type: 'rule' }>): string {
  const { source, line } = reason.rule;
  return line === undefined ? ruleSources[source].label : `${ruleSources[source].label}, line ${line}`;
}

function linkOf(behavior: Behavior, reason: DecisionReason): string {
  if (reason.type === 'mode' || reason.type === 'hook') return behavior === 'ask' ? 'because of' : 'by';
  return '·';
}

function phraseOf(reason: DecisionReason): string {
  if (reason.type === 'mode') return `${permissionModes[reason.mode].label} mode`;
  if (reason.type === 'noPermissionNeeded') return 'this tool needs no permission';
  return describeReason(reason);
}

/** The same as one string, for labels and tests. */
export function verdictText(verdict: Verdict): string {
  const rule = verdict.rule === null ? '' : `${verdict.rule} ·`;
  return [verdict.word, verdict.link, rule, verdict.detail].filter((piece) => piece !== '').join(' ');
}
