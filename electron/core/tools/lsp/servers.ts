// Which language servers are known for which files, and which of them is used.

/** One program that speaks the language server protocol on stdin and stdout. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** What the person configured, by language id; it goes before what is found in PATH. */
export type ServerPreferences = Readonly<Record<string, ServerCommand>>;

interface Language {
  readonly id: string;
  /** Files with these endings, or with these names. */
  readonly files: readonly string[];
  /** In order of preference: command and arguments in one line. */
  readonly servers: readonly string[];
}

const typeScript = ['typescript-language-server --stdio', 'vtsls --stdio', 'tsgo --lsp --stdio'];
const python = ['basedpyright-langserver --stdio', 'pyright-langserver --stdio', 'pylsp', 'jedi-language-server'];

const languages: readonly Language[] = [
  { id: 'typescript', files: ['.ts', '.mts', '.cts'], servers: typeScript },
  { id: 'typescriptreact', files: ['.tsx'], servers: typeScript },
  { id: 'javascript', files: ['.js', '.mjs', '.cjs'], servers: typeScript },
  { id: 'javascriptreact', files: ['.jsx'], servers: typeScript },
  { id: 'python', files: ['.py', '.pyi'], servers: python },
  { id: 'go', files: ['.go'], servers: ['gopls'] },
  { id: 'rust', files: ['.rs'], servers: ['rust-analyzer'] },
  { id: 'c', files: ['.c', '.h'], servers: ['clangd'] },
  { id: 'cpp', files: ['.cc', '.cpp', '.cxx', '.hh', '.hpp', '.hxx'], servers: ['clangd'] },
  { id: 'java', files: ['.java'], servers: ['jdtls'] },
  { id: 'kotlin', files: ['.kt', '.kts'], servers: ['kotlin-lsp --stdio', 'kotlin-language-server'] },
  { id: 'csharp', files: ['.cs'], servers: ['csharp-ls'] },
  { id: 'swift', files: ['.swift'], servers: ['sourcekit-lsp'] },
  { id: 'zig', files: ['.zig'], servers: ['zls'] },
  { id: 'ruby', files: ['.rb'], servers: ['ruby-lsp', 'solargraph stdio'] },
  { id: 'php', files: ['.php'], servers: ['intelephense --stdio', 'phpactor language-server'] },
  { id: 'lua', files: ['.lua'], servers: ['lua-language-server'] },
  { id: 'haskell', files: ['.hs'], servers: ['haskell-language-server-wrapper --lsp'] },
  { id: 'ocaml', files: ['.ml', '.mli'], servers: ['ocamllsp'] },
  { id: 'elixir', files: ['.ex', '.exs'], servers: ['elixir-ls'] },
  { id: 'dart', files: ['.dart'], servers: ['dart language-server'] },
  { id: 'shellscript', files: ['.sh', '.bash'], servers: ['bash-language-server start'] },
  { id: 'vue', files: ['.vue'], servers: ['vue-language-server --stdio'] },
  { id: 'svelte', files: ['.svelte'], servers: ['svelteserver --stdio'] },
  { id: 'css', files: ['.css'], servers: ['vscode-css-language-server --stdio'] },
  { id: 'scss', files: ['.scss'], servers: ['vscode-css-language-server --stdio'] },
  { id: 'html', files: ['.html', '.htm'], servers: ['vscode-html-language-server --stdio'] },
  { id: 'json', files: ['.json'], servers: ['vscode-json-language-server --stdio'] },
  { id: 'yaml', files: ['.yaml', '.yml'], servers: ['yaml-language-server --stdio'] },
  { id: 'terraform', files: ['.tf'], servers: ['terraform-ls serve'] },
  { id: 'dockerfile', files: ['Dockerfile', '.dockerfile'], servers: ['docker-langserver --stdio'] },
  { id: 'markdown', files: ['.md'], servers: ['marksman server'] },
];

/** Ids of all languages that files can be told to be in. */
export const languageIds: readonly string[] = languages.map(({ id }) => id);

/** The language of a file by its name; null when unknown. */
export function languageOf(path: string): string | null {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const dot = name.lastIndexOf('.');
  const ending = dot < 0 ? '' : name.slice(dot).toLowerCase();
  const found = languages.find(({ files }) => files.includes(name) || (ending !== '' && files.includes(ending)));
  return found?.id ?? null;
}

/** The server of a language: configured, or the first that is found in PATH; null when there is none. */
export function serverOf(
  languageId: string,
  from: { readonly preferences: ServerPreferences; readonly isInPath: (program: string) => boolean },
): ServerCommand | null {
  if (Object.hasOwn(from.preferences, languageId)) return from.preferences[languageId] ?? null;
  const language = languages.find(({ id }) => id === languageId);
  for (const line of language?.servers ?? []) {
    const [command = '', ...args] = line.split(' ');
    if (from.isInPath(command)) return { command, args };
  }
  return null;
}

/** The server as a command line, for permission where nothing confines it. */
export function commandLine({ command, args }: ServerCommand): string {
  return [command, ...args].map((word) => (/^[\w./:=@%+-]+$/.test(word) ? word : quoted(word))).join(' ');
}

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
