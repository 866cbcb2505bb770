// Writes a host's pattern into the list of allowed domains of a settings text, and touches nothing else in it.
import { applyEdits, modify } from 'jsonc-parser';
import { fail, ok, type Result } from '#shared/util/result';
import { type EditFault, readForEdit } from '../settings/settingsEdits';
import { append, formatting, nodeAt, styleOf } from '../settings/settingsText';

const place = ['sandbox', 'network', 'allowedDomains'];

/** The text with the pattern in its list; null is a file that does not exist. */
export function withAllowedDomain(text: string | null, pattern: string): Result<string, EditFault> {
  const present = readForEdit(text, 'sandbox');
  if (!present.ok) return present;
  const { body, mark, root } = present.value.settings;
  const network = nodeAt(root, place.slice(0, 2));
  if (network !== undefined && network.type !== 'object')
    return broken('“sandbox.network” in the file is not an object.');
  const list = nodeAt(root, place);
  if (list !== undefined && list.type !== 'array')
    return broken('“sandbox.network.allowedDomains” in the file is not a list.');
  if (list?.children?.some((child) => child.value === pattern) === true) return ok(mark + body);
  const style = styleOf(body);
  if (list !== undefined) return ok(mark + append(body, list, [pattern], style));
  return ok(mark + applyEdits(body, modify(body, place, [pattern], formatting(style))));
}

function broken(fact: string): Result<never, EditFault> {
  return fail({ kind: 'broken', message: `${fact} Mend it first.` });
}
