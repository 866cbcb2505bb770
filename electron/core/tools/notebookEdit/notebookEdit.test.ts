import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readTool } from '../read/read';
import { type Outcome, type RealExecutor, startRealExecutor } from '../testing/realExecutor';
import { samplePlace } from '../testing/samplePlace';
import type { AnyTool } from '../tool';
import { notebookEditTool } from './notebookEdit';

let real: RealExecutor;
beforeAll(async () => {
  real = await startRealExecutor();
}, 60_000);
afterAll(() => real.dispose());

const tool = notebookEditTool as AnyTool;
let counter = 0;
let name = '';
beforeEach(() => {
  counter += 1;
  name = `n${counter}.ipynb`;
});

const put = (content: string) => writeFile(join(real.folder, name), content);
const now = () => readFile(join(real.folder, name), 'utf8');
const edit = (input: object) => real.call(tool, { notebook_path: name, ...input });

/** The outcome's words and the file afterwards, of a notebook that was read before. */
async function outcomeOf(content: string, input: object): Promise<readonly [string, string]> {
  await put(content);
  await real.call(readTool as AnyTool, { file_path: name });
  return [words(await edit(input)), await now()];
}

function words(outcome: Outcome): string {
  if (outcome.kind !== 'succeeded') return outcome.text;
  const [block] = outcome.blocks;
  return block?.type === 'text' ? block.text.replaceAll(name, 'N') : '';
}

/** As Jupyter writes it, with odd keys, numbers and order that must stay. */
const jupyter = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {"z": 1.0, "a": 12345678901234567890},
   "source": [
    "# Title\\n",
    "words"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "sum",
   "metadata": {},
   "outputs": [
    {
     "data": {
      "text/plain": [
       "2"
      ]
     },
     "output_type": "execute_result"
    }
   ],
   "source": [
    "1 + 1"
   ]
  }
 ],
 "metadata": { "10": true, "2": false, "kernelspec": {"name": "python3"} },
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

