// What only a desktop can do for the page: the system's folder dialog and the person's browser.
import { BrowserWindow, dialog, type OpenDialogOptions, shell } from 'electron';
import { webAddress } from '../core/webAddress';

/** The folder that the person chose, null when cancelled. */
export async function pickFolder(): Promise<string | null> {
  const options: OpenDialogOptions = { title: 'Open a folder', properties: ['openDirectory', 'createDirectory'] };
  const window = BrowserWindow.getFocusedWindow();
  const { canceled, filePaths } = await (window === null
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(window, options));
  return canceled ? null : (filePaths[0] ?? null);
}

/** Opens a web address in the person's browser. Throws RpcError `refused` for what could start programs. */
export async function openExternal(address: string): Promise<void> {
  await shell.openExternal(webAddress(address));
}
