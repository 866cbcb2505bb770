import { visiblePieces } from './visibleCharacters';

/**
 * Text in which control, zero-width and direction characters stand as named tokens, so that what is approved is what is
 * seen. Keeps line breaks; put it inside an element with `whitespace-pre-wrap`.
 */
export function VisibleText({ text }: { readonly text: string }) {
  return (
    // Isolated and left to right: nothing inside can reorder what stands around it.
    <bdi dir="ltr">
      {visiblePieces(text).map((piece) =>
        piece.kind === 'text' ? (
          <span key={piece.at}>{piece.text}</span>
        ) : (
          <span
            key={piece.at}
            title={`${piece.name}, ${piece.code}`}
            className="mx-px whitespace-nowrap rounded-small border border-ask bg-ask-tint px-1 text-head font-semibold text-ask"
          >
            {piece.code} {piece.name}
          </span>
        ),
      )}
    </bdi>
  );
}
