// @vitest-environment jsdom
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { useApp } from '../../../stores/app';
import { useUi } from '../../../stores/ui';
import { draw, preparePage } from '../testing/draw';
import { Markdown } from './Markdown';

preparePage({ fakeTime: false });

describe('Markdown', () => {
  test('raw HTML stays text', () => {
    const { container } = draw(<Markdown text={'a <script>alert(1)</script> <b onclick="x()">b</b>'} />);
    expect(container.querySelector('script, b')).toBeNull();
    expect(container.textContent).toContain('<script>alert(1)</script>');
  });

  test('nothing is loaded from elsewhere: a picture is its text and a link', () => {
    const { container } = draw(<Markdown text="![chart](https://evil.example/pixel.png)" />);
    expect(container.querySelector('img')).toBeNull();
    expect(container.textContent).toBe('chart (picture, not loaded) (evil.example)');
  });

  const links: readonly [markdown: string, shown: string][] = [
    ['[docs](https://example.com/a)', 'docs (example.com)'],
    ['https://example.com/a', 'https://example.com/a'],
    ['[https://good.example](https://evil.example)', 'https://good.example (evil.example)'],
    ['[run](javascript:alert(1))', 'run (javascript:alert(1))'],
    ['[file](src/a.ts)', 'file (src/a.ts)'],
  ];
  test.each(links)('%s shows its real host and is no active element of its own', (markdown, shown) => {
    const { container } = draw(<Markdown text={markdown} />);
    expect(container.textContent).toBe(shown);
    expect(container.querySelector('a')).toBeNull();
  });

  const named: readonly [markdown: string, path: string, line: number | null][] = [
    ['It is in `src/app.ts:12`.', 'src/app.ts', 12],
    ['It is in src/app.ts:12:3.', 'src/app.ts', 12],
    ['- **src/app.ts:7**', 'src/app.ts', 7],
    ['[here](src/app.ts#L4)', 'src/app.ts', 4],
    ['[here](src/app.ts)', 'src/app.ts', null],
  ];
  test.each(named)('%s leads to the file', (markdown, path, line) => {
    draw(<Markdown text={markdown} />);
    fireEvent.click(screen.getByRole('button'));
    const { wantedFile, inspectorTab, inspectorOpen } = useUi.getState();
    expect([wantedFile, inspectorTab, inspectorOpen]).toEqual([{ path, line }, 'file', true]);
  });

  test('a link opens only after its whole address was shown', () => {
    const opened = vi.spyOn(window, 'open').mockReturnValue(null);
    useApp.setState({ hello: null });
    draw(<Markdown text="[docs](https://example.com/a?b=c)" />);
    fireEvent.click(screen.getByRole('button', { name: 'docs' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Open example.com?' }));
    expect(dialog.getByText('https://example.com/a?b=c')).toBeTruthy();
    expect(opened).not.toHaveBeenCalled();
    fireEvent.click(dialog.getByRole('button', { name: 'Open in browser' }));
    expect(opened).toHaveBeenCalledWith('https://example.com/a?b=c', '_blank', 'noopener,noreferrer');
  });

  test('code keeps every character and can be copied', async () => {
    const written: string[] = [];
    vi.stubGlobal('navigator', {
      clipboard: {
        writeText: (text: string) => {
          written.push(text);
          return Promise.resolve();
        },
      },
    });
    draw(<Markdown text={'```js\nif (a) {\n\n  b();\n}\n```'} />);
    fireEvent.click(screen.getByRole('button', { name: 'Copy code' }));
    expect(written).toEqual(['if (a) {\n\n  b();\n}']);
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy();
  });
});
