import { type KeyboardEvent, type MouseEvent, useRef } from 'react';
import type { RuleSource } from '#shared/permissions/sources';
import { useRulesPage } from '../../../stores/rulesPage';
import { keyTarget } from '../../../ui/keyTarget';
import { isComposing } from '../../frame/shortcuts';
import type { RuleLine } from './rows';

/** What keys and clicks do with a rule, or with the chosen ones. */
export interface RuleGridActions {
  readonly onOpen: (key: string) => void;
  readonly onEdit: (key: string) => void;
  /** Shows the file of a group. */
  readonly onOpenSource: (source: RuleSource) => void;
  readonly onRemove: () => void;
  /** Asks where the chosen rules shall go. */
  readonly onMove: () => void;
}

/** Keys of the grid of rules: it has the focus itself and names the line that the keys are about. */
export function useRuleGrid(options: {
  readonly lines: readonly RuleLine[];
  readonly cursor: number;
  readonly onCursor: (index: number) => void;
  readonly actions: RuleGridActions;
}) {
  const { lines, cursor, onCursor, actions } = options;
  const anchor = useRef<number | null>(null);
  const keyAt = (index: number): string | null => {
    const line = lines[index];
    return line?.kind === 'rule' ? line.key : null;
  };
  const choose = (chosen: readonly string[]): void => useRulesPage.getState().show({ chosen });
  const range = (from: number, to: number): string[] =>
    lines.slice(Math.min(from, to), Math.max(from, to) + 1).flatMap((line) => (line.kind === 'rule' ? [line.key] : []));
  const toggle = (key: string): void => {
    const { chosen } = useRulesPage.getState();
    choose(chosen.includes(key) ? chosen.filter((one) => one !== key) : [...chosen, key]);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing({ isComposing: event.nativeEvent.isComposing, keyCode: event.keyCode }) || event.altKey) return;
    if (event.target !== event.currentTarget) return;
    const mod = event.ctrlKey || event.metaKey;
    const to = mod && event.key !== 'Home' && event.key !== 'End' ? null : keyTarget(event.key, cursor, lines.length);
    if (to !== null) {
      event.preventDefault();
      onCursor(to);
      if (event.shiftKey) {
        anchor.current ??= cursor;
        choose(range(anchor.current, to));
      } else anchor.current = null;
      return;
    }
    const key = keyAt(cursor);
    const line = lines[cursor];
    const chooseSome = (): boolean => {
      if (useRulesPage.getState().chosen.length === 0 && key !== null) choose([key]);
      return useRulesPage.getState().chosen.length > 0;
    };
    const act = (): boolean => {
      if (mod) {
        if (event.code !== 'KeyA') return false;
        choose(range(0, lines.length - 1));
        return true;
      }
      switch (event.key) {
        case ' ':
          if (key !== null) toggle(key);
          return true;
        case 'Enter':
          if (key !== null) actions.onOpen(key);
          else if (line?.kind === 'group' && line.group.source !== null) actions.onOpenSource(line.group.source);
          return true;
        case 'F2':
        case 'e':
          if (key !== null) actions.onEdit(key);
          return true;
        case 'm':
          if (chooseSome()) actions.onMove();
          return true;
        case 'Delete':
        case 'Backspace':
          if (chooseSome()) actions.onRemove();
          return true;
        case 'Escape':
          if (useRulesPage.getState().chosen.length === 0) return false;
          choose([]);
          return true;
        default:
          return false;
      }
    };
    if (act()) event.preventDefault();
  };

  const onRowClick = (index: number, event: MouseEvent): void => {
    const key = keyAt(index);
    const box = event.target instanceof Element ? event.target.closest('[data-choose]') : null;
    onCursor(index);
    if (key === null) return;
    if (event.shiftKey) {
      choose(range(anchor.current ?? cursor, index));
      return;
    }
    anchor.current = index;
    if (event.ctrlKey || event.metaKey || box !== null) toggle(key);
    else actions.onOpen(key);
  };

  return { onKeyDown, onRowClick };
}
