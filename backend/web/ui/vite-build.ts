/** Builds pages as a Vite configuration says into a folder, and returns the files that they are made of. */
export async function viteBuild(configFile: string, folder: string): Promise<readonly string[]> {
  const { build } = await import('vite');
  // What a page may weigh is checked by tests; how long plugins take is no fault of what was built.
  const quiet = {
    chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
    rolldownOptions: { checks: { bundlerTimings: false } },
  };
  const built = await build({ configFile, logLevel: 'warn', build: { outDir: folder, ...quiet } });
  const outputs = [built].flat().flatMap(each => ('output' in each ? each.output : []));
  return outputs.flatMap(output => (output.type === 'chunk' ? output.moduleIds : []));
}
