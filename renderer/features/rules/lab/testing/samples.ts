// Past calls, replays and trials for the tests of the laboratory.
import type { PastCall, Replay, ReplayRow } from '#shared/api/history';
import type { Trial } from '#shared/api/rules';
import type { Decision } from '#shared/permissions/decision';

export function pastCall(part: Partial<PastCall> & { readonly id: string }): PastCall {
  return {
    origin: 'claudeCode',
    session: 'past',
    cwd: '/srv/app',
    at: 1_700_000_000_000,
    tool: 'Bash',
    input: JSON.stringify({ command: part.title ?? 'git push' }),
    title: 'git push',
    isSubagent: false,
    mode: null,
    outcome: 'ran',
    ...part,
  };
}

export function replayRow(part: Omit<Partial<ReplayRow>, 'call'> & { readonly call: PastCall }): ReplayRow {
  return {
    count: 1,
    before: 'ask',
    after: 'allow',
    danger: { score: 0, reason: '' },
    because: 'allow Bash(git *)',
    ...part,
  };
}

export function replay(part: Partial<Replay>): Replay {
  const rows = part.rows ?? [];
  return {
    calls: 8_412,
    sessions: 61,
    matrix: {
      allow: { allow: 6_920, ask: 12, deny: 0 },
      ask: { allow: 214, ask: 1_088, deny: 0 },
      deny: { allow: 3, ask: 0, deny: 121 },
    },
    undetermined: [{ reason: 'the mode of that moment is not known', calls: 54 }],
    rows,
    rowsInAll: rows.length,
    took: 12,
    ...part,
  };
}

export const asks: Decision = {
  behavior: 'ask',
  reason: {
    type: 'rule',
    rule: {
      text: 'Bash(git push *)',
      behavior: 'ask',
      source: 'projectSettings',
      file: '/srv/app/.claude/settings.json',
      line: 21,
    },
  },
  parts: [
    {
      text: 'git push origin main',
      kind: 'command',
      behavior: 'ask',
      reason: { type: 'noRule', detail: 'no rule allows it' },
    },
  ],
};

export function trial(part: Partial<Trial>): Trial {
  return {
    tool: 'Bash',
    input: { command: 'git push origin main' },
    cwd: '/srv/app',
    mode: 'default',
    steps: [
      { step: 'lookup', state: 'passes', detail: '' },
      { step: 'input', state: 'passes', detail: '' },
      { step: 'validation', state: 'passes', detail: '' },
      { step: 'preHook', state: 'open', detail: 'one hook would run' },
      { step: 'permission', state: 'asks', detail: '' },
      { step: 'execution', state: 'notReached', detail: '' },
      { step: 'postHook', state: 'notReached', detail: '' },
    ],
    decision: asks,
    warning: '',
    ...part,
  };
}
