// A notebook as the model and the card see it: cell by cell, each with its id and what it printed.
import type { NotebookCell } from '#shared/api/executor';
import type { ResultBlock } from '#shared/session/events';
import { visibleText } from '../visibleText';
import { grouped, headOf } from '../wording';

export interface NotebookPage {
  readonly language: string;
  readonly cells: readonly NotebookCell[];
  /** From 1. */
  readonly firstCell: number;
  readonly totalCells: number;
}

type Part = string | Extract<ResultBlock, { readonly type: 'image' }>;

/** Texts and images in the order of the notebook. */
export function notebookBlocks(page: NotebookPage): readonly ResultBlock[] {
  const blocks: ResultBlock[] = [];
  let text = `Notebook in ${visibleText(page.language)}, ${grouped(page.totalCells)} cells.`;
  const flush = () => {
    if (text !== '') blocks.push({ type: 'text', text });
    text = '';
  };
  for (const part of page.cells.flatMap((cell, index) => ['', ...cellParts(cell, page.firstCell + index)])) {
    if (typeof part === 'string') text += `${text === '' ? '' : '\n'}${part}`;
    else {
      flush();
      blocks.push(part);
    }
  }
  const next = page.firstCell + page.cells.length;
  if (next <= page.totalCells) {
    const range = `cells ${grouped(page.firstCell)} to ${grouped(next - 1)} of ${grouped(page.totalCells)}`;
    text += `${text === '' ? '' : '\n'}\n[PARTIAL: ${range}. Read on with offset ${next}.]`;
  }
  flush();
  return blocks;
}

/** The same as text alone. */
export function notebookText(page: NotebookPage): string {
  return page.cells
    .flatMap((cell, index) => ['', ...cellParts(cell, page.firstCell + index)])
    .map((part) => (typeof part === 'string' ? part : '[image]'))
    .join('\n')
    .trim();
}

function cellParts(cell: NotebookCell, number: number): Part[] {
  const run = cell.executionCount === null ? '' : `, run ${cell.executionCount}`;
  const head = `[Cell ${grouped(number)}, id ${visibleText(headOf(cell.id, 200))}: ${visibleText(cell.type)}${run}]`;
  const cut = cell.sourceCut > 0 ? [`[cell cut: ${grouped(cell.sourceCut)} more characters]`] : [];
  const outputs = cell.outputs.flatMap((output): Part[] => {
    if (output.kind === 'image') return [{ type: 'image', mediaType: output.mediaType, base64: output.base64 }];
    if (output.kind === 'omitted') return [`[not shown: ${visibleText(output.what)}]`];
    return [output.text.replace(/\n$/, '')];
  });
  return [
    head,
    cell.source,
    ...cut,
    ...(outputs.length === 0 ? [] : [`[Output of cell ${grouped(number)}]`, ...outputs]),
  ];
}
