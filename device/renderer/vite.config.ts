import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Builds the screen both hosts serve, into `dist/` beside this file. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Electron loads it from disk, the browser host from its own origin: addresses stay relative.
  base: './',
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'chrome130',
    // Nothing may become a data: address or an inline script: both fall foul of `default-src 'self'`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
