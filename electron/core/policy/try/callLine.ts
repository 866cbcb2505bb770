// A call as a person writes it: `git push`, `Read src/a.ts`, `Bash(git push)`, `mcp__git__push {"remote":"origin"}`.
import { knownTools, otherCase } from '#shared/permissions/deadRules';
import { fail, ok, type Result } from '#shared/util/result';
import { closeMatches } from '../../tools/closeMatches';

export interface WrittenCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Fields that the line does not hold and that were filled in so that the call is whole. */
  readonly filledIn: readonly string[];
}

/** The field that a line's rest stands for. */
const mainField: ReadonlyMap<string, string> = new Map([
  ['Bash', 'command'],
  ['PowerShell', 'command'],
  ['REPL', 'code'],
  ['Read', 'file_path'],
  ['Write', 'file_path'],
  ['Edit', 'file_path'],
  ['MultiEdit', 'file_path'],
  ['NotebookEdit', 'notebook_path'],
  ['Glob', 'pattern'],
  ['Grep', 'pattern'],
  ['ListDirectory', 'path'],
  ['WebFetch', 'url'],
  ['WebSearch', 'query'],
  ['Agent', 'subagent_type'],
  ['Task', 'subagent_type'],
  ['Skill', 'skill'],
  ['ToolSearch', 'query'],
]);

/** What a whole call needs beside its main field; rules do not look at it. */
const fillers: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map<string, Record<string, unknown>>([
  ['Write', { content: '' }],
  ['Edit', { old_string: 'old', new_string: 'new' }],
  ['MultiEdit', { edits: [{ old_string: 'old', new_string: 'new' }] }],
  ['NotebookEdit', { cell_id: '0', new_source: '' }],
  ['WebFetch', { prompt: 'What does it say?' }],
  ['Agent', { description: 'Try', prompt: 'Try' }],
  ['Task', { description: 'Try', prompt: 'Try' }],
]);

function whole(tool: string, input: Readonly<Record<string, unknown>>): WrittenCall {
  const missing = Object.entries(fillers.get(tool) ?? {}).filter(([field]) => !Object.hasOwn(input, field));
  return {
    tool,
    input: { ...input, ...Object.fromEntries(missing) },
    filledIn: missing.map(([field]) => field),
  };
}

function fieldsOf(text: string): Result<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return ok({ ...value });
    return fail('The input of a call is an object in braces.');
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return fail(`The text behind the tool’s name is not JSON: ${cause}.`);
  }
}

function callOf(tool: string, rest: string): Result<WrittenCall> {
  const text = rest.trim();
  if (text.startsWith('{') && tool !== 'Bash' && tool !== 'PowerShell' && tool !== 'REPL') {
    const fields = fieldsOf(text);
    return fields.ok ? ok(whole(tool, fields.value)) : fields;
  }
  const field = mainField.get(tool);
  if (text === '') return field === undefined ? ok(whole(tool, {})) : fail(`${tool} needs something behind its name.`);
  if (tool.startsWith('mcp__')) return fail(`Give the input of ${tool} as JSON: ${tool} {"name": "value"}.`);
  if (field === undefined) return fail(`Give the input of ${tool} as JSON: ${tool} {"name": "value"}.`);
  const value = tool === 'WebFetch' ? text.replace(/^domain:(?=\S)/, 'https://') : text;
  return ok(whole(tool, { [field]: value }));
}

/** Looks like a tool's name, not like a program's. */
const capital = /^[A-Z][A-Za-z]*$/;

/**
 * Reads a line. `names` are the tools there are, aliases included. What does not begin with a tool's name is a command of
 * the shell. The error is for people and says what to write.
 */
export function readCallLine(line: string, names: readonly string[] = []): Result<WrittenCall> {
  const text = line.trim();
  if (text === '') return fail('Write a call, such as: git push, Read src/a.ts, WebFetch https://example.com.');
  const known = new Set([...knownTools, ...names]);
  const bracket = /^([A-Za-z_][\w-]*)\(([\s\S]*)\)$/.exec(text);
  const [, inBrackets = '', content = ''] = bracket ?? [];
  if (bracket !== null && (known.has(inBrackets) || inBrackets.startsWith('mcp__'))) return callOf(inBrackets, content);
  const [first = ''] = /^\S+/.exec(text) ?? [];
  if (known.has(first) || first.startsWith('mcp__')) return callOf(first, text.slice(first.length));
  const named = bracket === null ? first : inBrackets;
  const meant =
    bracket !== null || capital.test(first) ? (otherCase(named) ?? closeMatches(named, [...known], 1)[0]) : undefined;
  if (meant !== undefined && (capital.test(named) || bracket !== null))
    return fail(
      `There is no tool ${named}. Did you mean ${meant}? To run a program of that name, write Bash(${text}).`,
    );
  return ok(whole('Bash', { command: text }));
}
