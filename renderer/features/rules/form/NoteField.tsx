import { useId, useState } from 'react';
import type { RuleRef } from '#shared/permissions/ruleRef';
import { useRulesPage } from '../../../stores/rulesPage';

/** The person's own remark on a rule; written when the field is left. */
export function NoteField({ rule, note }: { readonly rule: RuleRef; readonly note: string }) {
  const setNote = useRulesPage((page) => page.setNote);
  const [text, setText] = useState(note);
  const [problem, setProblem] = useState('');
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium">
        Note
      </label>
      <textarea
        id={id}
        rows={2}
        maxLength={2_000}
        value={text}
        placeholder="Why is it there? Only you see this; it never goes into a settings file."
        onChange={(event) => setText(event.target.value)}
        onBlur={() => {
          if (text !== note) void setNote(rule, text).then(setProblem);
        }}
        className="rounded-control border border-control bg-raised px-2.5 py-1.5 text-ui"
      />
      {problem === '' ? null : (
        <p role="alert" className="text-deny text-small">
          {problem}
        </p>
      )}
    </div>
  );
}
