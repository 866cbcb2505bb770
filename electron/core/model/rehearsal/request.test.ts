import { expect, test } from 'vitest';
import { contextText } from '../../agent/contextText';
import { skillNamed } from '../../agent/testing/agentBench';
import { skillText } from '../../context/expand';
import { wordsOf } from './request';

const text = (words: string) => ({ type: 'text', text: words });
const skill = skillNamed({ kind: 'command', name: 'look', body: 'read $1\nthen list *.js' });
const loaded = skillText({ skill, args: 'a.md', sessionId: 's' });

test.each([
  ['own words', [text('read a'), text('list b')], ['read a', 'list b']],
  ['notes of the program', [text('read a'), text(contextText('UserPromptSubmit hook', 'run x'))], ['read a']],
  [
    'a typed command',
    [text('/look a.md'), text(contextText('command /look', loaded))],
    ['/look a.md', 'read a.md\nthen list *.js'],
  ],
])('%s', (_name, content, words) => {
  expect(wordsOf({ role: 'user', content })).toEqual(words);
});
