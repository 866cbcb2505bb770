import type { CSSProperties } from 'react';
import { type AnsiColor, type AnsiLine, type AnsiStyle, plainStyle } from '../cards/ansi';

/** Lines of command output as text nodes; colours come from the theme. */
export function AnsiText({ lines, wrap }: { readonly lines: readonly AnsiLine[]; readonly wrap: boolean }) {
  return (
    <pre className={`font-mono text-mono ${wrap ? 'chat-verbatim' : 'w-max min-w-full'}`}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one output have no other identity and never move.
        <div key={index} className="min-h-[18px]">
          {line.map((span, part) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            <span key={part} style={span.style === plainStyle ? undefined : cssOf(span.style)}>
              {span.text}
            </span>
          ))}
        </div>
      ))}
    </pre>
  );
}

/** How a style looks, with the colours of the theme. */
export function cssOf(style: AnsiStyle): CSSProperties {
  const fg = style.fg === null ? undefined : foreground(style.fg);
  const bg = style.bg === null ? undefined : background(style.bg);
  const lines = [style.underline ? 'underline' : '', style.strike ? 'line-through' : ''].filter((name) => name !== '');
  return {
    color: style.inverse ? 'var(--code)' : fg,
    backgroundColor: style.inverse ? (fg ?? 'var(--muted)') : bg,
    fontWeight: style.bold ? 600 : undefined,
    fontStyle: style.italic ? 'italic' : undefined,
    // Dimmed text must stay readable: it takes the dim colour instead of half the contrast.
    ...(style.dim && fg === undefined && !style.inverse ? { color: 'var(--dim)' } : {}),
    textDecorationLine: lines.length > 0 ? lines.join(' ') : undefined,
  };
}

/** Fixed colours are mixed with the text colour, so that they can be read on both themes. */
function foreground(color: AnsiColor): string {
  return color.kind === 'palette'
    ? `var(--ansi-${color.index})`
    : `color-mix(in oklab, rgb(${color.r} ${color.g} ${color.b}) 60%, var(--text))`;
}

function background(color: AnsiColor): string {
  const tone = color.kind === 'palette' ? `var(--ansi-${color.index})` : `rgb(${color.r} ${color.g} ${color.b})`;
  return `color-mix(in oklab, ${tone} 28%, var(--code))`;
}
