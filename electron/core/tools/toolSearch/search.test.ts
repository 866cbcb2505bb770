import { describe, expect, it } from 'vitest';
import { readQuery, type Searched, searchTools } from './search';

const tool = (name: string, searchHint = '', prompt = '', aliases: string[] = []): Searched => ({
  name,
  searchHint,
  prompt,
  aliases,
});

const tools = [
  tool('NotebookEdit', 'change a cell of a Jupyter notebook', 'Changes one cell.'),
  tool('CronCreate', 'schedule a prompt', 'Runs a prompt later.', ['Schedule']),
  tool('CronList', 'list scheduled prompts', 'Lists them.'),
  tool('mcp__slack__send_message', 'send a message to a channel', 'Posts to Slack.'),
  tool('mcp__slack__list_channels', 'channels', 'Lists channels of Slack.'),
  tool('mcp__mail__send', 'send mail', 'Sends a message by mail; not for notebooks.'),
  tool('mcp__slackbot__ping', '', ''),
];

const found = (query: string) => searchTools(tools, readQuery(query)).map(({ name }) => name);

describe('readQuery', () => {
  it.each<[string, ReturnType<typeof readQuery>]>([
    ['select:A,B', { kind: 'select', names: ['A', 'B'] }],
    [' Select: A , B,,A ', { kind: 'select', names: ['A', 'B'] }],
    ['select:', { kind: 'select', names: [] }],
    ['mcp__Slack', { kind: 'prefix', prefix: 'mcp__slack' }],
    ['mcp__slack__*', { kind: 'prefix', prefix: 'mcp__slack__' }],
    ['mcp__slack send', { kind: 'words', words: ['mcp__slack', 'send'], required: [] }],
    ['+Slack send +', { kind: 'words', words: ['send'], required: ['slack'] }],
  ])('%j', (text, expected) => {
    expect(readQuery(text)).toEqual(expected);
  });
});

describe('searchTools', () => {
  it.each<[string, string[]]>([
    ['select:CronList,NotebookEdit', ['CronList', 'NotebookEdit']],
    ['select:cronlist', ['CronList']],
    ['select:Schedule,CronCreate', ['CronCreate']],
    ['select:Missing', []],
    ['mcp__slack', ['mcp__slack__list_channels', 'mcp__slack__send_message', 'mcp__slackbot__ping']],
    ['mcp__slack__', ['mcp__slack__list_channels', 'mcp__slack__send_message']],
    ['mcp__none', []],
    // A name counts more than a hint, and that more than a description.
    ['notebook', ['NotebookEdit', 'mcp__mail__send']],
    ['send', ['mcp__mail__send', 'mcp__slack__send_message']],
    ['cron', ['CronCreate', 'CronList']],
    ['schedule', ['CronCreate', 'CronList']],
    ['CronList', ['CronList']],
    ['+slack send', ['mcp__slack__send_message', 'mcp__slack__list_channels', 'mcp__slackbot__ping']],
    ['+slack +mail', []],
    ['+channels', ['mcp__slack__list_channels']],
    ['zebra', []],
  ])('%s', (query, expected) => {
    expect(found(query)).toEqual(expected);
  });
});
