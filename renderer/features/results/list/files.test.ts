import { describe, expect, test } from 'vitest';
import type { ResultFacet, ResultOrder } from '../../../stores/resultsPage';
import { now, resultFile } from '../testing/fakeResults';
import { facetsOf, filterFiles, sortFiles } from './files';

const build = resultFile({ id: 'build', bytes: 30, modifiedAt: now - 1 });
const grep = resultFile({
  id: 'grep',
  bytes: 10,
  modifiedAt: now - 2,
  call: { callId: 'g', tool: 'Grep', what: 'moorings' },
  seen: { kind: 'never' },
  session: null,
});
const list = resultFile({
  id: 'list',
  bytes: 20,
  modifiedAt: now - 3,
  call: { callId: 'm', tool: 'mcp__harbor__list', what: 'vessels' },
  seen: { kind: 'whole' },
  kept: true,
});
const log = resultFile({
  id: 'log',
  bytes: 40,
  modifiedAt: now - 4,
  origin: 'claudeCode',
  session: { id: 't', title: 'Flaky CI', folder: '/srv/harbor' },
  seen: { kind: 'unknown' },
  goesAt: now + 1,
});
const files = [build, grep, list, log];
const ids = (some: readonly { id: string }[]) => some.map(({ id }) => id).join(' ');

test('facets count tools first, then the states that some file has', () => {
  expect(facetsOf(files, []).map(({ facet, label, count }) => `${facet} ${label} ${count}`)).toEqual([
    'tool:Bash Bash 2',
    'tool:Grep Grep 1',
    'tool:MCP MCP 1',
    'never Never read 1',
    'orphan Session gone 1',
    'kept Kept 1',
    'claudeCode Claude Code 1',
  ]);
});

test('a facet that was chosen stays when its last file goes', () => {
  expect(facetsOf([build], ['tool:Grep', 'kept']).map(({ facet, count }) => `${facet} ${count}`)).toEqual([
    'tool:Bash 1',
    'tool:Grep 0',
    'kept 0',
  ]);
});

describe('filter', () => {
  const cases: readonly [name: string, search: string, facets: readonly ResultFacet[], fit: string][] = [
    ['nothing', '', [], 'build grep list log'],
    ['tools are alternatives', '', ['tool:Grep', 'tool:MCP'], 'grep list'],
    ['states must all hold', '', ['never', 'orphan'], 'grep'],
    ['a tool and a state', '', ['tool:Bash', 'claudeCode'], 'log'],
    ['words of command, session, folder and state', 'harbor flaky', [], 'log'],
    ['a word of the state', 'never', [], 'grep'],
    ['case does not count', 'MOORINGS', [], 'grep'],
    ['a part of the path', 'tool-results/list', [], 'list'],
  ];
  test.each(cases)('%s', (_name, search, facets, fit) => {
    expect(ids(filterFiles(files, { search, facets }))).toBe(fit);
  });
});

describe('order', () => {
  const cases: readonly [order: ResultOrder, up: string, down: string][] = [
    ['age', 'build grep list log', 'log list grep build'],
    ['bytes', 'grep list build log', 'log build list grep'],
    ['what', 'grep list build log', 'log build list grep'],
    ['session', 'log build list grep', 'grep build list log'],
    ['seen', 'grep log build list', 'list build log grep'],
    ['goes', 'log build grep list', 'list build grep log'],
  ];
  test.each(cases)('%s', (order, up, down) => {
    expect(ids(sortFiles(files, { order, descending: false }))).toBe(up);
    expect(ids(sortFiles(files, { order, descending: true }))).toBe(down);
  });
});
