import type { Trial } from '#shared/api/rules';
import { formatRule } from '#shared/permissions/rule';

/** The narrowest rule for what is in the way of a tried call, to start writing from. */
export function ruleFor({ tool, decision }: Pick<Trial, 'tool' | 'decision'>): string {
  const parts = decision?.parts ?? [];
  const part = parts.find(({ behavior }) => behavior !== 'allow') ?? parts[0];
  if (part === undefined) return tool;
  switch (part.kind) {
    case 'command':
      return formatRule({ tool: tool === 'PowerShell' ? tool : 'Bash', content: part.text });
    case 'read':
    case 'write': {
      const access = part.kind === 'read' ? 'Read' : 'Edit';
      const real = decision?.why?.files.find(({ given }) => given === part.text)?.real ?? part.text;
      // Two slashes: from the root of the disk, whatever file the rule stands in.
      return formatRule({ tool: access, content: real.startsWith('/') ? `/${real}` : real });
    }
    case 'host':
      return formatRule({ tool: 'WebFetch', content: `domain:${part.text}` });
    case 'tool':
      return tool;
  }
}
