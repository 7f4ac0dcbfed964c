import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { mutants } from './mutants.ts';

export type Finding = {
  readonly name: string;
  readonly by: 'seed' | 'flow' | 'nothing' | 'error';
  /** The seed, or the case of the enumeration. */
  readonly place?: string;
  readonly failure?: string;
};

/** Where each bug was found the last time: looked at first, and searched for anew where it is not found there any more. */
const memory = new URL('found.json', import.meta.url);
const places = z.record(z.string(), z.string());

/** Writes down where the bugs were found, of all that there are. */
export function remember(findings: readonly Finding[]): void {
  const found = { ...places.parse(JSON.parse(readFileSync(memory, 'utf8'))) };
  for (const { name, place } of findings) if (place !== undefined) found[name] = place;
  const kept = mutants.flatMap(({ name }) => (found[name] === undefined ? [] : [[name, found[name]]]));
  writeFileSync(memory, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}

/** Plants every bug in turn, some at once, and says what found each. */
export async function hunt(options: {
  readonly jobs: number;
  readonly mostSeeds: number;
  readonly only?: string | undefined;
  readonly print: (finding: Finding) => void;
}): Promise<Finding[]> {
  const known = places.parse(JSON.parse(readFileSync(memory, 'utf8')));
  const compiled = mkdtempSync(join(tmpdir(), 'florin-compiled-'));
  const waiting = mutants.map(({ name }) => name).filter(name => name.includes(options.only ?? ''));
  const findings: Finding[] = [];
  async function work(): Promise<void> {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const finding = await look(name, { ...options, place: known[name] ?? '', compiled });
      findings.push(finding);
      options.print(finding);
    }
  }
  await Promise.all(Array.from({ length: options.jobs }, work));
  rmSync(compiled, { recursive: true });
  return findings;
}

type Search = { readonly mostSeeds: number; readonly place: string; readonly compiled: string };

function look(name: string, { mostSeeds, place, compiled }: Search): Promise<Finding> {
  return new Promise(resolve => {
    const detector = new URL('detector.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, [detector, name, String(mostSeeds), place], {
      env: { ...process.env, NODE_COMPILE_CACHE: compiled },
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', chunk => (output += String(chunk)));
    child.stderr.on('data', chunk => (errors += String(chunk)));
    child.on('close', code => {
      const line = output.trim().split('\n').at(-1) ?? '';
      // A detector that did not end well found nothing: a bug that keeps the tree from loading proves no test.
      if (code !== 0 || !line.startsWith('{')) resolve({ name, by: 'error', failure: errors.slice(-600) });
      else resolve({ name, ...JSON.parse(line) });
    });
  });
}

/** How many were found, and how far the sweep had to go for those that it found. */
export function scoreOf(findings: readonly Finding[]): string {
  const found = findings.filter(({ by }) => by === 'seed' || by === 'flow');
  const seeds = found.flatMap(({ by, place }) => (by === 'seed' ? Number(place) : [])).sort((a, b) => a - b);
  const median = seeds[Math.floor(seeds.length / 2)] ?? 0;
  return `${found.length} of ${findings.length} planted bugs found; by sweeping in world ${median} in the median, ${seeds.at(-1) ?? 0} at most`;
}
