// How the content of a PowerShell rule matches. No parser here understands PowerShell, so a refusal looks at every place
// where a command may begin and would rather stop too much than too little.
import { compileCommand, normaliseBlanks } from './matchCommand';

/** Names that PowerShell itself gives to cmdlets, in small letters. */
const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'add-content': 'ac',
    'clear-content': 'clc',
    'clear-item': 'cli',
    'copy-item': 'copy cp cpi',
    'foreach-object': '%',
    'get-childitem': 'dir gci ls',
    'get-command': 'gcm',
    'get-content': 'cat gc type',
    'get-item': 'gi',
    'get-itemproperty': 'gp',
    'get-location': 'gl pwd',
    'get-process': 'gps ps',
    'get-service': 'gsv',
    'invoke-command': 'icm',
    'invoke-expression': 'iex',
    'invoke-item': 'ii',
    'invoke-restmethod': 'irm',
    'invoke-webrequest': 'curl iwr wget',
    'import-module': 'ipmo',
    'move-item': 'mi move mv',
    'new-item': 'ni',
    'remove-item': 'del erase rd ri rm rmdir',
    'remove-itemproperty': 'rp',
    'rename-item': 'ren rni',
    'select-string': 'sls',
    'set-content': 'sc',
    'set-item': 'si',
    'set-itemproperty': 'sp',
    'set-location': 'cd chdir sl',
    'start-process': 'saps start',
    'stop-process': 'kill spps',
    'stop-service': 'spsv',
    'where-object': '? where',
    'write-output': 'echo write',
  }).flatMap(([cmdlet, names]) => names.split(' ').map((name): [string, string] => [name, cmdlet])),
);

/** The first word as the cmdlet or program that it means: no folder or module before it, no ending, no alias. */
function withPlainName(text: string): string {
  const [first = ''] = text.split(' ', 1);
  const name = first.replace(/^.*[\\/]/, '').replace(/\.(exe|cmd|bat|com|ps1)$/, '');
  return `${aliases.get(name) ?? name}${text.slice(first.length)}`;
}

/** Texts of a line that a rule may mean, in small letters: the line, and from each place where a command may begin. */
function formsOf(line: string): readonly string[] {
  // A backtick before a letter is nothing; at the end of a line it goes on.
  const text = normaliseBlanks(
    line
      .replace(/`\r?\n/g, ' ')
      .replace(/`/g, '')
      .trim(),
  ).toLowerCase();
  const begun = [text.split(/[;|&\r\n{}()]+/), text.split(/[;|&\r\n{}()'",=]+|(?<=^|\s)\.(?=\s)/)].flat();
  const named = begun.map((piece) => piece.replace(/^\s*(['"])(?:[^'"]*[\\/])?([^'"\\/]*)\1/, '$2'));
  const pieces = [text, ...begun, ...[text, ...begun, ...named].map((piece) => piece.replace(/['"]/g, ''))];
  const even = pieces.map((piece) => normaliseBlanks(piece.trim())).filter((piece) => piece !== '');
  return [...new Set(even.flatMap((piece) => [piece, withPlainName(piece)]))];
}

/** Compiles the content of a PowerShell rule; upper and lower case are one, aliases are their cmdlets. */
export function compilePowerShell(content: string): (line: string) => boolean {
  const written = content.toLowerCase();
  const word = /^[^\s*:]+(?=$|\s|:\*$)/.exec(written)?.[0] ?? '';
  const patterns = [...new Set([written, withPlainName(word) + written.slice(word.length)])].map(compileCommand);
  return (line) => formsOf(line).some((form) => patterns.some((pattern) => pattern.matches(form)));
}

/** Whether a line may run what is not written in it. */
export function mayHideCommands(line: string): boolean {
  return /[$`]|\biex\b|invoke-|-e(nc|c)?\b|-encodedcommand|\[scriptblock\]/i.test(line);
}
