import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A program of the demo: how to start it and how its output is labelled. */
export type Program = {
  readonly name: string;
  /** The npm script that starts it alone. */
  readonly script: string;
  /** Path of the entry file from the repository's top level, with its arguments. */
  readonly command: readonly [entry: string, ...args: string[]];
  /** The executable that runs the entry file; Node by default. */
  readonly executable?: string;
  readonly env?: Readonly<Record<string, string>>;
};

export type Running = {
  readonly program: Program;
  readonly pid: number | undefined;
  readonly ready: Record<string, unknown>;
  /** How it ended, in words. */
  readonly exited: Promise<string>;
};

/** The command line that starts a program alone, with the same settings, in another window. */
export function commandFor({ script, command: [, ...args], env = {} }: Program): string {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
  return [...settings, `npm run ${script} --`, ...args.map(quoted)].join(' ');
}

/** Quotes a word for the shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * Starts programs one after the other and stops them in reverse. Each of ours announces itself with one JSON line on
 * standard output; its later output goes to `print`.
 */
export function programRunner(options: {
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: (name: string, line: string) => void;
}) {
  const children: { child: ChildProcess; exited: Promise<string> }[] = [];

  /** @throws Error with the program's last lines if it exits before it is ready */
  async function start(program: Program): Promise<Running> {
    const throughGuard =
      program.executable === undefined ? ['--import', './backend/foundation/platform/node-24.mjs'] : [];
    const child = spawn(program.executable ?? process.execPath, [...throughGuard, ...program.command], {
      cwd: options.directory,
      env: { ...options.env, ...program.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Own process group: Ctrl-C reaches only this program, which then stops the others in order.
      detached: true,
    });
    const exited = new Promise<string>(resolve =>
      child.once('exit', (code, signal) => resolve(signal === null ? `exit ${code}` : `killed by ${signal}`)),
    );
    children.push({ child, exited });
    const running = { program, pid: child.pid, exited };
    const lastLines: string[] = [];
    const onLine = (line: string) => {
      lastLines.push(line);
      if (lastLines.length > 20) lastLines.shift();
      options.print(program.name, line);
    };
    createInterface({ input: child.stderr }).on('line', onLine);
    if (program.executable !== undefined) {
      createInterface({ input: child.stdout }).on('line', onLine);
      return { ...running, ready: {} };
    }
    const ready = await new Promise<Record<string, unknown>>((resolve, reject) => {
      let waiting = true;
      createInterface({ input: child.stdout }).on('line', line => {
        const announcement = waiting ? readyLine(line) : undefined;
        if (!announcement) return onLine(line);
        waiting = false;
        resolve(announcement);
      });
      void exited.then(how =>
        reject(new Error(`${program.name} ended before it was ready (${how}):\n${lastLines.join('\n')}`)),
      );
    });
    return { ...running, ready };
  }

  /** Stops programs in reverse order of start; kills any that does not exit within ten seconds. */
  async function stop(): Promise<void> {
    for (const { child, exited } of children.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGTERM');
      const killTimer = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await exited;
      clearTimeout(killTimer);
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
