import { assertNever } from '../util/assertNever';
import type { RuleDraft, RuleEdit } from './ruleEdits';
import { ruleSources } from './sources';

/** A change in words, as it follows "Undo": `move Bash(ls *) from user to project`. */
export function describeEdit(edit: RuleEdit): string {
  switch (edit.type) {
    case 'add':
      return `add ${edit.behavior} ${edit.text} to ${ruleSources[edit.source].label}`;
    case 'remove':
      return `remove ${edit.rule.behavior} ${edit.rule.text} from ${ruleSources[edit.rule.source].label}`;
    case 'change':
      return edit.rule.text === edit.text
        ? `change ${edit.text} from ${edit.rule.behavior} to ${edit.behavior}`
        : `change ${edit.rule.text} to ${edit.text}`;
    case 'move':
    case 'copy':
      return `${edit.type} ${edit.rule.text} from ${ruleSources[edit.rule.source].label} to ${ruleSources[edit.to].label}`;
    case 'setScalar':
      return edit.value === null
        ? `take ${edit.key} out of ${ruleSources[edit.source].label}`
        : `set ${edit.key} to ${edit.value} in ${ruleSources[edit.source].label}`;
    case 'addDirectory':
      return `add the folder ${edit.path} to ${ruleSources[edit.source].label}`;
    case 'removeDirectory':
      return `remove the folder ${edit.path} from ${ruleSources[edit.source].label}`;
    default:
      return assertNever(edit, 'rule edit');
  }
}

/** Several changes in words: the only one, or how many there are. */
export function describeEdits(draft: RuleDraft): string {
  const [only, ...more] = draft;
  if (only !== undefined && more.length === 0) return describeEdit(only);
  return `${draft.length} changes of rules`;
}
