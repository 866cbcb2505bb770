import { describe, expect, test } from 'vitest';
import type { SessionState } from '#shared/session/state';
import { sampleBase, succeeded } from '../testing/samples';
import { rowsOf } from './rows';

type Items = SessionState['items'];
const user = { kind: 'user', messageId: 'u1', text: 'do it', at: 1 } as const;
const assistant = (
  blocks: Extract<Items[number], { kind: 'assistant' }>['blocks'],
  stopReason: string | null = 'end_turn',
): Items[number] => ({ kind: 'assistant', messageId: 'm-1', at: 2, blocks, stopReason });
const text = (value: string) => ({ type: 'text', text: value }) as const;
const use = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: {} }) as const;

/** Kind, key and what tells it apart, for each row. */
const brief = (items: Items, live: Parameters<typeof rowsOf>[1] = {}, calls: SessionState['calls'] = {}) =>
  rowsOf({ items, calls }, live).map((row) => [row.kind, row.key]);

describe('rowsOf', () => {
  test('a turn: message, heading, thinking, text, call in the order of the blocks', () => {
    const call = succeeded();
    const items: Items = [
      user,
      assistant([{ type: 'thinking', thinking: 'hm', signature: '' }, text('first'), use('call-1'), text('then')]),
    ];
    expect(brief(items, {}, { 'call-1': call })).toEqual([
      ['user', 'u1'],
      ['answer', 'answer-m-1'],
      ['thinking', 'm-1-0'],
      ['text', 'm-1-1'],
      ['call', 'call-1'],
      ['text', 'm-1-3'],
    ]);
  });

  test('several messages of one answer share a heading', () => {
    const items: Items = [
      user,
      assistant([text('a')]),
      { ...assistant([text('b')]), messageId: 'm-2' } as Items[number],
    ];
    expect(brief(items).filter(([kind]) => kind === 'answer')).toEqual([['answer', 'answer-m-1']]);
  });

  test('a call without its block is shown all the same, a block without its call is not', () => {
    const items: Items = [user, assistant([use('unknown')])];
    expect(brief(items, {}, { 'call-1': { ...sampleBase, status: 'checking' } })).toEqual([
      ['user', 'u1'],
      ['answer', 'answer-m-1'],
      ['call', 'call-1'],
    ]);
  });

  test('live text takes the key that its finished block will have', () => {
    const live = { 'm-1': [{ index: 1, kind: 'text' as const, text: 'com' }] };
    const streaming = brief([user, assistant([text('a')], null)], live);
    const finished = brief([user, assistant([text('a'), text('coming')])]);
    expect(streaming).toEqual(finished);
  });

  test('live text grows, and what is finished or empty is not shown twice', () => {
    const live = {
      'm-1': [
        { index: 0, kind: 'text' as const, text: 'a' },
        { index: 1, kind: 'thinking' as const, text: '  ' },
        { index: 2, kind: 'text' as const, text: 'b' },
      ],
    };
    const rows = rowsOf({ items: [user, assistant([text('a')], null)], calls: {} }, live);
    expect(rows.slice(2)).toEqual([
      { kind: 'text', key: 'm-1-0', text: 'a', streaming: false },
      { kind: 'text', key: 'm-1-2', text: 'b', streaming: true },
    ]);
  });

  test('live text of a finished message is not shown', () => {
    expect(brief([user, assistant([], 'end_turn')], { 'm-1': [{ index: 0, kind: 'text', text: 'x' }] })).toEqual([
      ['user', 'u1'],
      ['answer', 'answer-m-1'],
    ]);
  });

  test('an answer cut off by its length says so', () => {
    expect(brief([assistant([text('a')], 'max_tokens')]).at(-1)).toEqual(['cutOff', 'm-1-cut']);
  });

  test('a summary for the model is a row of its own', () => {
    expect(
      rowsOf({ items: [user, { kind: 'compaction', at: 7, summary: 'So far: tides.' }], calls: {} }, {})[1],
    ).toEqual({ kind: 'compaction', key: 'compaction-1', summary: 'So far: tides.', at: 7 });
  });

  test('notices stand where they happened', () => {
    const notice = { kind: 'notice', at: 1, level: 'error', text: 'a', next: 'b' } as const;
    expect(brief([user, notice])).toEqual([
      ['user', 'u1'],
      ['notice', 'notice-1'],
    ]);
  });
});
