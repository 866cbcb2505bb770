// Servers given at launch: `--mcp-config FILE|JSON …` and `--strict-mcp-config`.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fail, ok, type Result } from '#shared/util/result';
import { readSettingsText } from '../settings/settingsText';

/** What `--mcp-config` gave: files or JSON. `strict`: nothing else counts. */
export interface LaunchServers {
  readonly sources: readonly ({ readonly file: string } | { readonly value: unknown })[];
  readonly strict: boolean;
}

const isJson = (word: string): boolean => word.trimStart().startsWith('{');

/** Takes the options about servers out of a command line; null when there are none. Errors are for people. */
export function takeServers(
  words: readonly string[],
  options: { readonly cwd: string },
): Result<{ readonly rest: readonly string[]; readonly servers: LaunchServers | null }> {
  const rest: string[] = [];
  const given: string[] = [];
  let strict = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--strict-mcp-config') strict = true;
    else if (word.startsWith('--mcp-config=')) given.push(word.slice('--mcp-config='.length));
    else if (word === '--mcp-config') {
      const first = words[at + 1];
      if (first === undefined || first.startsWith('--')) return fail('--mcp-config needs a value.');
      given.push(first);
      at += 1;
      // More of them may follow; a word that is none is left to whoever wants it.
      for (
        let next = words[at + 1];
        next !== undefined && (isJson(next) || next.endsWith('.json'));
        next = words[at + 1]
      ) {
        given.push(next);
        at += 1;
      }
    } else rest.push(word);
  }
  if (given.length === 0 && !strict) return ok({ rest, servers: null });
  const sources: LaunchServers['sources'][number][] = [];
  for (const one of given) {
    const source = sourceOf(one, options.cwd);
    if (!source.ok) return source;
    sources.push(source.value);
  }
  return ok({ rest, servers: { sources, strict } });
}

function sourceOf(value: string, cwd: string): Result<LaunchServers['sources'][number]> {
  if (isJson(value)) {
    const read = readSettingsText(value);
    if (read.ok) return ok({ value: read.value.value });
    return fail(`--mcp-config: column ${read.error.column} of the JSON: ${read.error.message}.`);
  }
  const file = resolve(cwd, value);
  if (value.trim() === '' || statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    return fail(`--mcp-config ${file}: there is no such file.`);
  return ok({ file });
}
