// How a file of results is spoken of.
import type { ResultFile, Seen } from '#shared/api/results';
import { assertNever } from '#shared/util/assertNever';
import { baseName, counted } from '../../frame/words';

const day = 24 * 60 * 60_000;

/** "950 B", "212 KB", "4.8 MB", "1.02 GB"; thousands, not 1,024. */
export function weight(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} KB`;
  if (bytes < 9_950_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  if (bytes < 999_500_000) return `${Math.round(bytes / 1_000_000)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(bytes < 9_995_000_000 ? 2 : 1)} GB`;
}

/** How much of it the model knows. */
export function seenWords(seen: Seen): string {
  switch (seen.kind) {
    case 'preview':
      return `saw ${counted(seen.chars, 'character')}`;
    case 'again':
      return `read again at call ${seen.number.toLocaleString('en')}`;
    case 'whole':
      return 'read whole';
    case 'never':
      return 'never read';
    case 'unknown':
      return 'not known';
    default:
      return assertNever(seen, 'seen');
  }
}

/** When the clean-up takes it: "in 12 days", "today", "kept", "stays". */
export function goesWords({ kept, goesAt }: Pick<ResultFile, 'kept' | 'goesAt'>, now: number): string {
  if (kept) return 'kept';
  if (goesAt === null) return 'stays';
  const days = Math.ceil((goesAt - now) / day);
  return days <= 0 ? 'due' : days === 1 ? 'in 1 day' : `in ${days.toLocaleString('en')} days`;
}

/** The whole sentence behind `goesWords`. */
export function goesSentence(file: Pick<ResultFile, 'kept' | 'goesAt' | 'origin'>, now: number): string {
  if (file.kept) return 'Kept: no clean-up takes it.';
  if (file.goesAt === null) return 'No clean-up is due for it.';
  const whose = file.origin === 'claudeCode' ? "Claude Code's own clean-up" : 'The clean-up';
  const date = new Date(file.goesAt).toLocaleDateString('en', { day: 'numeric', month: 'long', year: 'numeric' });
  return file.goesAt <= now ? `${whose} takes it next time.` : `${whose} takes it after ${date}.`;
}

/** The name under which the list groups tools: those of servers are one. */
export function toolGroup({ call }: Pick<ResultFile, 'call'>): string | null {
  if (call === null) return null;
  return call.tool.startsWith('mcp__') ? 'MCP' : call.tool;
}

/** Who made it, before what it was about; commands speak for themselves. */
export function toolLabel({ call }: Pick<ResultFile, 'call'>): string {
  if (call === null || call.tool === 'Bash') return '';
  return call.tool.startsWith('mcp__') ? call.tool.slice('mcp__'.length).replace('__', ' ') : call.tool;
}

/** What the file is a result of, in one line; its name where nothing is known. */
export function resultName(file: Pick<ResultFile, 'call' | 'file'>): string {
  if (file.call === null) return baseName(file.file);
  return [toolLabel(file), file.call.what].filter((part) => part !== '').join(' ');
}
