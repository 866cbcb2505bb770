import { describe, expect, test } from 'vitest';
import type { Question } from '#shared/session/ask';
import { answersOf, choose, inOwnWords, noChoice } from './questionAnswers';

const options = [
  { label: 'A', description: '' },
  { label: 'B', description: '' },
];
const one: Question = { question: 'Which?', header: 'Which', multiSelect: false, options };
const many: Question = { question: 'Which ones?', header: 'Ones', multiSelect: true, options };

test('a single choice replaces the one before and the own words', () => {
  expect(choose(one, { labels: ['A'], own: 'x' }, 'B')).toEqual({ labels: ['B'], own: '' });
});

test('several choices are put in and taken out', () => {
  const both = choose(many, choose(many, noChoice, 'B'), 'A');
  expect(both).toEqual({ labels: ['B', 'A'], own: '' });
  expect(choose(many, both, 'B')).toEqual({ labels: ['A'], own: '' });
});

test('own words replace a single choice and stand beside several', () => {
  expect(inOwnWords(one, { labels: ['A'], own: '' }, 'neither')).toEqual({ labels: [], own: 'neither' });
  expect(inOwnWords(one, { labels: ['A'], own: '' }, ' ')).toEqual({ labels: ['A'], own: ' ' });
  expect(inOwnWords(many, { labels: ['A'], own: '' }, 'C')).toEqual({ labels: ['A'], own: 'C' });
});

describe('answersOf', () => {
  test('null while a question is open', () => {
    expect(answersOf([one, many], { 'Which?': { labels: ['A'], own: '' } })).toBeNull();
    expect(answersOf([one], { 'Which?': { labels: [], own: '  ' } })).toBeNull();
  });
  test('in the order of the options, own words last', () => {
    expect(
      answersOf([one, many], {
        'Which?': { labels: [], own: ' mine ' },
        'Which ones?': { labels: ['B', 'A'], own: 'C' },
      }),
    ).toEqual({ 'Which?': ['mine'], 'Which ones?': ['A', 'B', 'C'] });
  });
});
