import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { pageOutput, pageRoot } from './entries.mjs';

export default defineConfig({
  root: pageRoot,
  base: './',
  // Every text passes through renderer/jsx on its way into an element.
  plugins: [react({ jsxImportSource: '#page' }), tailwindcss()],
  build: {
    outDir: pageOutput,
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
    // Inline data: fonts and pictures would need a wider content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 3_000,
  },
});
