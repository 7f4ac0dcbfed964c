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
};

/** JSON lines into `file`, or on standard error, because standard output carries the program's own result. */
export function createLog(options: { level: 'info' | 'warn' | 'silent'; file?: string }): TerminalLog {
  const recent = new RecentLines();
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
  };
}
