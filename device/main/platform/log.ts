import { secretsRemover } from '@florin/shared/without-secrets.ts';
import pino from 'pino';
import type { Log } from '../../core/ports.ts';

/** Fields that could only hold a secret or a card: whatever logs an object by accident logs none of these. */
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

/** JSON lines on standard error: standard output belongs to the program's own answer. */
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
