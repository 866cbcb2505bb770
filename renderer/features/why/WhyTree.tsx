import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { RuleRef } from '#shared/permissions/decision';
import { useApp } from '../../stores/app';
import { useSession } from '../../stores/session';
import { classes } from '../../ui/classes';
import { Verdict } from '../../ui/Verdict';
import { VisibleText } from '../../ui/VisibleText';
import { openRule } from './openRule';
import { placeOfRule, type ShownNode, shownNodes, type WhyOf, whyRoot } from './whyNodes';

export interface WhyTreeProps extends WhyOf {
  readonly label?: string;
  /** What a rule's place leads to; left out: the Rules page. */
  readonly onOpenRule?: (rule: RuleRef) => void;
}

/**
 * Why a call is allowed, denied or asks, as a tree: one stop in the tab order, arrows move, open and close, Enter goes to
 * the rule of a line.
 */
export function WhyTree({ label = 'Why', onOpenRule = openRule, ...of }: WhyTreeProps) {
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState('root');
  const tree = useRef<HTMLDivElement>(null);
  const shown = shownNodes(whyRoot(of), turned);
  const at = Math.max(
    0,
    shown.findIndex(({ node }) => node.id === focused),
  );

  const turn = (id: string) =>
    setTurned((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  const focus = (index: number) => {
    const target = shown[Math.min(Math.max(index, 0), shown.length - 1)];
    if (target === undefined) return;
    setFocused(target.node.id);
    tree.current?.querySelectorAll<HTMLElement>('[role=treeitem]')[shown.indexOf(target)]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const here = shown[at];
    if (here === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = actionOf(event.key, { here, at, shown, turn, focus, onOpenRule });
    if (act === null) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };

  return (
    <div ref={tree} role="tree" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown} className="flex flex-col">
      {shown.map((one, index) => (
        <Line
          key={one.node.id}
          one={one}
          isFocused={index === at}
          onFocus={() => setFocused(one.node.id)}
          onTurn={() => turn(one.node.id)}
          onOpenRule={onOpenRule}
        />
      ))}
    </div>
  );
}

/** What a key does; null: nothing. */
function actionOf(
  key: string,
  on: {
    readonly here: ShownNode;
    readonly at: number;
    readonly shown: readonly ShownNode[];
    readonly turn: (id: string) => void;
    readonly focus: (index: number) => void;
    readonly onOpenRule: (rule: RuleRef) => void;
  },
): (() => void) | null {
  const { here, at, shown, turn, focus, onOpenRule } = on;
  const { node, isOpen, parent, level } = here;
  const hasChildren = node.children.length > 0;
  switch (key) {
    case 'ArrowDown':
      return () => focus(at + 1);
    case 'ArrowUp':
      return () => focus(at - 1);
    case 'Home':
      return () => focus(0);
    case 'End':
      return () => focus(shown.length - 1);
    case 'ArrowRight':
      if (!hasChildren) return () => undefined;
      return isOpen ? () => focus(at + 1) : () => turn(node.id);
    case 'ArrowLeft':
      if (isOpen) return () => turn(node.id);
      return () => focus(shown.findIndex((one) => one.node.id === parent));
    case '*':
      return () => {
        for (const one of shown)
          if (one.level === level && one.parent === parent && !one.isOpen && one.node.children.length > 0)
            turn(one.node.id);
      };
    case 'Enter':
    case ' ': {
      const { rule } = node;
      if (rule !== undefined && key === 'Enter') return () => onOpenRule(rule);
      return hasChildren ? () => turn(node.id) : null;
    }
    default:
      return null;
  }
}

interface LineProps {
  readonly one: ShownNode;
  readonly isFocused: boolean;
  readonly onFocus: () => void;
  readonly onTurn: () => void;
  readonly onOpenRule: (rule: RuleRef) => void;
}

function Line({ one, isFocused, onFocus, onTurn, onOpenRule }: LineProps) {
  const { node, level, isOpen } = one;
  const hasChildren = node.children.length > 0;
  const isGroup = hasChildren && level > 1 && node.mark === undefined;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles all keys of its lines.
    <div
      role="treeitem"
      aria-level={level}
      aria-setsize={one.ofPlaces}
      aria-posinset={one.place}
      {...(hasChildren ? { 'aria-expanded': isOpen } : {})}
      aria-selected={isFocused}
      tabIndex={isFocused ? 0 : -1}
      onFocus={(event) => {
        if (event.target === event.currentTarget) onFocus();
      }}
      onClick={() => {
        onFocus();
        if (hasChildren) onTurn();
      }}
      style={{ paddingLeft: `${Math.min(level - 1, 4) * 14}px` }}
      className={classes(
        'flex min-w-0 items-start gap-1 rounded-small py-1 pr-1 -outline-offset-2 [overflow-wrap:anywhere]',
        hasChildren && 'cursor-pointer hover:bg-hover',
        node.weight === 'dim' && 'text-dim',
      )}
    >
      <span aria-hidden className="mt-0.5 grid size-4 shrink-0 place-items-center text-muted">
        {hasChildren ? (
          <ChevronRight size={14} strokeWidth={2} className={isOpen ? 'rotate-90' : ''} />
        ) : (
          <span className="h-px w-2 bg-line-strong" />
        )}
      </span>
      <div className="min-w-0 flex-1">
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          {node.verdict === undefined ? null : node.weight === 'dim' ? (
            <span className="text-small">{node.verdict.word}</span>
          ) : (
            <span className="self-center text-small">
              <Verdict verdict={node.verdict.name} word={node.verdict.word} />
            </span>
          )}
          {node.lead === undefined ? null : <span className="text-muted text-small">{node.lead}</span>}
          {node.mono ? (
            <code className="chat-verbatim font-mono text-mono">
              <VisibleText text={node.title} />
            </code>
          ) : (
            <span
              className={isGroup ? 'font-semibold text-head text-muted' : node.weight === 'plain' ? 'text-muted' : ''}
            >
              <VisibleText text={node.title} />
            </span>
          )}
          {node.mark === undefined ? null : (
            <span className={classes('text-small', node.weight === 'strong' ? 'font-semibold' : 'text-muted')}>
              {node.mark}
            </span>
          )}
        </span>
        {node.rule === undefined ? null : <Place rule={node.rule} onOpen={onOpenRule} />}
        {node.notes.map((note) => (
          <span key={note} className={classes('block text-small', node.weight === 'dim' ? 'text-dim' : 'text-muted')}>
            <VisibleText text={note} />
          </span>
        ))}
        {node.instead === undefined ? null : (
          <span className="block text-small">
            the form that fits:{' '}
            <code className="chat-verbatim font-mono text-mono text-text">
              <VisibleText text={node.instead} />
            </code>
          </span>
        )}
      </div>
    </div>
  );
}

/** The file and line of a rule; by keyboard Enter on its line does the same. */
function Place({ rule, onOpen }: { readonly rule: RuleRef; readonly onOpen: (rule: RuleRef) => void }) {
  const folder = useSession((session) => session.state.folder);
  const home = useApp((app) => app.hello?.home ?? '');
  return (
    <button
      type="button"
      tabIndex={-1}
      title={`Show this rule${rule.file === undefined ? '' : ` of ${rule.file}`}`}
      onClick={(event) => {
        event.stopPropagation();
        onOpen(rule);
      }}
      className="chat-verbatim block max-w-full rounded-small text-left font-mono text-accent text-mono hover:underline"
    >
      <VisibleText text={placeOfRule(rule, { folder, home })} />
    </button>
  );
}
