// What Read found, for the model, for the card and for searching.
import type { ResultBlock } from '#shared/session/events';
import type { View } from '#shared/tools/presentation';
import { languageOf } from '../languages';
import { counted, grouped, headOf } from '../wording';
import { type NotebookPage, notebookBlocks, notebookText } from './notebookPage';
import { columnPage, numberedPage } from './numberedPage';
import { type PdfPages, pdfText, shownPages } from './pdfPages';

/** The card shows at most this much of a page; the model has the whole page. */
const maxShownChars = 50_000;

export type ReadOutput =
  | {
      readonly kind: 'text';
      readonly lines: readonly string[];
      readonly firstLine: number;
      readonly totalLines: number;
      /** The page is the start of one line that is longer than a page. */
      readonly halfLine: boolean;
      /** Why a file that is named as a notebook is shown as text. */
      readonly notice?: string;
    }
  | {
      /** Part of one long line. */
      readonly kind: 'columns';
      readonly text: string;
      readonly line: number;
      readonly column: number;
      readonly lineChars: number;
      readonly totalLines: number;
    }
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'image';
      readonly mediaType: string;
      readonly base64: string;
      readonly width: number;
      readonly height: number;
      /** Of the file, in bytes. */
      readonly size: number;
      /** As it is on disk, where it was changed to be shown. */
      readonly original?: { readonly mediaType: string; readonly width: number; readonly height: number };
    }
  | ({ readonly kind: 'pdf' } & PdfPages)
  | ({ readonly kind: 'notebook' } & NotebookPage);

/** `path` as the model wrote it. */
export function blocksOf(output: ReadOutput, path: string): readonly ResultBlock[] {
  const text = (words: string): readonly ResultBlock[] => [{ type: 'text', text: words }];
  switch (output.kind) {
    case 'image': {
      const { mediaType, base64, width, height, original } = output;
      const image: ResultBlock = { type: 'image', mediaType, base64 };
      if (original === undefined) return [image];
      const was = `${original.width} × ${original.height} pixels (${original.mediaType})`;
      return [image, ...text(`[Shown at ${width} × ${height} pixels; the file has ${was}.]`)];
    }
    case 'empty':
      return text(`${path} exists but is empty.`);
    case 'columns':
      return text(columnPage(output));
    case 'pdf':
      return text(pdfText(output));
    case 'notebook':
      return notebookBlocks(output);
    case 'text':
      return text(
        output.notice === undefined
          ? numberedPage(output)
          : `[Not shown by cells. ${output.notice} This is its text.]\n${numberedPage(output)}`,
      );
  }
}

/** `path` as people see it. */
export function viewOf(output: ReadOutput, path: string): { readonly view: View; readonly note: string } {
  switch (output.kind) {
    case 'image': {
      const { mediaType, base64, width, height, size, original } = output;
      const was = original === undefined ? '' : ` · from ${original.width} × ${original.height}`;
      return {
        view: { kind: 'image', mediaType, base64, alt: path },
        note: `${mediaType} · ${width} × ${height}${was} · ${counted(size, 'byte')}`,
      };
    }
    case 'empty':
      return { view: { kind: 'text', text: '' }, note: 'empty file' };
    case 'columns': {
      const { text, line, column, lineChars } = output;
      const range = `${grouped(column)}–${grouped(column + text.length - 1)} of ${grouped(lineChars)}`;
      return { view: { kind: 'text', text, firstLine: line }, note: `line ${grouped(line)}, characters ${range}` };
    }
    case 'pdf': {
      const pages = shownPages(output);
      const all = pages.length === output.totalPages;
      const range = `pages ${grouped(pages[0]?.page ?? 0)}–${grouped(pages.at(-1)?.page ?? 0)} of ${grouped(output.totalPages)}`;
      return shownText(pdfText(output), { note: all ? counted(output.totalPages, 'page') : range });
    }
    case 'notebook': {
      const { cells, firstCell, totalCells } = output;
      const range = `cells ${grouped(firstCell)}–${grouped(firstCell + cells.length - 1)} of ${grouped(totalCells)}`;
      return shownText(notebookText(output), {
        note: cells.length === totalCells ? counted(totalCells, 'cell') : range,
      });
    }
    case 'text': {
      const { lines, firstLine, totalLines } = output;
      const range = `lines ${grouped(firstLine)}–${grouped(firstLine + lines.length - 1)} of ${grouped(totalLines)}`;
      const note = firstLine === 1 && lines.length === totalLines ? counted(totalLines, 'line') : range;
      const language = languageOf(path);
      return shownText(lines.join('\n'), { note, firstLine, ...(language === undefined ? {} : { language }) });
    }
  }
}

export function searchTextOf(output: ReadOutput): string {
  switch (output.kind) {
    case 'text':
      return output.lines.join('\n');
    case 'columns':
      return output.text;
    case 'pdf':
      return output.pages.map((page) => page.text).join('\n');
    case 'notebook':
      return notebookText(output);
    case 'image':
    case 'empty':
      return '';
  }
}

function shownText(
  text: string,
  { note, ...how }: { readonly note: string; readonly firstLine?: number; readonly language?: string },
): { readonly view: View; readonly note: string } {
  const shown = headOf(text, maxShownChars);
  return { view: { kind: 'text', text: shown, ...how }, note: shown === text ? note : `${note} · start shown here` };
}
