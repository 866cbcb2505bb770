// All that the page gets of Electron: one object that carries text.
import { contextBridge, ipcRenderer } from 'electron';
import { channels } from './channels';

contextBridge.exposeInMainWorld('gatehouse', {
  send: (message: string): void => ipcRenderer.send(channels.message, message),
  onMessage(listener: (message: string) => void): () => void {
    const pass = (_event: unknown, message: string): void => listener(message);
    ipcRenderer.on(channels.message, pass);
    return () => ipcRenderer.off(channels.message, pass);
  },
});
ipcRenderer.send(channels.open);
