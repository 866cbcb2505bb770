import { fstatSync } from 'node:fs';

/** Whether something is piped or redirected into this descriptor: no terminal, no /dev/null. Node pipes by sockets. */
function isPiped(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFIFO() || stats.isFile() || stats.isSocket();
  } catch {
    // A closed descriptor.
    return false;
  }
}

/**
 * Reads all that is piped in, as UTF-8; null where nothing is. Gives up, with null, when not a single byte came within
 * `patienceMs`: programs often leave an open pipe behind that nobody writes to.
 */
export async function readPiped(
  stream: NodeJS.ReadStream & { readonly fd: number },
  { patienceMs }: { readonly patienceMs: number | null },
): Promise<string | null> {
  if (!isPiped(stream.fd)) return null;
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const finish = (text: string | null): void => {
      clearTimeout(timer);
      stream.removeAllListeners();
      stream.pause();
      resolve(text);
    };
    const timer =
      patienceMs === null
        ? undefined
        : setTimeout(() => {
            if (chunks.length > 0) return;
            finish(null);
            // The open pipe must not keep the program alive.
            stream.destroy();
          }, patienceMs);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => finish(Buffer.concat(chunks).toString('utf8')));
    stream.on('error', reject);
  });
}
