import { expect, test } from 'vitest';
import { FlowGate } from './flow';

test('pauses above the high mark, resumes below the low one', () => {
  const calls: string[] = [];
  const gate = new FlowGate({ pause: () => calls.push('pause'), resume: () => calls.push('resume') });
  gate.sent(100_000);
  expect(calls).toEqual([]);
  gate.sent(1);
  gate.sent(50_000);
  expect(calls).toEqual(['pause']);
  gate.acknowledged(145_001);
  expect(calls).toEqual(['pause']);
  gate.acknowledged(1);
  expect(calls).toEqual(['pause', 'resume']);
  gate.acknowledged(1_000_000);
  gate.sent(100_001);
  expect(calls).toEqual(['pause', 'resume', 'pause']);
});
