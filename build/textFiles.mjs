/** Bundler plugin (rolldown, vite, vitest): `import text from './x.md'` gives the file as a string. */
export function textFiles() {
  return {
    name: 'gatehouse-text-files',
    transform(code, id) {
      if (!id.endsWith('.md')) return null;
      return { code: `export default ${JSON.stringify(code)};`, map: null, moduleType: 'js' };
    },
  };
}
