import { secretsRemover } from '@florin/shared/without-secrets.ts';
import pino from 'pino';
import type { Log } from '../../core/ports.ts';

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

/** JSON lines on standard error, because standard output carries the program's own result. */
export function createLog(options: { level: 'info' | 'warn' | 'silent' }): Log {
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: secretsRemover(secretFields) },
    },
    pino.destination({ dest: 2, sync: true }),
  );
  return {
    info: (event, fields) => logger.info({ event, ...fields }),
    warn: (event, fields) => logger.warn({ event, ...fields }),
    error: (event, fields) => logger.error({ event, ...fields }),
  };
}
