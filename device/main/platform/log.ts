import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Log } from '@florin/shared/ports.ts';
import { withSupportCode } from '@florin/shared/signing/support-code.ts';
import { secretsRemover } from '@florin/shared/without-secrets.ts';
import pino from 'pino';
import { withTrace } from '../../core/service/trace.ts';
import { logFile } from './log-file.ts';
import { RecentLines } from './recent-lines.ts';

/** Field names that can only hold a secret or card data; they are never logged, even if a whole object is. */
const secretFields = [
  'token',
  'deviceToken',
  'password',
  'key',
  'privateKey',
  'pan',
  'encryptedBlock',
  'enrolmentCode',
  'signature',
];

const withoutSecrets = secretsRemover(secretFields);

export type TerminalLog = Log & {
  /** Its last lines, oldest first. */
  readonly recent: () => string[];
  /** Logs why the program ends, and keeps the line for the diagnostics of the next launches. */
  readonly fault: (error: Error) => void;
};

/**
 * JSON lines into `file`, or on standard error, because standard output carries the program's own result. The line of the last
 * fault is kept in `faultFile`, readable by this user only, until the next fault.
 */
export function createLog(options: {
  level: 'info' | 'warn' | 'silent';
  file?: string;
  faultFile?: string;
}): TerminalLog {
  const { faultFile } = options;
  const hasFault = faultFile !== undefined && existsSync(faultFile);
  const recent = new RecentLines(hasFault ? readFileSync(faultFile, 'utf8') : undefined);
  const output = options.file === undefined ? pino.destination({ dest: 2, sync: true }) : logFile(options.file);
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: facts => withTrace(withSupportCode(withoutSecrets(facts))) },
    },
    {
      write(line: string) {
        recent.add(line);
        output.write(line);
      },
    },
  );
  return {
    recent: () => recent.all(),
    info: (facts, message) => logger.info(facts, message),
    warn: (facts, message) => logger.warn(facts, message),
    error: (facts, message) => logger.error(facts, message),
    fault(error) {
      logger.error({ error: error.stack ?? error.message }, 'the terminal failed');
      if (faultFile === undefined) return;
      try {
        writeFileSync(faultFile, recent.all().at(-1) ?? '', { mode: 0o600 });
      } catch (failure) {
        logger.error({ error: String(failure) }, 'the fault could not be kept');
      }
    },
  };
}
