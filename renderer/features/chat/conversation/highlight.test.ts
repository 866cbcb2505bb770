import { describe, expect, test } from 'vitest';
import { grammarOf, highlight } from './highlight';

describe('grammarOf', () => {
  test.each([
    ['typescript', 'typescript'],
    ['TS', 'typescript'],
    ['sh', 'bash'],
    ['yml', 'yaml'],
    ['constructor', null],
    ['klingon', null],
    ['', null],
  ])('%s is %s', (language, expected) => {
    expect(grammarOf(language)).toBe(expected);
  });
});

describe('highlight', () => {
  test('colours by theme variables and loses no character', async () => {
    const code = "const a = 'x'; // note\n\nreturn a;";
    const lines = await highlight(code, 'ts');
    expect(lines?.map((line) => line.map((token) => token.text).join('')).join('\n')).toBe(code);
    expect(lines?.[0]?.[0]).toEqual({ text: 'const', color: 'var(--code-token-keyword)' });
  });
  test('what has no grammar, or is too long, has no colours', async () => {
    expect(await highlight('x', 'klingon')).toBeNull();
    expect(await highlight('a'.repeat(60_001), 'ts')).toBeNull();
  });
});
