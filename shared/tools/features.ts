// Parts of the catalogue of tools that people may switch off or on, and which tools the model gets at all.
import { z } from 'zod';

export const Feature = z.enum(['agent', 'skills', 'web', 'languageServers', 'cron', 'worktrees', 'repl']);
export type Feature = z.infer<typeof Feature>;

/** Names, meanings for people, and whether it is on without a word. */
export const features: readonly { readonly name: Feature; readonly label: string; readonly usual: boolean }[] = [
  { name: 'agent', label: 'Sub-agents', usual: true },
  { name: 'skills', label: 'Skills', usual: true },
  { name: 'web', label: 'Web pages and web search', usual: true },
  { name: 'languageServers', label: 'Language servers', usual: true },
  { name: 'cron', label: 'Scheduled prompts', usual: true },
  { name: 'worktrees', label: 'Git worktrees', usual: true },
  { name: 'repl', label: 'JavaScript session', usual: false },
];

/**
 * `all` that may be had; `simple`: Bash, Read and Edit, and what MCP servers bring; `repl`: the JavaScript session stands
 * in for shell, search and changes to files.
 */
export const ToolSet = z.enum(['all', 'simple', 'repl']);
export type ToolSet = z.infer<typeof ToolSet>;

/**
 * When the model has to search for tools before it has their definitions. `auto`: rarely used ones always, those of MCP
 * servers when there are many.
 */
export const ToolDeferral = z.enum(['auto', 'always', 'never']);
export type ToolDeferral = z.infer<typeof ToolDeferral>;
