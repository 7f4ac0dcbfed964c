import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

const isCi = Boolean(process.env.CI);

/**
 * Which of `parts` this run tests, from 1. With `CI` set the commit decides, so that all of them run within a few commits; the
 * suites that use this run as a whole without it.
 */
export function partOf(parts: number): number {
  return 1 + (commitNumber() % parts);
}

/**
 * Whether a case, known by its name or its place in a list, is tested in this run: with `CI` set one of `parts` is, and
 * always the same cases for the same commit.
 */
export function isInPart(which: string | number, parts: number): boolean {
  return !isCi || 1 + ((typeof which === 'number' ? which : numberOf(which)) % parts) === partOf(parts);
}

let commit: number | undefined;
/** 0 in a tree without its history. */
function commitNumber(): number {
  commit ??= readCommit();
  return commit;
}

function readCommit(): number {
  try {
    const hash = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return Number.parseInt(hash.slice(0, 8), 16);
  } catch {
    return 0;
  }
}

/** Spreads names evenly over the parts. */
const numberOf = (name: string) => createHash('sha256').update(name).digest().readUInt32BE();
