import type { ReactNode } from 'react';
import type { SandboxOrigin as Origin } from '#shared/api/sandbox';
import { useApp } from '../../stores/app';
import { useRules } from '../../stores/rules';
import { VisibleText } from '../../ui/VisibleText';
import { openRule } from '../why/openRule';
import { originPlace, originWords } from './sandboxWords';
import { showFileLine } from './showFileLine';

/** Where a value comes from, and the way there: the line of the settings file, or the rule. */
export function SandboxOrigin({ from }: { readonly from: Origin }) {
  const home = useApp((app) => app.hello?.home ?? '');
  const rules = useRules((rules) => rules.view?.rules);
  const words = originWords(from);
  if (from.kind === 'rule') {
    const rule = rules?.find((one) => one.text === from.rule && one.source === from.source);
    const text = (
      <code className="font-mono text-mono">
        <VisibleText text={from.rule} />
      </code>
    );
    return (
      <span className="[overflow-wrap:anywhere]">
        {words} {rule === undefined ? text : <Way onGo={() => openRule(rule)}>{text}</Way>}
      </span>
    );
  }
  const place = originPlace(from, home);
  if (from.kind !== 'setting' || from.path === null) return <span>{words}</span>;
  const { path, line } = from;
  return (
    <span className="[overflow-wrap:anywhere]">
      {words}{' '}
      <Way onGo={() => showFileLine(path, line)}>
        <span className="font-mono text-mono">
          <VisibleText text={place} />
        </span>
      </Way>
    </span>
  );
}

function Way({ onGo, children }: { readonly onGo: () => void; readonly children: ReactNode }) {
  return (
    <button
      type="button"
      className="rounded-small text-left text-accent underline-offset-2 hover:underline"
      onClick={onGo}
    >
      {children}
    </button>
  );
}
