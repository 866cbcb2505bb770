// What differs between two files of results.
import { basename } from 'node:path';
import { structuredPatch } from 'diff';
import { RpcError } from '#shared/rpc/errors';
import type { Answer, Question } from '../worker/messages';
import { OpenedFile, type ResultPlace } from './openedFile';
import { cut } from './structured/preview';
import { looksLikeText } from './utf8';

const maxBytes = 20_000_000;
const maxLines = 5_000;
const maxLineChars = 4_000;
/** Looking for what two files have in common may take so long, in milliseconds. */
const patienceMs = 20_000;

/** Throws RpcError `refused` for what is too large, no text, or too different. */
export function diffFiles({ left, right }: Question<'diff'>): Answer<'diff'> {
  const patch = structuredPatch('', '', textOf(left), textOf(right), '', '', { context: 3, timeout: patienceMs });
  if (patch === undefined)
    throw new RpcError(
      'refused',
      `These files have so little in common that comparing them takes longer than ${patienceMs / 1_000} seconds. Look at them one beside the other.`,
    );
  let added = 0;
  let removed = 0;
  let shown = 0;
  let truncated = false;
  const hunks: Answer<'diff'>['hunks'] = [];
  for (const { oldStart, newStart, lines } of patch.hunks) {
    const kept: Answer<'diff'>['hunks'][number]['lines'] = [];
    for (const line of lines) {
      const sign = line.charAt(0);
      if (sign !== ' ' && sign !== '+' && sign !== '-') continue;
      if (sign === '+') added += 1;
      if (sign === '-') removed += 1;
      if (shown >= maxLines) {
        truncated = true;
        continue;
      }
      shown += 1;
      kept.push({ sign, text: cut(line.slice(1), maxLineChars) });
    }
    if (kept.length > 0) hunks.push({ oldStart, newStart, lines: kept });
  }
  return { hunks, added, removed, truncated };
}

function textOf(place: ResultPlace): string {
  const name = basename(place.file);
  const file = OpenedFile.open(place);
  try {
    if (file.size > maxBytes)
      throw new RpcError('refused', `${name} has more than 20 MB, too much to be compared. Search in both instead.`);
    const bytes = file.bytes(0, file.size);
    if (!looksLikeText(bytes.subarray(0, 65_536)))
      throw new RpcError('refused', `${name} is no text, so its lines cannot be compared.`);
    return bytes.toString('utf8');
  } finally {
    file.close();
  }
}
