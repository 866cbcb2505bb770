import { json } from '@codemirror/lang-json';
import { type Diagnostic, forceLinting, linter, lintGutter } from '@codemirror/lint';
import { Compartment, EditorState, Transaction } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap } from '@codemirror/view';
import { basicSetup } from 'codemirror';
import { useEffect, useRef } from 'react';
import type { TextProblem } from '#shared/api/rules';

export interface CodeEditorProps {
  readonly label: string;
  readonly text: string;
  /** The line to go to, counted from 1; null: none. */
  readonly line: number | null;
  readonly readOnly: boolean;
  readonly onChange: (text: string) => void;
  /** The line that the cursor is in, counted from 1. */
  readonly onLine: (line: number) => void;
  readonly onWentToLine: () => void;
  readonly onSave: () => void;
  /** What is wrong in a text; asked for after each pause in writing. */
  readonly check: (text: string) => Promise<readonly TextProblem[]>;
}

/** Milliseconds without a key after which a text is checked. */
const pauseMs = 200;

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '12px', backgroundColor: 'var(--code)', color: 'var(--text)' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '18px', fontVariantLigatures: 'none' },
  '.cm-gutters': { backgroundColor: 'var(--code)', color: 'var(--dim)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--selected) !important' },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
  },
  '.cm-diagnostic': { fontFamily: 'var(--font-sans)' },
  '.cm-foldPlaceholder': { backgroundColor: 'transparent', color: 'var(--muted)', border: 'none' },
  // Rules are all strings: colours by kind would say nothing.
  '.cm-line span:not(.cm-specialChar)': { color: 'inherit' },
  '.cm-specialChar': { color: 'var(--ask)' },
});

function diagnostics(problems: readonly TextProblem[]): readonly Diagnostic[] {
  return problems.map(({ from, to, severity, message }) => ({
    from,
    to,
    severity: severity === 'hint' ? 'info' : severity,
    message,
  }));
}

/** Format characters that CodeMirror does not name by itself. */
const moreSpecialChars = /\u00a0|[\u202a-\u202c]|[\u2060-\u206f]|\u180e|\u3164|[\ufe00-\ufe0f]/;

/** The one change that leads from a text to another; what stands around it, and the cursor in it, stays. */
export function differenceOf(before: string, after: string): { from: number; to: number; insert: string } {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from += 1;
  let kept = 0;
  while (kept < most - from && before[before.length - 1 - kept] === after[after.length - 1 - kept]) kept += 1;
  return { from, to: before.length - kept, insert: after.slice(from, after.length - kept) };
}

/** A JSON text in an editor with line numbers, search, and remarks where they belong. */
export function CodeEditor(props: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const now = useRef(props);
  now.current = props;
  const locked = useRef(new Compartment());
  useEffect(() => {
    if (place.current === null) return;
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: now.current.text,
        extensions: [
          keymap.of([
            {
              key: 'Mod-s',
              run: () => {
                now.current.onSave();
                return true;
              },
            },
          ]),
          basicSetup,
          // Control and direction characters are part of what a rule says.
          highlightSpecialChars({ addSpecialChars: moreSpecialChars }),
          json(),
          lintGutter(),
          linter(async (shown) => diagnostics(await now.current.check(shown.state.doc.toString())), { delay: pauseMs }),
          look,
          EditorState.lineSeparator.of('\n'),
          locked.current.of([EditorState.readOnly.of(now.current.readOnly)]),
          EditorView.contentAttributes.of({ 'aria-label': now.current.label, spellcheck: 'false' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) now.current.onChange(update.state.doc.toString());
            if (update.docChanged || update.selectionSet)
              now.current.onLine(update.state.doc.lineAt(update.state.selection.main.head).number);
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, []);
  const { text, line, readOnly } = props;
  useEffect(() => {
    view.current?.dispatch({ effects: locked.current.reconfigure([EditorState.readOnly.of(readOnly)]) });
  }, [readOnly]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === text) return;
    editor.dispatch({
      changes: differenceOf(editor.state.doc.toString(), text),
      annotations: Transaction.addToHistory.of(false),
    });
    forceLinting(editor);
  }, [text]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null || line === null) return;
    const at = editor.state.doc.line(Math.min(Math.max(1, line), editor.state.doc.lines));
    editor.dispatch({
      selection: { anchor: at.from, head: at.to },
      effects: EditorView.scrollIntoView(at.from, { y: 'center' }),
    });
    editor.focus();
    now.current.onWentToLine();
  }, [line]);
  return <div ref={place} className="min-h-0 flex-1 overflow-hidden" />;
}
