// What only a desktop can do for the page: the system's folder dialog and the person's browser.
import { BrowserWindow, dialog, type OpenDialogOptions, shell } from 'electron';
import { RpcError } from '#shared/rpc/errors';

/** The folder that the person chose, null when cancelled. */
export async function pickFolder(): Promise<string | null> {
  const options: OpenDialogOptions = { title: 'Open a folder', properties: ['openDirectory', 'createDirectory'] };
  const window = BrowserWindow.getFocusedWindow();
  const { canceled, filePaths } = await (window === null
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(window, options));
  return canceled ? null : (filePaths[0] ?? null);
}

/** Opens a web address. Throws RpcError `refused` for anything but http and https: other schemes can start programs. */
export async function openExternal(address: string): Promise<void> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new RpcError(
      'refused',
      'Only http and https addresses are opened. Copy the text and open it yourself if you trust it.',
    );
  }
  await shell.openExternal(url.href);
}
