// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { VisibleText } from './VisibleText';
import { hasInvisible, visiblePieces } from './visibleCharacters';

afterEach(cleanup);

describe('VisibleText', () => {
  it.each([
    ['plain text with tab and line break', 'ls -la\n\tpwd', 'ls -la\n\tpwd'],
    ['letters of other alphabets', 'écho "привет" 日本', 'écho "привет" 日本'],
    ['emoji', 'echo 🚀', 'echo 🚀'],
    ['zero width', 'rm\u200b -rf', 'rmU+200B zero-width space -rf'],
    ['direction override', 'a\u202eb', 'aU+202E right-to-left overrideb'],
    ['escape sequence', '\u001b[31mred', 'U+001B escape[31mred'],
    ['carriage return', 'safe\rrm', 'safeU+000D carriage returnrm'],
    ['no-break space', 'git\u00a0push', 'gitU+00A0 no-break spacepush'],
    ['tag character above the first plane', 'a\u{e0041}', 'aU+E0041 invisible character'],
    ['lone surrogate', 'a\ud800', 'aU+D800 invisible character'],
    ['null', 'a\u0000b', 'aU+0000 nullb'],
    ['blank letters', '\u3164\u2800', 'U+3164 Hangul fillerU+2800 braille blank'],
    ['nothing', '', ''],
  ])('%s', (_name, text, shown) => {
    expect(render(<VisibleText text={text} />).container.textContent).toBe(shown);
  });

  it('never makes markup of text', () => {
    const { container } = render(<VisibleText text={'<img src=x onerror="alert(1)">'} />);
    expect(container.querySelector('img')).toBeNull();
    expect(container.textContent).toBe('<img src=x onerror="alert(1)">');
  });

  it('keeps what stands around it in order', () => {
    expect(render(<VisibleText text="אב" />).container.querySelector('bdi')?.dir).toBe('ltr');
  });
});

describe('visible characters', () => {
  it('says where each piece begins', () => {
    expect(visiblePieces('ab\u200bcd')).toEqual([
      { kind: 'text', text: 'ab', at: 0 },
      { kind: 'token', code: 'U+200B', name: 'zero-width space', at: 2 },
      { kind: 'text', text: 'cd', at: 3 },
    ]);
  });

  it.each([
    ['plain', false],
    ['a\u200bb', true],
  ])('%j has something invisible: %s', (text, expected) => {
    expect(hasInvisible(text)).toBe(expected);
  });
});
