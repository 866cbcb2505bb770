// What can be done with files of results, wherever it is asked for. Failures are shown as toasts.
import type { ResultFile, TrashBatch } from '#shared/api/results';
import type { ConversationRef } from '#shared/api/search';
import { host } from '../../host/client';
import { useApp } from '../../stores/app';
import { goToPlace } from '../../stores/place';
import { useResultsPage } from '../../stores/resultsPage';
import { reportFailure, useToasts } from '../../stores/toasts';
import { useTranscripts } from '../../stores/transcripts';
import { useUi } from '../../stores/ui';
import { baseName, counted } from '../frame/words';
import { weight } from './list/words';

/** Spares files from clean-up, or no longer. */
export async function keepFiles(files: readonly ResultFile[], kept: boolean): Promise<void> {
  const ids = files.filter((file) => file.kept !== kept).map(({ id }) => id);
  if (ids.length === 0) return;
  try {
    await host().call('results.keep', { ids, kept });
    const foreign = files.some(({ origin }) => origin === 'claudeCode');
    useToasts.getState().show({
      level: 'info',
      title: kept ? `${counted(ids.length, 'file')} kept.` : `${counted(ids.length, 'file')} no longer kept.`,
      text: !kept
        ? 'The clean-up counts from their last change.'
        : foreign
          ? "No clean-up takes them. Of Claude Code's own, a copy lies with the results of Gatehouse."
          : 'No clean-up takes them.',
    });
    await useResultsPage.getState().reload();
  } catch (error) {
    reportFailure(kept ? 'The files were not kept.' : 'The files are still kept.', error);
  }
}

/** Puts text on the clipboard; `what` names it in a sentence: "Path". */
export function copyText(text: string, what: string): void {
  navigator.clipboard.writeText(text).then(
    () => useToasts.getState().show({ level: 'info', title: `${what} copied.`, text: '' }),
    () =>
      useToasts.getState().show({
        level: 'error',
        title: 'Nothing was copied.',
        text: 'The browser refused access to the clipboard. Select the text and copy it with the keyboard.',
      }),
  );
}

/** Shows the call that a file is the result of, in its conversation. */
export async function goToCall(file: ResultFile): Promise<void> {
  const conversation = await conversationOf(file);
  if (conversation === null) {
    useToasts.getState().show({
      level: 'error',
      title: 'The conversation was not found.',
      text: 'Its transcript is gone, or older than those that are listed.',
    });
    return;
  }
  const callId = file.call?.callId ?? null;
  goToPlace({ in: conversation, messageId: null, callId, words: [] });
  if (callId !== null && window.matchMedia('(min-width: 1100px)').matches) useUi.getState().inspectCall(callId);
}

async function conversationOf({ origin, session }: ResultFile): Promise<ConversationRef | null> {
  if (session === null) return null;
  if (origin === 'gatehouse') return { kind: 'session', sessionId: session.id };
  if (useTranscripts.getState().list === null) await useTranscripts.getState().load();
  // Claude Code names a transcript by its session.
  const transcript = useTranscripts.getState().list?.find(({ file }) => baseName(file) === `${session.id}.jsonl`);
  return transcript === undefined ? null : { kind: 'transcript', id: transcript.id };
}

/** Whether the host can show a file in the system's file browser. */
export function canReveal(): boolean {
  return useApp.getState().hello?.capabilities.includes('revealFile') === true;
}

export async function revealFile(id: string): Promise<void> {
  try {
    await host().call('results.reveal', { id });
  } catch (error) {
    reportFailure('The file could not be shown.', error);
  }
}

/** Copies a file into a folder. Resolves to an error text, or null when it worked. */
export async function saveCopy(id: string, folder: string): Promise<string | null> {
  try {
    const { file } = await host().call('results.saveCopy', { id, folder });
    useToasts.getState().show({ level: 'info', title: `Saved as ${baseName(file)}.`, text: file });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Asks for a folder, in the system's dialog where there is one, and copies the file there. */
export async function askAndSaveCopy(id: string): Promise<void> {
  const { hello, connection } = useApp.getState();
  if (connection.status !== 'open' || hello?.capabilities.includes('pickFolder') !== true) {
    useResultsPage.getState().show({ dialog: { kind: 'saveCopy', id } });
    return;
  }
  try {
    const { path } = await host().call('host.pickFolder', {});
    if (path === null) return;
    const problem = await saveCopy(id, path);
    if (problem !== null) useToasts.getState().show({ level: 'error', title: 'No copy was saved.', text: problem });
  } catch (error) {
    reportFailure('The folder dialog could not be shown.', error);
  }
}

/** Moves files into the trash and offers to take that back. Resolves to whether anything was moved. */
export async function cleanUp(ids: readonly string[]): Promise<boolean> {
  try {
    const { batch, left, problem } = await host().call('results.cleanUp', { ids: [...ids] });
    if (left > 0)
      useToasts.getState().show({
        level: 'error',
        title: `${counted(left, 'file')} could not be moved.`,
        text: problem,
      });
    if (batch === null) return false;
    const { active, show, reload } = useResultsPage.getState();
    if (active !== null && ids.includes(active)) show({ active: null });
    show({ chosen: [], compared: null });
    useToasts.getState().show({
      level: 'info',
      title: `${counted(batch.files, 'file')} moved to the trash.`,
      text: `${weight(batch.bytes)}, until ${dayOf(batch.goneAt)}.`,
      action: { label: 'Undo', run: () => void restore(batch) },
    });
    await reload();
    return true;
  } catch (error) {
    reportFailure('Nothing was cleaned up.', error);
    return false;
  }
}

/** Brings files back from the trash. */
export async function restore({ batchId }: Pick<TrashBatch, 'batchId'>): Promise<void> {
  try {
    const { restored, left } = await host().call('results.restore', { batchId });
    useToasts.getState().show({
      level: left === 0 ? 'info' : 'error',
      title: `${counted(restored, 'file')} brought back.`,
      text:
        left === 0 ? '' : `${counted(left, 'file')} stayed in the trash, because something lies in their place again.`,
    });
    await useResultsPage.getState().reload();
  } catch (error) {
    reportFailure('The files were not brought back.', error);
  }
}

export function dayOf(at: number): string {
  return new Date(at).toLocaleDateString('en', { day: 'numeric', month: 'long' });
}
