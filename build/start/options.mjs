// What may stand after `npm start --`.
import { parseArgs } from 'node:util';

export const usage = `npm start -- [options]

  --folder DIR               the folder to open at first
  --host desktop|loopback    a window of its own, or a page in the browser (default: what works here)
  --port N                   port of the loopback host (default: a free one)
  --no-open                  do not open the browser
  --allow-bypass             offer the mode that asks for nothing
  --settings FILE|JSON       more settings, above the folder's own and below the administrator's
  --allowedTools RULES       rules that allow, for this start: "Bash(npm test) Read(docs/**)"
  --disallowedTools RULES    rules that deny, for this start
  --permission-mode MODE     mode of new sessions: default, plan, acceptEdits, dontAsk, bypassPermissions
  --add-dir DIR              one more working folder; may be given again
  --help                     this text`;

/** Options that the host itself reads, passed on as they are: its spelling → whether it takes words up to the next option. */
const passedOn = new Map([
  ['--settings', false],
  ['--allowedTools', true],
  ['--allowed-tools', true],
  ['--disallowedTools', true],
  ['--disallowed-tools', true],
  ['--permission-mode', false],
  ['--add-dir', true],
]);

/** Paths start where the person stands, not where npm runs the program. JSON is told by its first character. */
function absoluteValue({ name, value, toAbsolute }) {
  if (name === '--add-dir') return toAbsolute(value);
  return name === '--settings' && !value.trimStart().startsWith('{') ? toAbsolute(value) : value;
}

/** Splits the words into those for the host, as `--name=value`, and the rest; {error} where a value is missing. */
function splitWords({ args, toAbsolute }) {
  const forHost = [];
  const rest = [];
  for (let at = 0; at < args.length; at += 1) {
    const [word] = args.slice(at, at + 1);
    const equals = word.indexOf('=');
    const name = equals === -1 ? word : word.slice(0, equals);
    if (!passedOn.has(name)) {
      rest.push(word);
      continue;
    }
    const values = equals === -1 ? [] : [word.slice(equals + 1)];
    const isList = passedOn.get(name);
    while (equals === -1 && (isList || values.length < 1) && at + 1 < args.length && !args[at + 1].startsWith('--'))
      values.push(args[++at]);
    if (values.length === 0 || values.includes('')) return { error: `${name} needs a value` };
    forHost.push(...values.map((value) => `${name}=${absoluteValue({ name, value, toAbsolute })}`));
  }
  return { forHost, rest };
}

/**
 * The options {folder, host, port, open, allowBypass, forHost, help}, or {error} with what is wrong. `isFolder` answers whether a path is a
 * folder; `toAbsolute` makes a path absolute from where the person stands.
 */
export function parseOptions({ args, isFolder, toAbsolute }) {
  const words = splitWords({ args, toAbsolute });
  if (words.error !== undefined) return words;
  let values;
  try {
    ({ values } = parseArgs({
      args: words.rest,
      strict: true,
      allowPositionals: false,
      options: {
        folder: { type: 'string' },
        host: { type: 'string' },
        port: { type: 'string' },
        'no-open': { type: 'boolean', default: false },
        'allow-bypass': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    return { error: error.message.split('. ')[0] };
  }
  const { folder, host, port } = values;
  if (folder !== undefined && !isFolder(toAbsolute(folder)))
    return { error: `--folder ${folder}: there is no such folder` };
  if (host !== undefined && host !== 'desktop' && host !== 'loopback')
    return { error: `--host ${host}: it is either desktop or loopback` };
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535))
    return { error: `--port ${port}: a port is a number from 0 (any free one) to 65535` };
  if (port !== undefined && host === 'desktop') return { error: '--port belongs to --host loopback' };
  return {
    folder: folder === undefined ? undefined : toAbsolute(folder),
    host,
    port: port === undefined ? undefined : Number(port),
    open: !values['no-open'],
    allowBypass: values['allow-bypass'],
    forHost: words.forHost,
    help: values.help,
  };
}
