import { operations } from 'virtual:contracts';
import type { Answer, Done, NotDone } from '@florin/client/answer.ts';
import { type CallOptions, type Connection, callOperation, type Operation } from '@florin/client/call.ts';
import type { Input, InputOf } from '@florin/client/input.ts';
import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import type { apiOperations, portalOperations } from '@florin/shared/contracts/operations.ts';
import { clock, timers } from '../platform/time.ts';
import { ask } from './prompts.ts';

type Operations = typeof apiOperations & typeof portalOperations;
/** An operation for a business. */
export type OperationName = keyof typeof apiOperations;
/** An operation of the session itself, which belongs to no business. */
export type OwnOperationName = keyof typeof portalOperations;
type Name = OperationName | OwnOperationName;
type OperationOf<Called extends Name> = Extract<Operations[Called], AnyContract>;
export type InputFor<Called extends Name> = InputOf<OperationOf<Called>>;
export type AnswerOf<Called extends Name> = Answer<OperationOf<Called>>;
/** The body of an operation's response. */
export type BodyFor<Called extends Name> = Extract<AnswerOf<Called>, { ok: true }>['body'];

const connection: Connection = {
  baseUrl: '',
  /** Sentences of the service are in the language of the page. */
  get headers() {
    return { 'Accept-Language': document.documentElement.lang };
  },
  timeoutMs: 30_000,
  maxAttempts: 3,
  ports: {
    fetch: (url, request) => fetch(url, { ...request, credentials: 'same-origin' }),
    clock,
    timers,
    random: { bytes: length => crypto.getRandomValues(new Uint8Array(length)) },
  },
};

/**
 * Calls an operation for a business with the session's cookie. Where the session has ended or a confirmation is required,
 * it asks the user over the page and repeats the call with the same Idempotency-Key.
 */
export async function callFor<Called extends OperationName>(
  businessId: string,
  name: Called,
  input: InputFor<Called>,
  options: CallOptions = {},
): Promise<AnswerOf<Called>> {
  const operation = operationOf(name);
  const path = operation.path.replace('{businessId}', businessId);
  // The sentences that the service writes are in the language that was chosen here.
  const headers = { 'accept-language': document.documentElement.lang, ...options.headers };
  const answer = await answeredAfterPrompts({ ...operation, path }, input as Input, { ...options, headers });
  return answer as AnswerOf<Called>;
}

/** Calls an operation of the session itself. One that `isQuiet` answers what is refused, and asks the user nothing. */
export async function callOwn<Called extends OwnOperationName>(
  name: Called,
  input: InputFor<Called>,
  { isQuiet = false, ...options }: CallOptions & { readonly isQuiet?: boolean } = {},
): Promise<AnswerOf<Called>> {
  const call = isQuiet
    ? callOperation(operationOf(name), input as Input, connection, options)
    : answeredAfterPrompts(operationOf(name), input as Input, options);
  return (await call) as AnswerOf<Called>;
}

function operationOf(name: Name): Operation {
  const called = operations[name];
  if (called === undefined) throw new Error(`there is no operation ${name}`);
  const [method, path, idempotent = false] = called;
  return { name, method, path, idempotent };
}

async function answeredAfterPrompts(operation: Operation, input: Input, options: CallOptions): Promise<Done | NotDone> {
  const answer = await callOperation(operation, input, connection, options);
  const prompt = promptFor(answer);
  if (prompt === undefined || !(await ask(prompt))) return answer;
  const { idempotencyKey } = answer;
  return answeredAfterPrompts(operation, input, { ...options, ...(idempotencyKey === null ? {} : { idempotencyKey }) });
}

function promptFor(answer: Done | NotDone) {
  if (answer.ok || answer.outcome !== 'refused') return undefined;
  if (answer.status === 401) return 'sign-in';
  return answer.status === 403 && answer.reason === 'step_up_required' ? 'step-up' : undefined;
}
