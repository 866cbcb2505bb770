// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw, preparePage } from '../testing/draw';
import { Compaction } from './Compaction';

preparePage({ fakeTime: false });

test('says what the model knows, and shows the summary on demand without running anything of it', () => {
  draw(<Compaction at={1_000} summary={'The person wants **tides**.\n\n<img src=x onerror=alert(1)>'} />);
  const row = screen.getByRole('region', { name: 'Summary for the model' });
  expect(row.textContent).toContain('Of what stands above, the model now knows this summary alone.');
  expect(row.textContent).not.toContain('tides');
  const toggle = screen.getByRole('button', { name: 'Show summary' });
  expect(toggle.getAttribute('aria-expanded')).toBe('false');
  fireEvent.click(toggle);
  expect(screen.getByRole('heading', { level: 3 }).textContent).toBe('The summary, 57 characters');
  expect(screen.getByRole('group', { name: 'Summary' }).querySelector('strong')?.textContent).toBe('tides');
  expect(row.querySelector('img')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Hide summary' }));
  expect(row.textContent).not.toContain('tides');
});
