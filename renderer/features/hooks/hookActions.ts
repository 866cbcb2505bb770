// Writing hooks, with the way back beside what was done.
import type { HookChange } from '#shared/api/hooks';
import { host } from '../../host/client';
import { useHooksPage } from '../../stores/hooksPage';
import { useSession } from '../../stores/session';
import { messageOf, reportFailure, useToasts } from '../../stores/toasts';

/** Writes a change and offers to undo it. Gives why it was not written; empty when it was. */
export async function saveHook(change: HookChange, done: string): Promise<string> {
  const { sessionId } = useSession.getState();
  if (sessionId === null) return 'No session is open.';
  try {
    const { step } = await host().call('hooks.save', { sessionId, change });
    useToasts.getState().show({
      level: 'info',
      title: done,
      text: step.files.length === 0 ? 'It stood there already.' : `Written to ${step.files.join(', ')}.`,
      ...(step.files.length === 0 ? {} : { action: { label: 'Undo', run: () => void undo(step.id) } }),
    });
    await useHooksPage.getState().load();
    return '';
  } catch (error) {
    void useHooksPage.getState().load();
    return messageOf(error);
  }
}

async function undo(step: string): Promise<void> {
  try {
    await host().call('rules.undo', { step });
    useToasts.getState().show({ level: 'info', title: 'The change was undone.', text: '' });
  } catch (error) {
    reportFailure('The change was not undone.', error);
  }
  await useHooksPage.getState().load();
}
