import { useEffect } from 'react';
import { draftOf, useRuleDraft } from '../../stores/ruleDraft';
import { useRulesPage } from '../../stores/rulesPage';
import { redoLast, saveDraft, undoLast } from './actions';

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA)$/.test(target.tagName));
}

/** Saves the draft, once it has been seen where a file is shared. */
function save(): void {
  const { sessionId, preview, reviewing, show } = useRulesPage.getState();
  const isStaged = draftOf(useRuleDraft.getState(), sessionId).steps.length > 0;
  if (!isStaged || preview === null) return;
  if (preview.problems.length > 0 || (preview.files.some(({ shared }) => shared) && !reviewing)) {
    show({ reviewing: true });
    return;
  }
  void saveDraft().then((isSaved) => {
    if (isSaved) show({ reviewing: false });
  });
}

/** Keys of the page: undo, redo and save wherever the focus is, but in a text field undo is about its own text. */
export function usePageKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return;
      const { view, reviewing } = useRulesPage.getState();
      if (event.code === 'KeyS' && !event.shiftKey) {
        // The text view saves its own text.
        event.preventDefault();
        if (view !== 'text' || reviewing) save();
      } else if (event.code === 'KeyZ' && !isWriting(event.target) && !reviewing) {
        event.preventDefault();
        void (event.shiftKey ? redoLast() : undoLast());
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
