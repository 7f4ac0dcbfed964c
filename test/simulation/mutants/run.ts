import { spawn } from 'node:child_process';
import { mutants } from './mutants.ts';

export type Finding = {
  readonly name: string;
  readonly by: 'seed' | 'flow' | 'nothing' | 'error';
  readonly seed?: number;
  readonly failure?: string;
};

/** Plants every bug in turn, some at once, and says what found each. */
export async function hunt(options: {
  readonly jobs: number;
  readonly mostSeeds: number;
  readonly only?: string | undefined;
  readonly tell: (finding: Finding) => void;
}): Promise<Finding[]> {
  const waiting = mutants.map(({ name }) => name).filter(name => name.includes(options.only ?? ''));
  const findings: Finding[] = [];
  async function work(): Promise<void> {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const finding = await look(name, options.mostSeeds);
      findings.push(finding);
      options.tell(finding);
    }
  }
  await Promise.all(Array.from({ length: options.jobs }, work));
  return findings;
}

function look(name: string, mostSeeds: number): Promise<Finding> {
  return new Promise(resolve => {
    const detector = new URL('detector.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, [detector, name, String(mostSeeds)]);
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

/** How many were found, and after how many worlds. */
export function scoreOf(findings: readonly Finding[]): string {
  const found = findings.filter(({ by }) => by === 'seed' || by === 'flow');
  const seeds = found.flatMap(({ seed }) => seed ?? []).sort((a, b) => a - b);
  const median = seeds[Math.floor(seeds.length / 2)] ?? 0;
  return `${found.length} of ${findings.length} planted bugs found; by sweeping after ${median} worlds in the median, ${seeds.at(-1) ?? 0} at most`;
}
