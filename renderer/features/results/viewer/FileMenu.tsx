import { Copy, EllipsisVertical, FolderOpen, Save, Trash2 } from 'lucide-react';
import type { ResultFile } from '#shared/api/results';
import { useResultsPage, viewOf } from '../../../stores/resultsPage';
import { IconButton } from '../../../ui/IconButton';
import { Menu, MenuItem, MenuLine } from '../../../ui/Menu';
import { counted } from '../../frame/words';
import { askAndSaveCopy, canReveal, copyText, revealFile } from '../actions';
import { resultName } from '../list/words';
import { copyLineOf, copyRows } from './copyRows';

/** What is done with a file less often: copying parts of its text, saving and showing it, cleaning it up. */
export function FileMenu({ file, isText }: { readonly file: ResultFile; readonly isText: boolean }) {
  const { id } = file;
  const show = useResultsPage((page) => page.show);
  const cursor = useResultsPage((page) => viewOf(page.views, id).cursors.text ?? 0);
  const anchor = useResultsPage((page) => viewOf(page.views, id).anchor ?? cursor);
  const from = Math.min(anchor, cursor);
  const to = Math.max(anchor, cursor);
  const rows = to - from + 1;
  const isForeign = file.origin === 'claudeCode';
  return (
    <Menu
      label="More"
      align="end"
      side="top"
      trigger={<IconButton label="More for this file" icon={EllipsisVertical} size="small" />}
    >
      {isText ? (
        <>
          <MenuItem icon={Copy} keys="Mod+C" onSelect={() => void copyRows(id, { from, to, raw: false })}>
            {rows === 1 ? 'Copy the row' : `Copy ${counted(rows, 'row')}`}
          </MenuItem>
          <MenuItem icon={Copy} keys="Mod+Shift+C" onSelect={() => void copyRows(id, { from, to, raw: true })}>
            {rows === 1 ? 'Copy it with its colour sequences' : 'Copy them with their colour sequences'}
          </MenuItem>
          <MenuItem icon={Copy} onSelect={() => void copyLineOf(id, cursor)}>
            Copy the whole line
          </MenuItem>
          <MenuLine />
        </>
      ) : null}
      <MenuItem icon={Copy} onSelect={() => copyText(resultName(file), 'Name')}>
        Copy what it is a result of
      </MenuItem>
      <MenuItem icon={Save} onSelect={() => void askAndSaveCopy(id)}>
        Save a copy…
      </MenuItem>
      {canReveal() ? (
        <MenuItem icon={FolderOpen} onSelect={() => void revealFile(id)}>
          Show in the file browser
        </MenuItem>
      ) : null}
      <MenuLine />
      <MenuItem
        icon={Trash2}
        danger
        disabled={isForeign || file.kept}
        onSelect={() => show({ dialog: { kind: 'cleanUp', ids: [id] } })}
      >
        {isForeign ? "Clean up: Claude Code's own" : file.kept ? 'Clean up: it is kept' : 'Clean up…'}
      </MenuItem>
    </Menu>
  );
}
