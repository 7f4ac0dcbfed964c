/** Builds pages as a Vite configuration says into a folder, and returns the files that they are made of. */
export async function viteBuild(configFile: string, folder: string): Promise<readonly string[]> {
  const { build } = await import('vite');
  const built = await build({ configFile, logLevel: 'warn', build: { outDir: folder } });
  const outputs = [built].flat().flatMap(each => ('output' in each ? each.output : []));
  return outputs.flatMap(output => (output.type === 'chunk' ? output.moduleIds : []));
}
