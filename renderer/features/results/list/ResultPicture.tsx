import {
  Archive,
  Blocks,
  Bot,
  FileText,
  FolderSearch,
  Globe,
  type LucideIcon,
  Search,
  SquareTerminal,
  Wrench,
} from 'lucide-react';
import type { ResultFile } from '#shared/api/results';
import { toolGroup } from './words';

const pictures: Readonly<Record<string, LucideIcon>> = {
  Bash: SquareTerminal,
  BashOutput: SquareTerminal,
  TaskOutput: SquareTerminal,
  Read: FileText,
  Grep: Search,
  Glob: FolderSearch,
  WebFetch: Globe,
  WebSearch: Globe,
  MCP: Blocks,
  Agent: Bot,
  Task: Bot,
};

/** The kind of tool that made a file; the words beside it name it. */
export function ResultPicture({ file }: { readonly file: ResultFile }) {
  const group = toolGroup(file);
  const Picture = group === null ? Archive : (pictures[group] ?? Wrench);
  return <Picture aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-muted" />;
}
