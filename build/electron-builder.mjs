// How the desktop app is packed. Used by build/package.mjs and its test.

/** Parts of packages that only building or reading them needs. */
const ballast = [
  '!**/*.{map,md,markdown,d.ts,d.cts,d.mts,test.js,test.ts,spec.ts}',
  '!**/{test,tests,__tests__,example,examples,docs,.github}/**',
  '!**/node_modules/.bin/**',
  // The build for Node; the one for Electron is dist/native.
  '!**/node_modules/better-sqlite3/{build,deps,src,binding.gyp}',
  '!**/node_modules/better-sqlite3/{build,deps,src}/**',
  '!**/node_modules/node-pty/{deps,scripts,src,third_party,typings,node-addon-api}/**',
  '!**/node_modules/node-pty/build/{deps,node_gyp_bins,Release/obj.target,Release/.deps}/**',
  '!**/node_modules/node-pty/build/{Makefile,*.mk,config.gypi}',
  '!**/node_modules/tree-sitter-bash/{bindings,prebuilds,queries,src,node_modules,grammar.js}/**',
  '!**/node_modules/web-tree-sitter/debug/**',
  '!**/node_modules/{node-addon-api,prebuild-install}/**',
  // Of the PDF library only what reads text; its canvas is for drawing.
  '!**/node_modules/pdfjs-dist/{build,web,types,image_decoders,iccs,standard_fonts,wasm}/**',
  '!**/node_modules/pdfjs-dist/legacy/{web,image_decoders}/**',
  '!**/node_modules/pdfjs-dist/legacy/build/{*.min.mjs,pdf.sandbox.mjs}',
  '!**/node_modules/@napi-rs/{canvas,canvas-*}{,/**}',
  '!**/node_modules/sharp/{src,install}/**',
  '!**/node_modules/@img/sharp-libvips-*/lib/{glib-2.0,pkgconfig,include}/**',
  ...['linux', 'darwin', 'win32']
    .filter((platform) => platform !== process.platform)
    .map((platform) => `!**/node_modules/node-pty/prebuilds/${platform}-*/**`),
  '!**/node_modules/@anthropic-ai/sdk/src/**',
];

/** electron-builder's configuration. */
export const configuration = {
  appId: 'dev.gatehouse.desktop',
  productName: 'Gatehouse',
  directories: { output: 'dist/packages', buildResources: 'build/icons' },
  files: ['package.json', 'dist/**/*', '!dist/{types,reports,packages}/**', ...ballast],
  asar: true,
  // Native code, programs and threads cannot be run from inside an archive.
  asarUnpack: [
    '**/*.node',
    '**/*.wasm',
    '**/node_modules/node-pty/{build,prebuilds}/**',
    '**/node_modules/@vscode/ripgrep-*/bin/**',
    '**/node_modules/@img/sharp-*/**',
    // Threads do not see into the archive.
    'dist/*Worker.mjs',
    '**/node_modules/pdfjs-dist/**',
    // Packages that the thread of past calls finds beside it.
    '**/node_modules/{better-sqlite3,bindings,file-uri-to-path,web-tree-sitter,tree-sitter-bash}/**',
  ],
  // Replacing addons in node_modules would break the tests; build/native.mjs makes the one that is needed.
  npmRebuild: false,
  electronFuses: {
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableCookieEncryption: true,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
  },
  // Nothing is published from a person's machine.
  publish: null,
  linux: {
    target: ['AppImage', 'deb', 'rpm'],
    executableName: 'gatehouse',
    category: 'Development',
    synopsis: 'A desktop workspace for coding agents',
    maintainer: 'Gatehouse',
    icon: 'icon.png',
  },
  // By itself electron-builder would start it with --no-sandbox.
  appImage: { executableArgs: [] },
  deb: {
    depends: ['libgtk-3-0', 'libnss3', 'libxss1', 'libxtst6', 'libatspi2.0-0', 'libsecret-1-0'],
    recommends: ['bubblewrap'],
  },
  mac: {
    target: ['dmg', 'zip'],
    category: 'public.app-category.developer-tools',
    hardenedRuntime: true,
    icon: 'icon.png',
  },
  win: {
    target: ['nsis'],
    icon: 'icon.png',
  },
  nsis: { oneClick: false, allowToChangeInstallationDirectory: true },
};
