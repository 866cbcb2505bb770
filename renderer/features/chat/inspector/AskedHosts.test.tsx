// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { AskedHost } from '#shared/session/toolCall';
import { draw, preparePage } from '../testing/draw';
import { AskedHosts } from './AskedHosts';

preparePage({ fakeTime: false });

const cases: readonly [answered: AskedHost['answered'], words: string][] = [
  [null, 'aska.example:443waiting for you'],
  [{ at: 2, outcome: { by: 'person', allowed: false } }, 'denya.example:443by you'],
  [{ at: 2, outcome: { by: 'person', allowed: true, lasts: 'once' } }, 'allowa.example:443by you, for this command'],
  [
    { at: 2, outcome: { by: 'person', allowed: true, lasts: 'always', pattern: '*.example' } },
    'allowa.example:443by you, for good: *.example',
  ],
  [
    { at: 2, outcome: { by: 'rule', allowed: true, pattern: '*.example' } },
    'allowa.example:443by *.example on the list',
  ],
  [{ at: 2, outcome: { by: 'rule', allowed: false } }, 'denya.example:443by another answer or the list'],
  [{ at: 2, outcome: { by: 'abort', allowed: false } }, 'denya.example:443given up before anybody answered'],
];

test.each(cases)('%j', (answered, words) => {
  draw(<AskedHosts hosts={[{ askId: 'n', host: 'a.example', port: 443, askedAt: 1, answered }]} />);
  expect(within(screen.getByRole('list', { name: 'Hosts asked about' })).getByRole('listitem').textContent).toBe(words);
});

test('nothing is said where none was asked about', () => {
  const { container } = draw(<AskedHosts hosts={[]} />);
  expect(container.textContent).toBe('');
});
