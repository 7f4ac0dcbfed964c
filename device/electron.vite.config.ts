import { defineConfig } from 'electron-vite';

/**
 * Builds Electron's main process and preload into `out/`. The renderer has a build of its own (renderer/vite.config.ts),
 * which both hosts serve. Native modules and packages stay outside; our own TypeScript is bundled in.
 */
export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      externalizeDeps: { exclude: ['@florin/shared'] },
      rollupOptions: { input: 'main/electron/main.ts', output: { format: 'es', entryFileNames: 'main.mjs' } },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      // A sandboxed preload can load nothing at run time, and must be CommonJS.
      externalizeDeps: false,
      rollupOptions: { input: 'preload/preload.ts', output: { format: 'cjs', entryFileNames: 'preload.cjs' } },
    },
  },
});
