import { describe, expect, test } from 'vitest';
import { markdownParts } from './markdownParts';

describe('markdownParts', () => {
  test.each<[string, string, string[]]>([
    ['nothing', '', ['']],
    ['one paragraph', 'a\nb', ['a\nb']],
    ['paragraphs', 'a\n\nb\n\nc', ['a', 'b', 'c']],
    ['a heading', '# a\n\nb', ['# a', 'b']],
    ['a list stays with what goes on with it', '- a\n\n- b\n\n  more\n\nc', ['- a\n\n- b\n\n  more', 'c']],
    ['a numbered list', '1. a\n\n2. b\n\nc', ['1. a\n\n2. b', 'c']],
    ['code with blank lines', 'a\n\n```ts\nb\n\nc\n```\n\nd', ['a', '```ts\nb\n\nc\n```', 'd']],
    ['code that is not finished', 'a\n\n```\nb\n\nc', ['a', '```\nb\n\nc']],
    ['a longer fence holds a shorter one', '````\n```\n\na\n````\n\nb', ['````\n```\n\na\n````', 'b']],
    ['another kind of fence does not end it', '```\n~~~\n\na\n```\n\nb', ['```\n~~~\n\na\n```', 'b']],
    [
      'addresses of links elsewhere',
      'see [a]\n\nb\n\n[a]: https://example.com',
      ['see [a]\n\nb\n\n[a]: https://example.com'],
    ],
    ['html', '<div>\n\na\n\nb', ['<div>\n\na\n\nb']],
    ['a table', 'a\n\n| b |\n| - |\n\nc', ['a\n\n| b |\n| - |', 'c']],
    ['more than one blank line', 'a\n\n\nb', ['a\n', 'b']],
  ])('%s', (_what, text, parts) => {
    expect(markdownParts(text)).toEqual(parts);
    expect(markdownParts(text).join('\n\n')).toBe(text);
  });

  test('what is finished stays the same while the text grows', () => {
    const text = '# A\n\nb **c** d\n\n- e\n- f\n\n```ts\ng\n\nh\n```\n\nThe end.\n\nAnd more.';
    let before: string[] = [];
    for (let length = 0; length <= text.length; length += 1) {
      const now = markdownParts(text.slice(0, length));
      expect(now.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
      before = now;
    }
  });
});
