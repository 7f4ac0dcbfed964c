import { type ContextLog, idPrefixes } from '@florin/shared/ports.ts';
import { withSupportCode } from '@florin/shared/signing/support-code.ts';
import { secretsRemover } from '@florin/shared/without-secrets.ts';
import pino, { type DestinationStream } from 'pino';
import { apart, contextFacts, withFacts } from '../context.ts';
import { systemIds } from './system.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Fields that can only hold a secret or a card number, removed from every logged object. */
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

const withoutSecrets = secretsRemover(secretFields);

const nextJobId = () => systemIds.next(idPrefixes.job);

/** JSON lines on standard output, written before the current turn of the event loop ends and before an exit. */
export function createLog(options: { readonly level: LogLevel; readonly destination?: DestinationStream }): ContextLog {
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: isoTime(),
      formatters: { log: facts => withSupportCode(withoutSecrets(facts)) },
      serializers: { err: errorFacts },
    },
    options.destination ?? standardOutput(),
  );
  return {
    info: (facts, message) => logger.info({ ...contextFacts(), ...facts }, message),
    warn: (facts, message) => logger.warn({ ...contextFacts(), ...facts }, message),
    error: (facts, message) => logger.error({ ...contextFacts(), ...facts }, message),
    within: (facts, work) => withFacts(facts, nextJobId, work),
    apart: (facts, work) => apart(facts, nextJobId, work),
  };
}

let output: DestinationStream | undefined;

/** That of the process, whatever the number of its logs. */
function standardOutput(): DestinationStream {
  output ??= openOutput();
  return output;
}

/** Writes all lines of a turn at once: under load, one write for many requests. */
function openOutput(): DestinationStream {
  const destination = pino.destination({ dest: 1, sync: true });
  let waiting = '';
  const flush = () => {
    if (waiting !== '') destination.write(waiting);
    waiting = '';
  };
  process.on('exit', flush);
  return {
    write(line) {
      if (waiting === '') setImmediate(flush);
      waiting += line;
    },
  };
}

/** The time in ISO 8601, formatted once per millisecond. */
function isoTime(): () => string {
  let formattedAt = Number.NaN;
  let formatted = '';
  return () => {
    const now = Date.now();
    if (now !== formattedAt) formatted = `,"time":"${new Date(now).toISOString()}"`;
    formattedAt = now;
    return formatted;
  };
}

/** Facts for debugging, without the error's own fields, in which drivers put a query's values. */
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
