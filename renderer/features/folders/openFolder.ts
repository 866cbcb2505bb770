import { host } from '../../host/client';
import { useApp } from '../../stores/app';
import { reportFailure, useToasts } from '../../stores/toasts';
import { useUi } from '../../stores/ui';

/** Lets the person choose a folder and starts a session on it: the system's dialog where there is one, else our own. */
export async function openFolder(): Promise<void> {
  const { hello, connection } = useApp.getState();
  if (connection.status === 'open' && hello?.capabilities.includes('pickFolder') === true) {
    try {
      const { path } = await host().call('host.pickFolder', {});
      if (path !== null) await startIn(path);
    } catch (error) {
      reportFailure('The folder dialog could not be shown.', error);
    }
    return;
  }
  useUi.getState().setDialog('folder');
}

/** Starts a session on a folder that is already known; a failure becomes a toast. */
export async function startIn(folder: string): Promise<void> {
  const problem = await useApp.getState().createSession(folder);
  if (problem !== null) {
    useToasts.getState().show({ level: 'error', title: `No session was started in ${folder}.`, text: problem });
  }
}
