import { useUi } from '../../stores/ui';
import { sidebarFits } from './useMedia';

/** Shows or hides the sidebar: beside the content where it fits, else over it. */
export function toggleSidebar(): void {
  const ui = useUi.getState();
  if (window.matchMedia(sidebarFits).matches) ui.setSidebarOpen(!ui.sidebarOpen);
  else ui.setSidebarSheet(!ui.sidebarSheet);
}
