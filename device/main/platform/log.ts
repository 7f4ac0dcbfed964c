import type { Log } from '@florin/shared/ports.ts';
import { withSupportCode } from '@florin/shared/signing/support-code.ts';
import { secretsRemover } from '@florin/shared/without-secrets.ts';
import pino from 'pino';
import { withTrace } from '../../core/service/trace.ts';
import { logFile } from './log-file.ts';

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

/** JSON lines into `file`, or on standard error, because standard output carries the program's own result. */
export function createLog(options: { level: 'info' | 'warn' | 'silent'; file?: string }): Log {
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: facts => withTrace(withSupportCode(withoutSecrets(facts))) },
    },
    options.file === undefined ? pino.destination({ dest: 2, sync: true }) : logFile(options.file),
  );
  return {
    info: (facts, message) => logger.info(facts, message),
    warn: (facts, message) => logger.warn(facts, message),
    error: (facts, message) => logger.error(facts, message),
  };
}
