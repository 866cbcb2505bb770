import { expect, it } from 'vitest';
import { keyProblem } from './ApiKey';
import { delayProblem } from './Asking';
import { urlProblem } from './BaseUrl';

it.each([
  ['sk-ant-123456', true],
  [' sk-ant-123456\n', true],
  ['', true],
  ['short', false],
  ['two words-here', false],
  ['x'.repeat(1_001), false],
])('key %j is fine: %s', (key, fine) => {
  expect(keyProblem(key) === '').toBe(fine);
});

it.each([
  ['', true],
  ['http://127.0.0.1:8080', true],
  ['https://box.example/api', true],
  ['box.example', false],
  ['ftp://box.example', false],
  ['https://ada:secret@box.example', false],
])('address %j is fine: %s', (address, fine) => {
  expect(urlProblem(address) === '').toBe(fine);
});

it.each([
  ['300', true],
  ['2000', true],
  ['299', false],
  ['2001', false],
  ['600.5', false],
  ['', false],
  ['soon', false],
])('delay %j is fine: %s', (delay, fine) => {
  expect(delayProblem(delay) === '').toBe(fine);
});
