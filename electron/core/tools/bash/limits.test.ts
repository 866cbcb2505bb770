import { expect, it } from 'vitest';
import { bashLimits } from './limits';

const unset = {
  defaultTimeoutMs: '',
  maxTimeoutMs: '',
  disableBackgroundTasks: '',
  maintainProjectWorkingDir: '',
  maxOutputLength: '',
};
const usual = {
  defaultTimeoutMs: 120_000,
  maxTimeoutMs: 600_000,
  background: true,
  maxOutputChars: 30_000,
  carriesCwd: true,
};

it.each([
  [{}, {}],
  [{ defaultTimeoutMs: '5000' }, { defaultTimeoutMs: 5_000 }],
  [{ defaultTimeoutMs: '900000' }, { defaultTimeoutMs: 900_000, maxTimeoutMs: 900_000 }],
  [{ maxTimeoutMs: ' 60000 ' }, { maxTimeoutMs: 120_000 }],
  [{ maxTimeoutMs: '1800000' }, { maxTimeoutMs: 1_800_000 }],
  [{ maxTimeoutMs: '999999999999' }, { maxTimeoutMs: 86_400_000 }],
  [{ defaultTimeoutMs: '0', maxTimeoutMs: 'soon' }, {}],
  [{ defaultTimeoutMs: '-5', maxTimeoutMs: '1e9' }, {}],
  [{ disableBackgroundTasks: '1' }, { background: false }],
  [{ disableBackgroundTasks: '0', maintainProjectWorkingDir: 'false' }, {}],
  [{ maintainProjectWorkingDir: 'true' }, { carriesCwd: false }],
  [{ maxOutputLength: '5000' }, { maxOutputChars: 5_000 }],
  [{ maxOutputLength: '150001' }, { maxOutputChars: 150_000 }],
  [{ maxOutputLength: 'all' }, {}],
])('%j → %j', (stated, limits) => {
  expect(bashLimits({ ...unset, ...stated })).toEqual({ ...usual, ...limits });
});

it('has usual limits where nothing is stated', () => {
  expect(bashLimits()).toEqual(usual);
});
