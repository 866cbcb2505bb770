// Colours for code. Grammars load when first needed; the JavaScript regular-expression engine needs no wasm, and the
// theme is CSS variables, so that both page themes share one result.
import type { HighlighterCore, LanguageInput } from 'shiki/core';

export interface CodeToken {
  readonly text: string;
  /** A CSS colour, or undefined for the text colour. */
  readonly color: string | undefined;
}

const grammars: Readonly<Record<string, LanguageInput>> = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  jsonc: () => import('shiki/langs/jsonc.mjs'),
  jsx: () => import('shiki/langs/jsx.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
};

const otherNames: Readonly<Record<string, string>> = {
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  console: 'bash',
  'c++': 'cpp',
  cs: 'csharp',
  dockerfile: 'docker',
  golang: 'go',
  htm: 'html',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  kt: 'kotlin',
  md: 'markdown',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  yml: 'yaml',
};

/** Longer code stays without colours: colouring would hold up the page. */
const maxHighlightedChars = 60_000;

/** For one line, after which its rest stays in one colour. The first line of a language pays for its grammar too. */
const lineLimitMs = 5_000;

let highlighter: Promise<HighlighterCore> | undefined;

/** The grammar that a name or file extension stands for; null for what has none. */
export function grammarOf(language: string): string | null {
  const name = language.toLowerCase();
  const known = otherNames[name] ?? name;
  return Object.hasOwn(grammars, known) ? known : null;
}

/** Lines of coloured tokens; null where the language is unknown or the code too long. */
export async function highlight(code: string, language: string): Promise<CodeToken[][] | null> {
  const name = grammarOf(language);
  const grammar = name === null ? undefined : grammars[name];
  if (name === null || grammar === undefined || code.length > maxHighlightedChars) return null;
  highlighter ??= loadHighlighter();
  const ready = await highlighter;
  if (!ready.getLoadedLanguages().includes(name)) await ready.loadLanguage(grammar);
  const { tokens } = ready.codeToTokens(code, {
    lang: name,
    theme: 'gatehouse',
    tokenizeTimeLimit: lineLimitMs,
  });
  return tokens.map((line) => line.map((token) => ({ text: token.content, color: token.color })));
}

/** Loaded with the first code that is shown: the page starts without it. */
async function loadHighlighter(): Promise<HighlighterCore> {
  const [core, engine] = await Promise.all([import('shiki/core'), import('shiki/engine/javascript')]);
  return core.createHighlighterCore({
    themes: [core.createCssVariablesTheme({ name: 'gatehouse', variablePrefix: '--code-', fontStyle: false })],
    langs: [],
    engine: engine.createJavaScriptRegexEngine({ forgiving: true }),
  });
}
