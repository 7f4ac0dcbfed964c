import { parseArgs } from 'node:util';

export const usage = `Usage: npm start -- [options]

Runs all of Florin with a demo shop: sandbox gateway, backend, simulated card reader, terminal.

  --data DIR   where everything is kept (default .florin); delete it to begin again
  --verbose    show what every program logs, not only warnings
  --help       this text

Ports start at PORT_BASE (default 4100).`;

export type Arguments =
  | { readonly kind: 'run'; readonly data: string; readonly verbose: boolean; readonly portBase: number }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly problem: string };

export function readArguments(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Arguments {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        data: { type: 'string', default: '.florin' },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return { kind: 'help' };
    const portBase = Number(env.PORT_BASE ?? 4100);
    if (!Number.isInteger(portBase) || portBase < 1024 || portBase > 65_000)
      return { kind: 'wrong', problem: 'PORT_BASE must be a number from 1024 to 65000' };
    return { kind: 'run', data: values.data, verbose: values.verbose, portBase };
  } catch (error) {
    return { kind: 'wrong', problem: error instanceof Error ? error.message : 'the command line is not valid' };
  }
}
