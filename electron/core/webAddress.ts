import { RpcError } from '#shared/rpc/errors';

/**
 * An address that may be handed to the person's browser, as the browser will read it. Throws RpcError `refused` for
 * anything but http and https, because other schemes can start programs, and for addresses with a name and password in
 * them, which look like another host.
 */
export function webAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new RpcError(
      'refused',
      'Only http and https addresses are opened. Copy the text and open it yourself if you trust it.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new RpcError('refused', `This address leads to ${url.host} and hides it behind a name. It is not opened.`);
  }
  return url.href;
}
