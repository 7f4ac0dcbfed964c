import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Wanted } from './detector.ts';
import { mutants } from './mutants.ts';

export type Finding = {
  readonly name: string;
  readonly by: 'seed' | 'flow' | 'nothing' | 'error';
  /** The seed, or the case of the enumeration. */
  readonly place?: string;
  readonly failure?: string;
};

/** Where each bug was found the last time. It is tried there first, and searched for again if it is no longer found there. */
const memory = new URL('found.json', import.meta.url);
const places = z.record(z.string(), z.string());

/** Records where the bugs were found; entries of bugs that no longer exist are dropped. */
export function remember(findings: readonly Finding[]): void {
  const found = { ...places.parse(JSON.parse(readFileSync(memory, 'utf8'))) };
  for (const { name, place } of findings) if (place !== undefined) found[name] = place;
  const kept = mutants.flatMap(({ name }) => (found[name] === undefined ? [] : [[name, found[name]]]));
  writeFileSync(memory, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}

/** Plants every bug, several in parallel, and reports what found each. */
export async function detect(options: {
  readonly jobs: number;
  readonly maxSeeds: number;
  readonly isWanted: (name: string, index: number) => boolean;
  readonly print: (finding: Finding) => void;
}): Promise<Finding[]> {
  const known = places.parse(JSON.parse(readFileSync(memory, 'utf8')));
  const compiled = mkdtempSync(join(tmpdir(), 'florin-compiled-'));
  const waiting = mutants.map(({ name }) => name).filter(options.isWanted);
  const findings: Finding[] = [];
  async function work(): Promise<void> {
    const next = () => {
      const name = waiting.shift();
      return name === undefined ? undefined : { name, maxSeeds: options.maxSeeds, place: known[name] ?? '' };
    };
    while (waiting.length > 0)
      await detectorFor(next, compiled, finding => {
        findings.push(finding);
        options.print(finding);
      });
  }
  await Promise.all(Array.from({ length: options.jobs }, work));
  rmSync(compiled, { recursive: true });
  return findings;
}

/** Runs one process that searches for one bug after another, until none is left or a bug ends the process. */
function detectorFor(
  next: () => Wanted | undefined,
  compiled: string,
  onFinding: (finding: Finding) => void,
): Promise<void> {
  return new Promise(resolve => {
    const child = fork(new URL('detector.ts', import.meta.url), {
      env: { ...process.env, NODE_COMPILE_CACHE: compiled },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let errors = '';
    child.stderr?.on('data', chunk => (errors = `${errors}${String(chunk)}`.slice(-600)));
    let looking: Wanted | undefined;
    const feed = () => {
      looking = next();
      if (looking) child.send(looking);
      else child.disconnect();
    };
    child.on('message', finding => {
      onFinding(finding as Finding);
      feed();
    });
    child.on('exit', () => {
      // A detector that failed found nothing: a bug that prevents the program from loading proves nothing about the tests.
      if (looking) onFinding({ name: looking.name, by: 'error', failure: errors });
      resolve();
    });
    feed();
  });
}

/** The number of bugs found, and the number of seeds needed for those found by random seeds. */
export function scoreOf(findings: readonly Finding[]): string {
  const found = findings.filter(({ by }) => by === 'seed' || by === 'flow');
  const seeds = found.flatMap(({ by, place }) => (by === 'seed' ? Number(place) : [])).sort((a, b) => a - b);
  const median = seeds[Math.floor(seeds.length / 2)] ?? 0;
  return `${found.length} of ${findings.length} planted bugs found; by random seeds in world ${median} in the median, ${seeds.at(-1) ?? 0} at most`;
}
