import type { Theme } from '#shared/api/settings';
import { useApp } from './app';
import { useUi } from './ui';

/** The colours to use for a choice. */
export function resolveTheme(theme: Theme, systemIsLight: boolean): 'light' | 'dark' {
  if (theme !== 'system') return theme;
  return systemIsLight ? 'light' : 'dark';
}

/** Puts the chosen theme on the document and keeps it there when preference or system change. */
export function followTheme(): void {
  const systemLight = window.matchMedia('(prefers-color-scheme: light)');
  const apply = () => {
    document.documentElement.dataset.theme = resolveTheme(useUi.getState().theme, systemLight.matches);
  };
  apply();
  systemLight.addEventListener('change', apply);
  useUi.subscribe(apply);
  useApp.subscribe(({ preferences }) => {
    if (preferences !== null && preferences.theme !== useUi.getState().theme) {
      useUi.setState({ theme: preferences.theme });
    }
  });
}
