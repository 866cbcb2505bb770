// The events in words, for those who write hooks.
import type { HookEventInfo } from '#shared/api/hooks';
import { type HookEventName, hookEventNames } from '#shared/session/hookRun';
import { type ExitTwo, eventRules, isToolEvent } from './eventRules';

interface Words {
  /** What a matcher looks at. */
  readonly subject?: string;
  readonly examples?: readonly string[];
  /** What happens on exit code 2, where it is more than the table of exit codes says. */
  readonly blocks?: string;
  /** What the text is that a trial needs. */
  readonly textName?: string;
}

const tool: Words = { subject: 'tool name', examples: ['Bash', 'Edit|Write|MultiEdit', 'mcp__.*'] };

const words: Readonly<Record<HookEventName, Words>> = {
  PreToolUse: { ...tool, blocks: 'The call does not run; stderr goes to the model.' },
  PermissionRequest: tool,
  PermissionDenied: tool,
  PostToolUse: tool,
  PostToolUseFailure: tool,
  PostToolBatch: { blocks: 'The turn ends after these calls.' },
  UserPromptSubmit: { blocks: 'The message is not sent.', textName: 'Message' },
  Stop: { blocks: 'The turn goes on; stderr goes to the model.', textName: 'Last answer of the model' },
  StopFailure: { subject: 'kind of failure', examples: ['rate_limit', 'authentication_failed'], textName: 'Failure' },
  SubagentStart: { subject: 'kind of agent', examples: ['Explore'], textName: 'Kind of agent' },
  SubagentStop: {
    subject: 'kind of agent',
    examples: ['Explore'],
    blocks: 'The agent goes on; stderr goes to it.',
    textName: 'Kind of agent',
  },
  SessionStart: {
    subject: 'how it starts',
    examples: ['startup', 'resume', 'clear', 'compact', 'fork'],
    textName: 'How it starts',
  },
  SessionEnd: { subject: 'reason', examples: ['other', 'clear'], textName: 'Reason' },
  PreCompact: {
    subject: 'trigger',
    examples: ['auto', 'manual'],
    blocks: 'The conversation is not compacted.',
    textName: 'Trigger',
  },
  PostCompact: { subject: 'trigger', examples: ['auto', 'manual'], textName: 'Trigger' },
  Notification: {
    subject: 'kind of notification',
    examples: ['permission_prompt', 'idle_prompt', 'elicitation_dialog'],
    textName: 'Kind of notification',
  },
  ConfigChange: {
    subject: 'which settings',
    examples: ['user_settings', 'project_settings', 'local_settings', 'policy_settings'],
    blocks: 'You are told of the objection.',
    textName: 'Which settings',
  },
  CwdChanged: { textName: 'New folder' },
  FileChanged: { subject: 'file names', examples: ['package.json|.env'], textName: 'File' },
};

const exitTwoWords: Readonly<Record<ExitTwo, string>> = {
  block: 'It does not happen.',
  context: 'Its stderr is told to the model.',
  message: 'Its stderr is shown to you.',
  ignore: 'Nothing.',
};

/** Events about nothing but themselves. */
const alone: ReadonlySet<HookEventName> = new Set(['PostToolBatch']);

/** All events, in the order in which they are listed everywhere. */
export const hookEventInfos: readonly HookEventInfo[] = hookEventNames.map((name) => {
  const { subject = '', examples = [], blocks, textName = '' } = words[name];
  const rules = eventRules[name];
  return {
    name,
    subject: rules.matcher === null ? '' : subject,
    examples: [...examples],
    handlers: [...rules.handlers],
    exitTwo: blocks ?? exitTwoWords[rules.exitTwo],
    about: alone.has(name) ? 'nothing' : isToolEvent(name) ? 'call' : 'text',
    textName,
  };
});
