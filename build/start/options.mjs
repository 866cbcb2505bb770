// What may stand after `npm start --`.
import { parseArgs } from 'node:util';

export const usage = `npm start -- [options]

  --folder DIR               the folder to open at first
  --host desktop|loopback    a window of its own, or a page in the browser (default: what works here)
  --port N                   port of the loopback host (default: a free one)
  --no-open                  do not open the browser
  --allow-bypass             offer the mode that asks for nothing
  --help                     this text`;

/**
 * The options {folder, host, port, open, allowBypass, help}, or {error} with what is wrong. `isFolder` answers whether a path is a
 * folder; `toAbsolute` makes a path absolute from where the person stands.
 */
export function parseOptions({ args, isFolder, toAbsolute }) {
  let values;
  try {
    ({ values } = parseArgs({
      args,
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
    help: values.help,
  };
}
