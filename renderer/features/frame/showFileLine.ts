import { useApp } from '../../stores/app';
import { useRulesPage } from '../../stores/rulesPage';

/** Shows a settings file as text on the Rules page, at a line where one is known. */
export function showFileLine(file: string, line: number | null): void {
  useRulesPage.getState().show({ view: 'text', file, line, repairing: false });
  useApp.getState().go('rules');
}
