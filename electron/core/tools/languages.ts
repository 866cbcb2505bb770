import { basename, extname } from 'node:path';

/** Languages by file extension, as the page's highlighter names them. */
const byExtension: Readonly<Record<string, string>> = {
  '.bash': 'bash',
  '.c': 'c',
  '.cc': 'cpp',
  '.cjs': 'javascript',
  '.cpp': 'cpp',
  '.cs': 'csharp',
  '.css': 'css',
  '.cts': 'typescript',
  '.diff': 'diff',
  '.go': 'go',
  '.h': 'c',
  '.hpp': 'cpp',
  '.html': 'html',
  '.java': 'java',
  '.js': 'javascript',
  '.json': 'json',
  '.jsonc': 'jsonc',
  '.jsonl': 'jsonl',
  '.jsx': 'jsx',
  '.kt': 'kotlin',
  '.lua': 'lua',
  '.md': 'markdown',
  '.mjs': 'javascript',
  '.mts': 'typescript',
  '.patch': 'diff',
  '.php': 'php',
  '.ps1': 'powershell',
  '.py': 'python',
  '.rb': 'ruby',
  '.rs': 'rust',
  '.scss': 'scss',
  '.sh': 'bash',
  '.sql': 'sql',
  '.svelte': 'svelte',
  '.svg': 'xml',
  '.swift': 'swift',
  '.toml': 'toml',
  '.ts': 'typescript',
  '.tsx': 'tsx',
  '.vue': 'vue',
  '.xml': 'xml',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.zsh': 'bash',
};

const byName: Readonly<Record<string, string>> = { dockerfile: 'docker', makefile: 'make' };

/** The language of a file by its name, or undefined when the name does not tell. */
export function languageOf(path: string): string | undefined {
  const name = basename(path).toLowerCase();
  const found = Object.hasOwn(byName, name) ? byName[name] : undefined;
  if (found !== undefined) return found;
  const extension = extname(name);
  return Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined;
}
