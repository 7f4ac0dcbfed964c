import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Ships the font's licence; those of the scripts are collected by `build.license`. */
function fontLicence(): Plugin {
  const licence = fileURLToPath(import.meta.resolve('@fontsource-variable/inter/LICENSE'));
  return {
    name: 'font-licence',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'licences/inter-font.txt', source: readFileSync(licence) });
    },
  };
}

/** Builds the screens for both hosts into `dist/` beside this file. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Electron loads it from disk, the browser host from its own origin: URLs stay relative.
  base: './',
  plugins: [react(), fontLicence()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'chrome130',
    // data: URLs and inline scripts are blocked by `default-src 'self'`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licences/scripts.md' },
  },
});
