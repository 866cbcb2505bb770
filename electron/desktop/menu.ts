import type { MenuItemConstructorOptions } from 'electron';
import type { CorePorts } from '../core/ports';

const view = ['resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen'] as const;

/** What systems expect of a menu, without reload and developer tools, which belong to no workspace. */
export function menuTemplate(platform: CorePorts['host']['platform']): MenuItemConstructorOptions[] {
  return [
    ...(platform === 'darwin' ? [{ role: 'appMenu' as const }] : []),
    { role: 'fileMenu' },
    { role: 'editMenu' },
    { label: 'View', submenu: view.map((role) => ({ role })) },
    { role: 'windowMenu' },
  ];
}
