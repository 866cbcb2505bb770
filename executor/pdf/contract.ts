// What goes between the executor and the worker that reads PDF files.

export interface PdfRequest {
  readonly bytes: Uint8Array;
  /** From 1, both included; null: all when there are at most `unasked`, else none. */
  readonly pages: { readonly first: number; readonly last: number } | null;
  readonly unasked: number;
  readonly maxChars: number;
}

export type PdfAnswer =
  | {
      readonly kind: 'read';
      readonly totalPages: number;
      readonly pages: readonly { readonly page: number; readonly text: string; readonly cut: boolean }[];
    }
  | { readonly kind: 'locked' }
  | { readonly kind: 'damaged'; readonly reason: string };
