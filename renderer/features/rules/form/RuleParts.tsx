import { useId, useMemo } from 'react';
import { formatRule, parseRule } from '#shared/permissions/rule';
import { useRulesPage } from '../../../stores/rulesPage';
import { TextField } from '../../../ui/TextField';

/** Tools that rules are mostly about, with what stands in their brackets. */
const known: Readonly<Record<string, string>> = {
  Bash: 'git push *',
  Read: '~/.ssh/**',
  Edit: '/src/**',
  WebFetch: 'domain:example.org',
  WebSearch: '',
  Agent: 'reviewer',
  Skill: 'release',
  PowerShell: 'Get-Content *',
};

export interface RuleParted {
  readonly tool: string;
  /** Null: the bare tool. */
  readonly content: string | null;
}

/** Takes a text apart that may not be a rule yet. */
export function partsOf(text: string): RuleParted {
  const parsed = parseRule(text.trim());
  if (parsed.ok) return parsed.value;
  const open = text.indexOf('(');
  return open === -1
    ? { tool: text.trim(), content: null }
    : { tool: text.slice(0, open).trim(), content: text.slice(open + 1).replace(/\)\s*$/, '') };
}

/** The same rule in two fields; both ways lead to one text. */
export function RuleParts({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }) {
  const preview = useRulesPage((page) => page.preview);
  const list = useId();
  const { tool, content } = partsOf(text);
  const tools = useMemo(() => {
    const used = (preview?.rules ?? []).flatMap(({ rule }) => {
      const parsed = parseRule(rule.text);
      return parsed.ok && parsed.value.tool.startsWith('mcp__') ? [parsed.value.tool] : [];
    });
    return [...new Set([...Object.keys(known), ...used])].slice(0, 100);
  }, [preview]);
  const write = (parts: RuleParted) => onText(formatRule({ tool: parts.tool.trim(), content: parts.content }));
  return (
    <fieldset aria-label="The rule in parts" className="-mt-1.5 grid grid-cols-[9rem_minmax(0,1fr)] gap-3">
      <TextField
        label="Tool"
        mono
        list={list}
        placeholder="Bash"
        value={tool}
        onChange={(value) => write({ tool: value, content })}
      />
      <datalist id={list}>
        {tools.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextField
        label="What it is about"
        mono
        placeholder={(Object.hasOwn(known, tool) ? known[tool] : '') || 'every call'}
        value={content ?? ''}
        onChange={(value) => write({ tool, content: value === '' ? null : value })}
      />
    </fieldset>
  );
}