describe('a notebook as Jupyter writes it', () => {
  it('replaces the source of a code cell and takes its outputs away', async () => {
    expect(await outcomeOf(jupyter, { cell_id: 'sum', new_source: 'a = "é"\nb\n' })).toEqual([
      'Replaced cell sum in N: +4 −12 lines of the file. What the cell had printed was removed with its old text.',
      jupyter
        .replace('"execution_count": 3', '"execution_count": null')
        .replace(/"outputs": \[[\s\S]*?\n {3}\],/, '"outputs": [],')
        .replace('    "1 + 1"', '    "a = \\"é\\"\\n",\n    "b\\n"'),
    ]);
  });

  it('replaces the source of a text cell and nothing else', async () => {
    const [, content] = await outcomeOf(jupyter, { cell_id: 'intro', new_source: 'x' });
    expect(content).toBe(jupyter.replace('    "# Title\\n",\n    "words"', '    "x"'));
  });

  it('makes a text cell of a code cell and back', async () => {
    const [, text] = await outcomeOf(jupyter, { cell_id: 'sum', new_source: 'x', cell_type: 'markdown' });
    expect(JSON.parse(text).cells[1]).toEqual({ cell_type: 'markdown', id: 'sum', metadata: {}, source: ['x'] });
    const [, code] = await outcomeOf(jupyter, { cell_id: 'intro', new_source: '', cell_type: 'code' });
    expect(JSON.parse(code).cells[0]).toEqual({
      cell_type: 'code',
      id: 'intro',
      metadata: { z: 1, a: Number('12345678901234567890') },
      source: [],
      execution_count: null,
      outputs: [],
    });
  });

  it.each([
    [{ cell_id: 'intro' }, 1, 'Inserted a cell behind intro in N'],
    [{ cell_id: 'sum' }, 2, 'Inserted a cell behind sum in N'],
    [{}, 0, 'Inserted a first cell into N'],
  ])('inserts %j at %i', async (where, index, said) => {
    const [text, content] = await outcomeOf(jupyter, { ...where, edit_mode: 'insert', new_source: 'x\ny' });
    expect(text).toContain(said);
    const { cells } = JSON.parse(content);
    expect(cells[index]).toEqual({
      cell_type: 'code',
      execution_count: null,
      id: expect.stringMatching(/^[0-9a-f]{8}$/),
      metadata: {},
      outputs: [],
      source: ['x\n', 'y'],
    });
    cells.splice(index, 1);
    expect(cells).toEqual(JSON.parse(jupyter).cells);
    // Without the new lines it is the old file, byte for byte.
    const lines = content.split('\n');
    const made = lines.findIndex((line) => line.includes('"x\\n"'));
    lines.splice(made - 7, 11);
    // Behind the last cell the comma is one of the new things.
    expect(lines.join('\n').replace('  },\n ],', '  }\n ],')).toBe(jupyter);
  });

  it('deletes, down to none, and inserts into none', async () => {
    const [, one] = await outcomeOf(jupyter, { cell_id: 'intro', edit_mode: 'delete' });
    expect(one).toBe(jupyter.replace(/ {2}\{\n {3}"cell_type": "markdown"[\s\S]*?\n {2}\},\n/, ''));
    // What was written is known: no reading in between.
    expect(words(await edit({ cell_id: 'sum', edit_mode: 'delete' }))).toBe(
      'Deleted cell sum from N: +1 −21 lines of the file.',
    );
    expect(await now()).toMatch(/^\{\n "cells": \[\],\n "metadata": \{ "10": true, "2": false/);
    await edit({ edit_mode: 'insert', cell_type: 'markdown', new_source: 'x' });
    expect(await now()).toMatch(
      /^\{\n "cells": \[\n {2}\{\n {3}"cell_type": "markdown",\n {3}"id": "[0-9a-f]{8}",\n {3}"metadata": \{\},\n {3}"source": \[\n {4}"x"\n {3}\]\n {2}\}\n \],\n/,
    );
    expect(JSON.parse(await now()).cells).toHaveLength(1);
  });
});

describe('other layouts', () => {
  it.each<[string, string, string]>([
    [
      'one line, source as a string',
      '{"cells": [{"cell_type": "raw", "metadata": {}, "source": "a"}], "nbformat": 4, "nbformat_minor": 4}',
      '{"cells": [{"cell_type": "raw", "metadata": {}, "source": "x\\ny"}], "nbformat": 4, "nbformat_minor": 4}',
    ],
    [
      'tabs and returns',
      '{\r\n\t"cells": [\r\n\t\t{\r\n\t\t\t"source": [],\r\n\t\t\t"cell_type": "raw"\r\n\t\t}\r\n\t],\r\n\t"nbformat": 4\r\n}',
      '{\r\n\t"cells": [\r\n\t\t{\r\n\t\t\t"source": [\r\n\t\t\t\t"x\\n",\r\n\t\t\t\t"y"\r\n\t\t\t],\r\n\t\t\t"cell_type": "raw"\r\n\t\t}\r\n\t],\r\n\t"nbformat": 4\r\n}',
    ],
    [
      'a byte order mark, keys twice',
      '\uFEFF{"cells": [{"cell_type": "raw", "source": "old", "source": "a"}], "cells2": 0}',
      '\uFEFF{"cells": [{"cell_type": "raw", "source": "x\\ny", "source": "x\\ny"}], "cells2": 0}',
    ],
  ])('%s', async (_, before, expected) => {
    const [, content] = await outcomeOf(before, { cell_id: 'cell-0', new_source: 'x\ny' });
    expect(content).toBe(expected);
  });

  it('gives no ids where the format has none, and says that places moved', async () => {
    const [said, content] = await outcomeOf('{"cells": [{"cell_type": "raw", "source": "a"}], "nbformat": 4}', {
      cell_id: 'cell-0',
      edit_mode: 'insert',
      new_source: 'b',
    });
    expect(content).toBe(
      '{"cells": [{"cell_type": "raw", "source": "a"}, {"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source": ["b"]}], "nbformat": 4}',
    );
    expect(said).toContain('counted anew: read the notebook again');
  });
});

describe('refused', () => {
  it.each<[string, string, object, RegExp]>([
    ['an unknown cell', jupyter, { cell_id: 'none', new_source: '' }, /it has no cell none; its cells are intro, sum/],
    [
      'an id that is there twice',
      jupyter.replace('"id": "intro"', '"id": "sum"'),
      { cell_id: 'sum', new_source: '' },
      /2 of its cells have the id sum/,
    ],
    ['no source', jupyter, { cell_id: 'sum' }, /^new_source is missing: it is the text of the cell to replace\.$/],
    ['no cell to delete', jupyter, { edit_mode: 'delete' }, /^cell_id is missing: it says which cell to delete/],
    ['invalid JSON', jupyter.slice(0, 100), { cell_id: 'sum', new_source: '' }, /it is no valid JSON/],
    ['comments', `// x\n${jupyter}`, { cell_id: 'sum', new_source: '' }, /it is no valid JSON/],
    [
      'nested deeply',
      `{"cells":[${'['.repeat(100_000)}`,
      { cell_id: 'sum', new_source: '' },
      /nested too deeply|no valid JSON/,
    ],
    ['no cells', '{"cells": {}}', { cell_id: 'sum', new_source: '' }, /it has no list of cells/],
    ['a cell that is none', '{"cells": [5]}', { cell_id: 'cell-0', new_source: '' }, /the cell cell-0 is no object/],
  ])('%s, and nothing is written', async (_, content, input, message) => {
    const [said, left] = await outcomeOf(content, input);
    expect(said).toMatch(message);
    expect(left).toBe(content);
  });

  it('a notebook that was not read, or only in part, or changed since', async () => {
    await put(jupyter);
    const input = { cell_id: 'sum', new_source: 'x' };
    expect(words(await edit(input))).toMatch(/^You have not read n\d+\.ipynb yet/);
    await real.call(readTool as AnyTool, { file_path: name, limit: 1 });
    expect(words(await edit(input))).toMatch(
      /only a part of n\d+\.ipynb \(cells 1–1\)\. Read the rest too \(offset and limit\)/,
    );
    await real.call(readTool as AnyTool, { file_path: name });
    await put(jupyter.replace('words', 'other'));
    expect(words(await edit(input))).toMatch(/has changed on disk since you read it/);
    await put(jupyter);
    const raced = await real.callWith(tool, { notebook_path: name, ...input }, () => put('{}'));
    expect(words(raced)).toMatch(/was changed by something else/);
    expect(await now()).toBe('{}');
  });

  it('links and other files', async () => {
    await put(jupyter);
    await symlink(name, join(real.folder, 'link.ipynb'));
    const input = { cell_id: 'sum', new_source: 'x' };
    expect(words(await real.call(tool, { ...input, notebook_path: 'link.ipynb' }))).toMatch(
      /is a link to .*n\d+\.ipynb/,
    );
    expect(words(await real.call(tool, { ...input, notebook_path: 'a.ts' }))).toMatch(/Use Edit for other files/);
    expect(words(await real.call(tool, { ...input, notebook_path: 'none.ipynb' }))).toMatch(/does not exist/);
  });
});

it('names what it touches, and tells the classifier no contents', () => {
  const input = { notebook_path: 'a.ipynb', cell_id: 'x\u202e', new_source: 'secret', edit_mode: 'replace' as const };
  expect({
    facts: notebookEditTool.facts(input, samplePlace),
    observable: notebookEditTool.observableInput(input, samplePlace),
    summary: notebookEditTool.getToolUseSummary(input, samplePlace),
    classifier: notebookEditTool.toAutoClassifierInput(input),
    governedBy: notebookEditTool.governedBy,
    safe: [notebookEditTool.isConcurrencySafe(input), notebookEditTool.isReadOnly(input)],
  }).toEqual({
    facts: [{ kind: 'path', access: 'write', path: '/srv/app/a.ipynb' }],
    observable: { ...input, notebook_path: '/srv/app/a.ipynb' },
    summary: 'a.ipynb, replace cell x\\u{202e}',
    classifier: 'change a.ipynb: replace a cell, 6 characters',
    governedBy: ['Edit'],
    safe: [false, false],
  });
});
