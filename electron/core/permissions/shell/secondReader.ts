// What tree-sitter-bash sees in a command line: the same shape as the first reading, so that the two can be compared.
import type { Node } from 'web-tree-sitter';
import { secondParser } from './treeSitter';

/** A command as the second parser found it: texts as written. */
export interface SecondCommand {
  readonly assignments: readonly string[];
  readonly words: readonly string[];
}

export interface SecondReading {
  /** False when the text holds an error for this parser, or when the parser is not loaded. */
  readonly sound: boolean;
  readonly commands: readonly SecondCommand[];
  /** Redirects without blanks: `2>&1`, `>out.txt`. */
  readonly redirects: readonly string[];
}

const redirectTypes: ReadonlySet<string> = new Set(['file_redirect', 'herestring_redirect', 'heredoc_redirect']);

/** Only what holds one of these can hold another command. */
const mayHoldCommands = /[$`(]/;

function readCommand(node: Node, found: Found): SecondCommand {
  const assignments: string[] = [];
  const words: string[] = [];
  for (const child of node.children) {
    if (child === null) continue;
    const { type } = child;
    if (redirectTypes.has(type)) {
      visit(child, type, found);
      continue;
    }
    if (type === 'comment') continue;
    const { text } = child;
    if (mayHoldCommands.test(text)) visit(child, type, found);
    if (type === 'variable_assignment' && words.length === 0) assignments.push(text);
    else if (text !== '') words.push(text);
  }
  // This grammar loses a dash that stands alone in front of a here-document.
  const next = node.nextSibling;
  if (next?.type === 'heredoc_redirect' && node.parent !== null) {
    const from = node.parent.startIndex;
    if (node.parent.text.slice(node.endIndex - from, next.startIndex - from).trim() === '-') words.push('-');
  }
  // `time` is a keyword of the shell; this grammar takes it for a program.
  if (words[0] === 'time' && words.length > 1 && words[1]?.startsWith('-') !== true) words.shift();
  return { assignments, words };
}

interface Found {
  readonly commands: SecondCommand[];
  readonly redirects: string[];
}

function visit(node: Node, type: string, found: Found): void {
  switch (type) {
    case 'word':
    case 'number':
    case 'raw_string':
    case 'variable_name':
    case 'comment':
      return;
    case 'command':
    case 'declaration_command':
    case 'unset_command':
      found.commands.push(readCommand(node, found));
      return;
    case 'test_command':
      found.commands.push({ assignments: [], words: [node.text] });
      break;
    case 'variable_assignments':
      found.commands.push({ assignments: node.namedChildren.map((child) => child?.text ?? ''), words: [] });
      break;
    case 'variable_assignment': {
      const parent = node.parent?.type;
      if (parent !== 'command' && parent !== 'declaration_command' && parent !== 'variable_assignments')
        found.commands.push({ assignments: [node.text], words: [] });
      break;
    }
    case 'file_redirect':
    case 'herestring_redirect':
      found.redirects.push(node.text.replace(/\s+/g, ''));
      break;
    default:
      break;
  }
  for (const child of node.namedChildren) if (child !== null) visit(child, child.type, found);
}

/** Reads the text. Never throws. */
export function readSecond(text: string): SecondReading {
  const tree = secondParser()?.parse(text) ?? null;
  if (tree === null) return { sound: false, commands: [], redirects: [] };
  try {
    const found: Found = { commands: [], redirects: [] };
    const root = tree.rootNode;
    visit(root, root.type, found);
    return { sound: !root.hasError, ...found };
  } catch (error) {
    // Nested deeper than the stack: not understood.
    if (error instanceof RangeError) return { sound: false, commands: [], redirects: [] };
    throw error;
  } finally {
    tree.delete();
  }
}
