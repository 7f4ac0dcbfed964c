import { defineConfig } from 'electron-vite';

/** Where updates are, and the key that signs them; a program that is built without them looks for none. */
function updates() {
  const { FLORIN_UPDATES_URL: url, FLORIN_UPDATES_PUBLIC_KEY: publicKey } = process.env;
  if (!url && !publicKey) return 'undefined';
  if (!url || !/^MCowBQYDK2VwAyEA[\w+/]{43}=$/.test(publicKey ?? ''))
    throw new Error('FLORIN_UPDATES_URL and FLORIN_UPDATES_PUBLIC_KEY belong together: packaging/README.md');
  return JSON.stringify({ url, publicKey });
}

/**
 * Builds Electron's main process and preload into `out/`. The renderer has a build of its own (renderer/vite.config.ts),
 * which both hosts serve. Native modules and packages stay outside; our own TypeScript is bundled in.
 */
export default defineConfig({
  main: {
    define: { florinUpdates: updates() },
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
