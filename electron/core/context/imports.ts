// `@path` in a memory file stands for another file. In code it stands for itself.

/** Imports that one file may have. */
const maxImports = 50;

/** The paths that a text imports, as written, in order, each once. */
export function importsIn(text: string): readonly string[] {
  const found = new Set<string>();
  for (const line of proseLines(text))
    for (const match of line.matchAll(/(?:^|[\s(])@((?:\\ |[^\s`\\])+)/g)) {
      const path = (match[1] ?? '').replaceAll('\\ ', ' ').replace(/[.,;:!?)\]}>'"]+$/, '');
      if (/^(~\/|\.{0,2}\/|[\w.-])/.test(path) && found.size < maxImports) found.add(path);
    }
  return [...found];
}

/** Lines outside of fenced code, with code spans taken out. */
function proseLines(text: string): readonly string[] {
  const prose: string[] = [];
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null) {
      if (mark === undefined) prose.push(line);
      else fence = mark;
    } else if (mark?.startsWith(fence) === true && line.trim() === mark) fence = null;
  }
  // A span may go on over a line break, but never over an empty line.
  return prose
    .join('\n')
    .replaceAll(/(?<!`)(`+)(?!`)(?:(?!\n[ \t]*\n)[\s\S])*?(?<!`)\1(?!`)/g, ' ')
    .split('\n');
}
