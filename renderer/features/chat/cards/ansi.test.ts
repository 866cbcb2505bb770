import { describe, expect, test } from 'vitest';
import { type AnsiStyle, colouredPieces, parseAnsi, plainStyle, plainText, withoutColours } from './ansi';

const esc = '\u001b';
const styled = (style: Partial<AnsiStyle>): AnsiStyle => ({ ...plainStyle, ...style });

describe('text that remains', () => {
  const cases: readonly [name: string, input: string, expected: string][] = [
    ['plain lines', 'a\nb\n', 'a\nb'],
    ['an empty line in between', 'a\n\nb', 'a\n\nb'],
    ['Windows line ends', 'a\r\nb\r\n', 'a\nb'],
    ['progress redrawn by carriage return', '10%\r20%\r100%\n', '100%'],
    ['a shorter redraw leaves the rest, as a terminal does', 'abcdef\rXY', 'XYcdef'],
    ['a redraw with erase to the end', `abcdef\rXY${esc}[K`, 'XY'],
    ['a redraw with erase of the whole line', `abcdef${esc}[2K\rXY`, 'XY'],
    ['backspace', 'abd\bc', 'abc'],
    ['a spinner that goes back to the first column', `|${esc}[1G${esc}[0K/${esc}[1G${esc}[0Kdone\n`, 'done'],
    ['moves within the line', `abc${esc}[2DX${esc}[CY${esc}[GZ${esc}[99D!`, '!XcY'],
    ['a move beyond the end leaves blanks', `a${esc}[4Gb`, 'a  b'],
    ['tabs stay', 'a\tb', 'a\tb'],
    ['bell and NUL go', 'a\u0007\u0000b', 'ab'],
    ['cursor moves go', `a${esc}[2Ab${esc}[10;5Hc${esc}[?25l`, 'abc'],
    ['title by OSC with BEL', `${esc}]0;title\u0007text`, 'text'],
    ['hyperlink by OSC with ST', `${esc}]8;;https://e.x${esc}\\link${esc}]8;;${esc}\\`, 'link'],
    ['clipboard write by OSC 52', `a${esc}]52;c;cm0gLXJm\u0007b`, 'ab'],
    ['device control string', `a${esc}P1$r0m${esc}\\b`, 'ab'],
    ['privacy and application strings', `a${esc}^x${esc}\\${esc}_y${esc}\\b`, 'ab'],
    ['eight-bit CSI and OSC', 'a\u009b31mb\u009d0;t\u0007c', 'abc'],
    ['charset selection', `${esc}(Ba`, 'a'],
    ['incomplete CSI at the end', `ok${esc}[38;5`, 'ok'],
    ['incomplete OSC at the end', `ok${esc}]0;titl`, 'ok'],
    ['a lone escape at the end', `ok${esc}`, 'ok'],
    ['a broken sequence swallows no newline', `a${esc}[3\nb`, 'a\nb'],
    ['characters outside the basic plane', 'a😀b', 'a😀b'],
    ['markup stays text', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ];
  test.each(cases)('%s', (_name, input, expected) => {
    expect(plainText(parseAnsi(input))).toBe(expected);
  });
});

describe('styles', () => {
  const palette = (index: number) => ({ kind: 'palette', index }) as const;
  const rgb = (r: number, g: number, b: number) => ({ kind: 'rgb', r, g, b }) as const;
  const cases: readonly [name: string, codes: string, expected: AnsiStyle][] = [
    ['red', '31', styled({ fg: palette(1) })],
    ['bright red', '91', styled({ fg: palette(9) })],
    ['background', '44', styled({ bg: palette(4) })],
    ['bright background', '107', styled({ bg: palette(15) })],
    ['bold and underlined green', '1;4;32', styled({ bold: true, underline: true, fg: palette(2) })],
    ['256: palette part', '38;5;9', styled({ fg: palette(9) })],
    ['256: cube', '38;5;208', styled({ fg: rgb(255, 135, 0) })],
    ['256: grey', '48;5;244', styled({ bg: rgb(128, 128, 128) })],
    ['true colour', '38;2;1;2;3', styled({ fg: rgb(1, 2, 3) })],
    ['true colour with colons', '38:2:1:2:3', styled({ fg: rgb(1, 2, 3) })],
    ['what follows an extended colour', '38;5;1;1', styled({ fg: palette(1), bold: true })],
    ['colour out of range', '38;5;300', plainStyle],
    ['truncated true colour', '38;2;1', plainStyle],
    ['reset', '1;31;0', plainStyle],
    ['empty means reset', '', plainStyle],
    ['bold off', '1;22', plainStyle],
    ['dim, italic, inverse, strike', '2;3;7;9', styled({ dim: true, italic: true, inverse: true, strike: true })],
    ['each switched off', '2;3;4;7;9;31;41;22;23;24;27;29;39;49', plainStyle],
    ['a private sequence is no style', '>4;2', plainStyle],
    ['unknown numbers', '73', plainStyle],
  ];
  test.each(cases)('%s', (_name, codes, expected) => {
    expect(parseAnsi(`${esc}[${codes}mx`)).toEqual([[{ text: 'x', style: expected }]]);
  });

  test('a style lasts over lines and makes spans', () => {
    const red = styled({ fg: palette(1) });
    expect(parseAnsi(`a${esc}[31mb\nc${esc}[md`)).toEqual([
      [
        { text: 'a', style: plainStyle },
        { text: 'b', style: red },
      ],
      [
        { text: 'c', style: red },
        { text: 'd', style: plainStyle },
      ],
    ]);
  });

  test('an endless line is cut', () => {
    expect(plainText(parseAnsi('x'.repeat(50_000))).length).toBe(10_000);
  });
});

describe('colours of a file', () => {
  test('are taken out with their places, and go on in the next row', () => {
    const first = colouredPieces(`a${esc}[31mb`);
    expect(first.pieces.map(({ at, text }) => [at, text])).toEqual([
      [0, 'a'],
      [6, 'b'],
    ]);
    expect(colouredPieces('c', first.style).pieces[0]?.style.fg).toEqual({ kind: 'palette', index: 1 });
  });

  test('leave every other sequence as text', () => {
    const text = `a${esc}[2Kb${esc}[1Ac${esc}]0;t\u0007`;
    expect(withoutColours(text)).toBe(text);
    expect(withoutColours(`${esc}[1;32mok${esc}[m`)).toBe('ok');
  });
});
