import { cardSchemeOf } from '@florin/shared/card-schemes.ts';
import type {
  Answer,
  OnlineEvent,
  ReaderEvent,
  Stage,
  TransactionResult,
} from '@florin/shared/reader-line/messages.ts';
import { unreachable } from '@florin/shared/result.ts';
import type { ReadCard, ReaderMemory, ReaderOutcome, ReaderStage } from '../reader.ts';

/** Wire values mapped to those of the port. */

type StageEvent = Pick<Extract<ReaderEvent, { verb: 'STAGE' }>, 'stage' | 'entry'>;

const stageNames: Record<Stage, ReaderStage> = {
  present: 'present_card',
  tap: 'card_tapped',
  inserted: 'card_inserted',
  swiped: 'card_swiped',
  app: 'choose_application',
  pin: 'enter_pin',
  pin_retry: 'wrong_pin',
  online: 'authorising',
  remove: 'remove_card',
};

/** `present` is `insert_card` if the reader accepts only the chip. */
export function stageOf({ stage, entry }: StageEvent): ReaderStage {
  return stage === 'present' && entry === 'chip' ? 'insert_card' : stageNames[stage];
}

/** `encryptedBlock` is the block joined from all its parts. Of the PAN only the last four digits are kept. */
export function cardOf(event: OnlineEvent, encryptedBlock: string): ReadCard {
  return {
    encryptedBlock,
    keySerialNumber: event.ksn,
    entryMode: event.entry,
    scheme: cardSchemeOf(event.brand),
    lastFour: event.pan.slice(-4),
    ...(event.aid === undefined ? {} : { applicationId: event.aid.replace('.', '') }),
    ...(event.cvm === undefined ? {} : { cardholderVerification: event.cvm }),
  };
}

type ResultFacts = Omit<TransactionResult, 'txn'>;

/**
 * The outcome that a result reports. `card` is what this program itself read; for a result from the reader's memory the
 * encrypted block is empty.
 */
export function outcomeOf(result: ResultFacts, card: ReadCard | undefined): ReaderOutcome {
  switch (result.outcome) {
    case 'approved':
      return { kind: 'approved', card: card ?? cardOfResult(result), authorisationCode: result.auth ?? '' };
    case 'declined':
      return declined(result, result.by === 'card' || result.by === 'reader' ? result.by : 'host');
    case 'referral':
      return { kind: 'declined', by: 'host', code: result.hostcode ?? 'REFERRAL' };
    case 'cancelled':
      return { kind: 'cancelled', by: result.by === 'staff' ? 'staff' : 'customer' };
    case 'timeout':
      return { kind: 'timed_out' };
    case 'error':
      return declined(result, 'reader');
    default:
      return unreachable(result.outcome);
  }
}

/** The reader's memory of a transaction; undefined for `done` without an outcome, which counts as no answer. */
export function memoryOf(answer: Answer<'LAST'>, card: ReadCard | undefined): ReaderMemory | undefined {
  switch (answer.state) {
    case 'active':
      return { kind: 'active', stage: stageOf({ stage: answer.stage ?? 'present' }) };
    case 'reversed':
      return { kind: 'reversed' };
    case 'done': {
      const { outcome } = answer;
      return outcome === undefined ? undefined : { kind: 'done', outcome: outcomeOf({ ...answer, outcome }, card) };
    }
    case 'unknown':
      return { kind: 'unknown_to_reader' };
    default:
      return unreachable(answer.state);
  }
}

function declined(result: ResultFacts, by: 'host' | 'card' | 'reader'): ReaderOutcome {
  return { kind: 'declined', by, code: (by === 'host' ? result.hostcode : result.code) ?? 'UNSPECIFIED' };
}

function cardOfResult(result: ResultFacts): ReadCard {
  return {
    encryptedBlock: '',
    keySerialNumber: result.ksn ?? '',
    entryMode: result.entry ?? 'chip',
    scheme: cardSchemeOf(result.brand ?? ''),
    lastFour: result.pan?.slice(-4) ?? '',
    ...(result.aid === undefined ? {} : { applicationId: result.aid.replace('.', '') }),
    ...(result.cvm === undefined ? {} : { cardholderVerification: result.cvm }),
  };
}
