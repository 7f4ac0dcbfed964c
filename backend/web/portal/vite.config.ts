import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { contractFacts } from './build/contracts.ts';
import { buildOutcome } from './build/outcome.ts';

// Whatever the environment says: tests set it to another value, and React would then be built for development.
process.env.NODE_ENV = 'production';

const asset = 'assets/[name]-[hash:16]';

/** Builds the portal into `dist/` beside this file; the service serves it below `/portal/`. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/portal/',
  plugins: [react(), contractFacts(), buildOutcome()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: ['chrome111', 'firefox115', 'safari16.4'],
    // data: URLs are blocked by the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One stylesheet, loaded with the document: a page that appears without its style jumps.
    cssCodeSplit: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      input: { portal: fileURLToPath(new URL('app/main.tsx', import.meta.url)) },
      output: {
        entryFileNames: `${asset}.js`,
        chunkFileNames: chunk => `assets/${wordOf(chunk.name)}-[hash:16].js`,
        assetFileNames: ({ names }) => `assets/${wordOf(names[0] ?? '')}-[hash:16][extname]`,
        hashCharacters: 'hex',
      },
    },
  },
});

/** A name as the address of an asset takes it. */
function wordOf(name: string): string {
  return name.endsWith('.css')
    ? 'portal'
    : name
        .replace(/\.\w+$/, '')
        .toLowerCase()
        .replace(/[^a-z]+/g, '-')
        .replace(/^-|-$/g, '');
}
