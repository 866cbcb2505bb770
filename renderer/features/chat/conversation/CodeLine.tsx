import type { CodeToken } from './highlight';

/** One line of code, coloured where tokens are there. */
export function CodeLine({
  text,
  tokens,
}: {
  readonly text: string;
  readonly tokens: readonly CodeToken[] | undefined;
}) {
  if (tokens === undefined) return <>{text}</>;
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens of one line have no other identity and never move.
    <span key={index} style={token.color === undefined ? undefined : { color: token.color }}>
      {token.text}
    </span>
  ));
}
