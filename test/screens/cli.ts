import { gallery } from './gallery.ts';
import { scriptedHost } from './host.ts';

/** Shows one picture of the gallery in your browser: `node test/screens/cli.ts sale-result-approved`. */
const wanted = process.argv[2];
const pictures = gallery(Date.now());
const chosen = pictures.find(({ name }) => name === wanted);
if (chosen === undefined) {
  console.log(`Usage: node test/screens/cli.ts PICTURE\n\n${pictures.map(({ name }) => `  ${name}`).join('\n')}`);
  process.exitCode = wanted === undefined || wanted === '--help' ? 0 : 2;
} else {
  const host = await scriptedHost(chosen.view);
  console.log(`${chosen.name}: ${host.address}\nCtrl-C stops it.`);
}
