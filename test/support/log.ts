import type { ContextLog, Log } from '@florin/shared/ports.ts';

/** Logs nothing. */
export const noLog: ContextLog = {
  info() {},
  warn() {},
  error() {},
  within: (_facts, work) => work(),
  apart: (_facts, work) => work(),
};

/** Adds each line to the list, as JSON with its level and message. */
export function logInto(lines: string[]): Log {
  const write = (level: string) => (facts: Readonly<Record<string, unknown>>, message: string) =>
    void lines.push(JSON.stringify({ level, ...facts, message }));
  return { info: write('info'), warn: write('warn'), error: write('error') };
}
