// Pages of a PDF: which ones are asked for, and how they are shown.
import { grouped } from '../wording';

/** Pages at most in one call; without being asked for, half of that. */
export const mostPages = 20;
export const unaskedPages = 10;

export interface PageRange {
  readonly first: number;
  readonly last: number;
}

/** The range in `3`, `1-5`; null when it is none. */
export function parsePages(text: string): PageRange | null {
  const [, from, to] = /^\s*(\d{1,9})\s*(?:[-–]\s*(\d{1,9})\s*)?$/.exec(text) ?? [];
  if (from === undefined) return null;
  const first = Number(from);
  const last = to === undefined ? first : Number(to);
  return first >= 1 && last >= first ? { first, last } : null;
}

export interface PdfPages {
  readonly totalPages: number;
  readonly pages: readonly { readonly page: number; readonly text: string; readonly cut: boolean }[];
}

/** The pages that are shown: what no longer fitted is left out, but for a first page that is too long by itself. */
export function shownPages({ pages }: PdfPages): PdfPages['pages'] {
  const cut = pages.findIndex((page) => page.cut);
  return cut < 0 ? pages : pages.slice(0, Math.max(1, cut));
}

/** The text page by page, and a notice when there are more. */
export function pdfText(pdf: PdfPages): string {
  const total = grouped(pdf.totalPages);
  const pages = shownPages(pdf);
  const parts = pages.map(({ page, text, cut }) => {
    const head = `[Page ${grouped(page)} of ${total}]`;
    if (text.trim() === '') {
      return `${head}\n[No text: the page is empty or a picture, such as a scan. To see it, turn it into an image with a program through Bash (for example pdftoppm) and read that.]`;
    }
    return `${head}\n${text}${cut ? '\n[page cut: it has more text than one call gives]' : ''}`;
  });
  const [first] = pages;
  const last = pages.at(-1);
  if (first !== undefined && last !== undefined && last.page < pdf.totalPages) {
    const next = `${last.page + 1}-${Math.min(pdf.totalPages, last.page + mostPages)}`;
    parts.push(
      `[PARTIAL: pages ${grouped(first.page)} to ${grouped(last.page)} of ${total}. Read on with pages "${next}".]`,
    );
  }
  return parts.join('\n\n');
}
