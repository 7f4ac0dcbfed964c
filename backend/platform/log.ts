import { secretsRemover } from '@florin/shared/without-secrets.ts';
import pino, { type DestinationStream, type Logger } from 'pino';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Fields that could only hold a secret or a card number: whatever logs an object by accident logs none of these. */
const secretFields = [
  'authorization',
  'key',
  'apiKey',
  'token',
  'deviceToken',
  'password',
  'secret',
  'pan',
  'number',
  'securityCode',
  'encryptedBlock',
  'enrolmentCode',
];

/** JSON lines on standard output, each complete when the call returns. */
export function createLog(options: { readonly level: LogLevel; readonly destination?: DestinationStream }): Logger {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: secretsRemover(secretFields) },
      serializers: { err: errorFacts },
    },
    options.destination ?? pino.destination({ dest: 1, sync: true }),
  );
}

/** What helps to find a bug: never the error's own fields, in which drivers put the values of a query. */
function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: typeof error };
  const code = (error as { code?: unknown }).code;
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.cause === undefined ? {} : { cause: errorFacts(error.cause) }),
  };
}
