import {
  CircleQuestionMark,
  FileDiff,
  FilePlus2,
  FileText,
  FolderSearch,
  Globe,
  ListChecks,
  type LucideIcon,
  Plug,
  Search,
  SquareTerminal,
  Wrench,
} from 'lucide-react';
import type { CardIcon } from '#shared/tools/presentation';

const pictures: Readonly<Record<CardIcon, LucideIcon>> = {
  terminal: SquareTerminal,
  file: FileText,
  fileEdit: FileDiff,
  filePlus: FilePlus2,
  search: Search,
  folderSearch: FolderSearch,
  checklist: ListChecks,
  question: CircleQuestionMark,
  plug: Plug,
  globe: Globe,
  tool: Wrench,
};

/** The picture that a tool chose for its cards; the title beside it names it. */
export function CardPicture({ icon }: { readonly icon: CardIcon }) {
  const Picture = pictures[icon];
  return <Picture aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0 text-muted" />;
}
