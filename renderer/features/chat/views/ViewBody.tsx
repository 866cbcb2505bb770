import type { View } from '#shared/tools/presentation';
import { assertNever } from '#shared/util/assertNever';
import { Markdown } from '../conversation/Markdown';
import { DiffView } from './DiffView';
import { FilesView } from './FilesView';
import { ImageView } from './ImageView';
import { JsonTree } from './JsonTree';
import { TableView } from './TableView';
import { TerminalView } from './TerminalView';
import { TextView } from './TextView';

interface Props {
  readonly view: View;
  /** Whether terminal lines wrap; every other kind decides by itself. */
  readonly wrap: boolean;
}

/** Draws any view by its kind. Tools are not known here. */
export function ViewBody({ view, wrap }: Props) {
  switch (view.kind) {
    case 'terminal':
      return <TerminalView view={view} wrap={wrap} />;
    case 'diff':
      return <DiffView view={view} />;
    case 'text':
      return <TextView view={view} />;
    case 'markdown':
      return (
        <div className="px-3.5 py-2.5">
          <Markdown text={view.text} />
        </div>
      );
    case 'image':
      return <ImageView view={view} />;
    case 'table':
      return <TableView view={view} />;
    case 'json':
      return <JsonTree value={view.value} />;
    case 'files':
      return <FilesView view={view} />;
    default:
      return assertNever(view, 'view');
  }
}
