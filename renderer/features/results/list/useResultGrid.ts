import { type KeyboardEvent, type MouseEvent, useRef } from 'react';
import type { ResultFile } from '#shared/api/results';
import { useResultsPage } from '../../../stores/resultsPage';
import { keyTarget } from '../../../ui/keyTarget';
import { isComposing } from '../../frame/shortcuts';
import { copyText, keepFiles } from '../actions';

/** Keys of the grid of files: it has the focus itself and names the row that the keys are about. */
export function useResultGrid(options: {
  readonly files: readonly ResultFile[];
  readonly cursor: number;
  readonly onCursor: (index: number) => void;
  readonly onOpen: (file: ResultFile) => void;
}) {
  const { files, cursor, onCursor, onOpen } = options;
  const anchor = useRef<number | null>(null);
  const choose = (chosen: readonly string[]): void => useResultsPage.getState().show({ chosen });
  const range = (from: number, to: number): string[] =>
    files.slice(Math.min(from, to), Math.max(from, to) + 1).map(({ id }) => id);
  const toggle = (id: string): void => {
    const { chosen } = useResultsPage.getState();
    choose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  };
  /** The chosen files, or the one that the keys are about. */
  const meant = (): readonly ResultFile[] => {
    const chosen = new Set(useResultsPage.getState().chosen);
    if (chosen.size > 0) return files.filter(({ id }) => chosen.has(id));
    return files.slice(cursor, cursor + 1);
  };

  const act = (key: string, file: ResultFile): boolean => {
    switch (key) {
      case ' ':
        toggle(file.id);
        return true;
      case 'Enter':
        onOpen(file);
        return true;
      case 'k':
        void keepFiles(meant(), !meant().every(({ kept }) => kept));
        return true;
      case 'Delete':
      case 'Backspace':
        useResultsPage.getState().show({ dialog: { kind: 'cleanUp', ids: meant().map(({ id }) => id) } });
        return true;
      case 'Escape':
        if (useResultsPage.getState().chosen.length === 0) return false;
        choose([]);
        return true;
      default:
        return false;
    }
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing({ isComposing: event.nativeEvent.isComposing, keyCode: event.keyCode }) || event.altKey) return;
    if (event.target !== event.currentTarget) return;
    const mod = event.ctrlKey || event.metaKey;
    const to = mod && event.key !== 'Home' && event.key !== 'End' ? null : keyTarget(event.key, cursor, files.length);
    const file = files[cursor];
    if (to !== null) {
      event.preventDefault();
      onCursor(to);
      if (event.shiftKey) {
        anchor.current ??= cursor;
        choose(range(anchor.current, to));
      } else anchor.current = null;
    } else if (file === undefined) return;
    else if (mod) {
      if (event.code === 'KeyA') {
        event.preventDefault();
        choose(range(0, files.length - 1));
      } else if (event.code === 'KeyC' && !event.shiftKey && String(window.getSelection()) === '') {
        event.preventDefault();
        copyText(
          meant()
            .map((one) => one.file)
            .join('\n'),
          meant().length === 1 ? 'Path' : 'Paths',
        );
      }
    } else if (act(event.key, file)) event.preventDefault();
  };

  const onRowClick = (index: number, event: MouseEvent): void => {
    const file = files[index];
    const box = event.target instanceof Element ? event.target.closest('[data-choose]') : null;
    onCursor(index);
    if (file === undefined) return;
    if (event.shiftKey) {
      choose(range(anchor.current ?? cursor, index));
      return;
    }
    anchor.current = index;
    if (event.ctrlKey || event.metaKey || box !== null) toggle(file.id);
    else onOpen(file);
  };

  return { onKeyDown, onRowClick };
}
