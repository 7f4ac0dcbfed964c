import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** One program of the whole: how it is started and how its lines are told apart on the screen. */
export type Program = {
  readonly name: string;
  /** Path of the entry file from the top of the repository, with its arguments. */
  readonly command: readonly [entry: string, ...args: string[]];
  /** What runs the entry file: Node unless told. */
  readonly executable?: string;
  readonly env?: Readonly<Record<string, string>>;
};

export type Running = {
  readonly name: string;
  readonly ready: Record<string, unknown>;
  readonly exited: Promise<number | null>;
};

/**
 * Starts programs one after the other and stops them in reverse. Each of ours announces itself with one JSON line on
 * standard output, which is waited for; what it says afterwards goes to the log that `print` gets.
 */
export function programRunner(options: {
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: (name: string, line: string) => void;
}) {
  const children: { name: string; child: ChildProcess; exited: Promise<number | null> }[] = [];

  /** @throws Error with the program's last words when it ends before it is ready. */
  async function start(program: Program): Promise<Running> {
    const throughGuard = program.executable === undefined ? ['--import', './backend/platform/node-24.mjs'] : [];
    const child = spawn(program.executable ?? process.execPath, [...throughGuard, ...program.command], {
      cwd: options.directory,
      env: { ...options.env, ...program.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: Ctrl-C reaches this program first, which then stops the others in order.
      detached: true,
    });
    const exited = new Promise<number | null>(resolve => child.once('exit', code => resolve(code)));
    children.push({ name: program.name, child, exited });
    const lastWords: string[] = [];
    const hear = (line: string) => {
      lastWords.push(line);
      if (lastWords.length > 20) lastWords.shift();
      options.print(program.name, line);
    };
    createInterface({ input: child.stderr }).on('line', hear);
    if (program.executable !== undefined) {
      createInterface({ input: child.stdout }).on('line', hear);
      return { name: program.name, ready: {}, exited };
    }
    const ready = await new Promise<Record<string, unknown>>((resolve, reject) => {
      let waiting = true;
      createInterface({ input: child.stdout }).on('line', line => {
        const announcement = waiting ? readyLine(line) : undefined;
        if (!announcement) return hear(line);
        waiting = false;
        resolve(announcement);
      });
      void exited.then(code =>
        reject(new Error(`${program.name} ended before it was ready (exit ${code}):\n${lastWords.join('\n')}`)),
      );
    });
    return { name: program.name, ready, exited };
  }

  /** Asks each to stop, last started first, and waits; whoever ignores it for ten seconds is ended. */
  async function stop(): Promise<void> {
    for (const { child, exited } of children.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGTERM');
      const impatience = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await exited;
      clearTimeout(impatience);
    }
  }

  return { start, stop };
}

function readyLine(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'ready' in value
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
