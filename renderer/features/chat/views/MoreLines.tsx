/** The line that stands for what a card leaves out; shows it on demand. */
export function MoreLines({ count, onShow }: { readonly count: number; readonly onShow: () => void }) {
  return (
    <button
      type="button"
      data-more-lines
      onClick={onShow}
      className="my-1 block w-full border-line border-y bg-panel px-3.5 py-1 text-left font-sans text-muted text-small hover:bg-hover hover:text-text"
    >
      Show {count.toLocaleString('en')} more {count === 1 ? 'line' : 'lines'}
    </button>
  );
}
