import '@xterm/xterm/css/xterm.css';
import type { FitAddon } from '@xterm/addon-fit';
import type { ITheme, Terminal } from '@xterm/xterm';
import { useEffect, useRef, useState } from 'react';
import { type OutputLink, OutputViewer } from './outputViewer';

const minRows = 1;
const maxRows = 16;

interface Props {
  readonly link: OutputLink;
  readonly sessionId: string;
  readonly callId: string;
  /** The whole output's length so far, and when it last grew (epoch ms). */
  readonly onActivity: (totalChars: number, at: number) => void;
}

/** The output of a running call in a real terminal: colours, redraws, flow control. Takes no input. */
export function LiveTerminal({ link, sessionId, callId, onActivity }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [skipped, setSkipped] = useState(0);
  const report = useRef(onActivity);
  useEffect(() => {
    report.current = onActivity;
  }, [onActivity]);

  useEffect(() => {
    let dispose: () => void = () => undefined;
    let unmounted = false;
    void Promise.all([import('@xterm/xterm'), import('@xterm/addon-fit')]).then(([xterm, fit]) => {
      if (unmounted || box.current === null) return;
      dispose = run({
        terminal: new xterm.Terminal(terminalOptions(box.current)),
        fit: new fit.FitAddon(),
        element: box.current,
        connect: (terminal, grow) =>
          new OutputViewer({
            link,
            sessionId,
            callId,
            screen: {
              write: (text, done) =>
                terminal.write(text, () => {
                  grow();
                  done();
                }),
              reset: (count) => {
                terminal.reset();
                setSkipped((before) => before + count);
              },
              onActivity: (total) => report.current(total, Date.now()),
            },
          }),
      });
    });
    return () => {
      unmounted = true;
      dispose();
    };
  }, [link, sessionId, callId]);

  return (
    <div className="px-3.5 py-2">
      {skipped > 0 && (
        <p className="pb-1 text-dim text-small">
          {skipped.toLocaleString('en')} characters came faster than they could be shown and are left out here.
        </p>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields, this is output. */}
      <div ref={box} role="group" aria-label="Live output" className="min-h-[18px] overflow-hidden" />
    </div>
  );
}

/** Opens the terminal in its element and keeps size and colours right; returns how to end it all. */
function run(options: {
  readonly terminal: Terminal;
  readonly fit: FitAddon;
  readonly element: HTMLElement;
  readonly connect: (terminal: Terminal, grow: () => void) => OutputViewer;
}): () => void {
  const { terminal, fit, element } = options;
  terminal.loadAddon(fit);
  terminal.open(element);
  // The terminal takes no input, so every key stays with the page: Tab must not be trapped.
  terminal.attachCustomKeyEventHandler(() => false);
  const grow = () => {
    const used = terminal.buffer.active.baseY + terminal.buffer.active.cursorY + 1;
    const rows = Math.min(maxRows, Math.max(minRows, used, terminal.rows));
    const columns = fit.proposeDimensions()?.cols ?? terminal.cols;
    if (rows !== terminal.rows || columns !== terminal.cols) terminal.resize(columns, rows);
  };
  grow();
  const size = new ResizeObserver(grow);
  size.observe(element);
  const theme = new MutationObserver(() => {
    terminal.options.theme = themeOf(element);
  });
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  const viewer = options.connect(terminal, grow);
  return () => {
    viewer.dispose();
    size.disconnect();
    theme.disconnect();
    terminal.dispose();
  };
}

function terminalOptions(element: HTMLElement) {
  return {
    disableStdin: true,
    rows: minRows,
    scrollback: 5_000,
    fontFamily: '"JetBrains Mono Variable", ui-monospace, monospace',
    fontSize: 12,
    lineHeight: 1.25,
    cursorBlink: false,
    cursorStyle: 'bar',
    cursorInactiveStyle: 'none',
    minimumContrastRatio: 4.5,
    // The width of the scroll bar; the default is as wide as a column of text.
    overviewRuler: { width: 8 },
    theme: themeOf(element),
  } as const;
}

function themeOf(element: HTMLElement): ITheme {
  // References to other variables come resolved from the computed style.
  const style = getComputedStyle(element);
  const value = (name: string) => style.getPropertyValue(name).trim();
  const ansi = Array.from({ length: 16 }, (_, index) => value(`--ansi-${index}`));
  return {
    background: value('--code'),
    foreground: value('--text'),
    cursor: value('--muted'),
    selectionBackground: value('--line-strong'),
    scrollbarSliderBackground: value('--line-strong'),
    scrollbarSliderHoverBackground: value('--control'),
    scrollbarSliderActiveBackground: value('--control'),
    overviewRulerBorder: value('--code'),
    black: ansi[0] ?? '',
    red: ansi[1] ?? '',
    green: ansi[2] ?? '',
    yellow: ansi[3] ?? '',
    blue: ansi[4] ?? '',
    magenta: ansi[5] ?? '',
    cyan: ansi[6] ?? '',
    white: ansi[7] ?? '',
    brightBlack: ansi[8] ?? '',
    brightRed: ansi[9] ?? '',
    brightGreen: ansi[10] ?? '',
    brightYellow: ansi[11] ?? '',
    brightBlue: ansi[12] ?? '',
    brightMagenta: ansi[13] ?? '',
    brightCyan: ansi[14] ?? '',
    brightWhite: ansi[15] ?? '',
  };
}
