import type { Cancel, Random, Timers } from '@florin/shared/ports.ts';
import type { Fields } from '@florin/shared/reader-line/frame.ts';
import type { Stage } from '@florin/shared/reader-line/messages.ts';
import { type CardBlock, sealCard } from '../cards/card-block.ts';
import { lastFourOf, type TestCard } from '../cards/wallet.ts';

/**
 * One card dialogue, from "present card" to a result: the customer's actions on one side, the host's answer on the
 * other. Independent of lines and frames.
 */
export type Entry = 'chip' | 'contactless' | 'swipe';
export type Verification = 'pin' | 'device' | 'signature' | 'none';
/** `auth` and `code` are the bank's; empty if it gave none. */
export type HostOutcome = {
  readonly outcome: 'approved' | 'declined' | 'unknown';
  readonly auth: string;
  readonly code: string;
};

/** The data sent to the host for authorisation. */
export type OnlineCard = CardBlock & {
  /** Never leaves the reader. */
  readonly card: TestCard;
  readonly entry: Entry;
  readonly brand: string;
  readonly lastFour: string;
  /** Undefined of a magnetic stripe, which has no application. */
  readonly applicationId: string | undefined;
  readonly verification: Verification;
};

/** Declines of the reader or the card that a tester can choose for the next transaction. */
export const readerDeclines = ['card_expired', 'chip_error', 'offline_decline', 'refuses_after_approval'] as const;
export type ReaderDecline = (typeof readerDeclines)[number];

export type DialogueRefusal =
  | 'no_card_expected'
  | 'card_already_inserted'
  | 'no_card_inserted'
  | 'no_pin_expected'
  | 'not_contactless';

export type DialogueOptions = {
  readonly timeoutMs: number;
  /** How long the reader waits for the host's AUTH. */
  readonly hostTimeoutMs: number;
  readonly amountMinor: number;
  readonly decline: ReaderDecline | undefined;
  readonly readerNumber: string;
  readonly nextKeyCounter: () => number;
  readonly timers: Timers;
  readonly random: Random;
  /** `left` counts the PIN tries that remain. */
  readonly onStage: (stage: Stage, left?: number) => void;
  readonly onOnline: (card: OnlineCard) => void;
  /** Digits on the PIN pad's screen; the digits themselves stay here. */
  readonly onDigits: (count: number) => void;
  readonly onFinish: (result: Fields) => void;
};

/** Above this a tap is answered with "insert card", as schemes require without verification of the cardholder. */
const contactlessLimitMinor = 100_00;
const pinTries = 3;
const maxPinDigits = 12;

export class Dialogue {
  readonly #options: DialogueOptions;
  #stage: Stage = 'present';
  #card: TestCard | undefined;
  #entry: Entry | undefined;
  #verification: Verification = 'none';
  #online: OnlineCard | undefined;
  #typed = '';
  #triesLeft = pinTries;
  #finished = false;
  #cardPulled = false;
  #contactlessRefused = false;
  #deadline: Cancel;

  constructor(options: DialogueOptions) {
    this.#options = options;
    this.#deadline = options.timers.after(options.timeoutMs, () => this.#finish({ outcome: 'timeout' }));
  }

  get stage(): Stage {
    return this.#stage;
  }

  get online(): OnlineCard | undefined {
    return this.#stage === 'online' ? this.#online : undefined;
  }

  get digits(): number {
    return this.#typed.length;
  }

  get triesLeft(): number {
    return this.#triesLeft;
  }

  get insertInstead(): boolean {
    return this.#contactlessRefused;
  }

  /** Shows "present card", or "remove card" if the previous card is still inserted. */
  begin(spentCardInside: boolean): void {
    this.#enter(spentCardInside ? 'remove' : 'present');
  }

  insert(card: TestCard): DialogueRefusal | undefined {
    if (this.#stage !== 'present') return 'no_card_expected';
    this.#read(card, 'chip', 'inserted');
    if (this.#finished) return undefined;
    if (card.quirk === 'blocked') this.#refuseByCard('CARD_BLOCKED');
    else if (card.pin === undefined) this.#goOnline('none');
    else this.#enter('pin');
    return undefined;
  }

  tap(card: TestCard): DialogueRefusal | undefined {
    if (this.#stage !== 'present') return 'no_card_expected';
    if (!card.contactless) return 'not_contactless';
    if (this.#options.amountMinor > contactlessLimitMinor) {
      this.#contactlessRefused = true;
      this.#enter('present');
      return undefined;
    }
    this.#read(card, 'contactless', 'tap');
    if (!this.#finished) this.#goOnline('none');
    return undefined;
  }

  swipe(card: TestCard): DialogueRefusal | undefined {
    if (this.#stage !== 'present') return 'no_card_expected';
    this.#read(card, 'swipe', 'swiped');
    if (!this.#finished) this.#goOnline('signature');
    return undefined;
  }

  /** The card was removed: ends what needs it, and continues what waited for the removal. */
  removed(): void {
    if (this.#stage === 'remove') {
      this.#enter('present');
      return;
    }
    if (this.#entry !== 'chip') return;
    this.#cardPulled = true;
    if (this.#stage !== 'online') this.#finish({ outcome: 'cancelled', by: 'customer', code: 'CARD_REMOVED' });
  }

  digit(key: string): DialogueRefusal | undefined {
    if (!this.#atPin()) return 'no_pin_expected';
    if (this.#typed.length < maxPinDigits) this.#type(this.#typed + key);
    return undefined;
  }

  clearDigits(): DialogueRefusal | undefined {
    if (!this.#atPin()) return 'no_pin_expected';
    this.#type('');
    return undefined;
  }

  /** The green key. */
  enterPin(): DialogueRefusal | undefined {
    if (!this.#atPin()) return 'no_pin_expected';
    const right = this.#typed === this.#card?.pin;
    this.#type('');
    if (right) {
      this.#goOnline('pin');
      return undefined;
    }
    this.#triesLeft -= 1;
    if (this.#triesLeft === 0) this.#refuseByCard('PIN_TRIES');
    else this.#enter('pin_retry');
    return undefined;
  }

  /** The red key. Too late once the authorisation is in progress. */
  cancelByCustomer(): void {
    if (this.#stage !== 'online') this.#finish({ outcome: 'cancelled', by: 'customer' });
  }

  /** The host's CANCEL, a request only: once the authorisation is in progress, the bank decides. */
  cancelByHost(): void {
    if (this.#stage !== 'online') this.#finish({ outcome: 'cancelled', by: 'staff' });
  }

  /** The bank's answer; false if none is expected. */
  answer(keySerialNumber: string, host: HostOutcome): boolean {
    if (this.#finished || this.#stage !== 'online' || this.#online?.keySerialNumber !== keySerialNumber) return false;
    if (host.outcome === 'unknown') this.#finish({ outcome: 'error', by: 'reader', code: 'NO_HOST_ANSWER' });
    else if (host.outcome === 'declined') this.#finish({ outcome: 'declined', by: 'host', hostcode: host.code });
    else if (this.#cardPulled) this.#refuseByCard('CARD_REMOVED', host.code);
    else if (this.#refusesLate()) this.#refuseByCard('SECOND_CRYPTOGRAM', host.code);
    else this.#finish({ outcome: 'approved', auth: host.auth, hostcode: host.code });
    return true;
  }

  /** A power cut: stops timers, without a result. */
  abandon(): void {
    this.#finished = true;
    this.#deadline();
  }

  /** The card's fields of a result. */
  cardFields(): Fields {
    if (this.#card === undefined || this.#entry === undefined) return {};
    return {
      brand: this.#card.scheme,
      pan: `****${lastFourOf(this.#card)}`,
      ...aidField(applicationIdOf(this.#card, this.#entry)),
      entry: this.#entry,
      cvm: this.#verification,
      ...(this.#online === undefined ? {} : { ksn: this.#online.keySerialNumber }),
    };
  }

  #read(card: TestCard, entry: Entry, stage: Stage): void {
    this.#card = card;
    this.#entry = entry;
    this.#enter(stage);
    if (this.#options.decline === 'card_expired') this.#refuseByReader('CARD_EXPIRED');
    else if (this.#options.decline === 'chip_error') this.#refuseByReader('CHIP_ERROR');
    else if (this.#options.decline === 'offline_decline') this.#refuseByCard('OFFLINE_DECLINE');
  }

  #goOnline(verification: Verification): void {
    if (this.#card === undefined || this.#entry === undefined) return;
    this.#verification = verification;
    this.#online = {
      ...sealCard({
        card: this.#card,
        track: this.#entry,
        pinVerified: verification === 'pin',
        counter: this.#options.nextKeyCounter(),
        readerNumber: this.#options.readerNumber,
        random: this.#options.random,
      }),
      card: this.#card,
      entry: this.#entry,
      brand: this.#card.scheme,
      lastFour: lastFourOf(this.#card),
      applicationId: applicationIdOf(this.#card, this.#entry),
      verification,
    };
    this.#deadline();
    this.#deadline = this.#options.timers.after(this.#options.hostTimeoutMs, () =>
      this.#finish({ outcome: 'error', by: 'reader', code: 'NO_HOST_ANSWER' }),
    );
    this.#enter('online');
    if (!this.#finished) this.#options.onOnline(this.#online);
  }

  #refusesLate(): boolean {
    return this.#card?.quirk === 'refuses_after_approval' || this.#options.decline === 'refuses_after_approval';
  }

  #refuseByCard(code: string, hostCode?: string): void {
    this.#finish({ outcome: 'declined', by: 'card', code, ...(hostCode === undefined ? {} : { hostcode: hostCode }) });
  }

  #refuseByReader(code: string): void {
    this.#finish({ outcome: 'declined', by: 'reader', code });
  }

  #atPin(): boolean {
    return this.#stage === 'pin' || this.#stage === 'pin_retry';
  }

  #type(digits: string): void {
    this.#typed = digits;
    this.#options.onDigits(digits.length);
  }

  #enter(stage: Stage): void {
    if (this.#finished) return;
    this.#stage = stage;
    this.#options.onStage(stage, stage === 'pin' || stage === 'pin_retry' ? this.#triesLeft : undefined);
  }

  #finish(facts: Fields): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#deadline();
    this.#typed = '';
    this.#options.onFinish({ ...facts, ...this.cardFields() });
  }
}

/** The application that the reader used; a magnetic stripe has none. */
export function applicationIdOf(card: TestCard, entry: Entry): string | undefined {
  return entry === 'swipe' ? undefined : card.applicationId;
}

const aidField = (aid: string | undefined): Fields => (aid === undefined ? {} : { aid });

/** A card block and the card's facts, in one message per piece of the block. */
export function onlineFields(txn: string, card: OnlineCard, pieceLength: number): Fields[] {
  const pieces = card.block.match(new RegExp(`.{1,${pieceLength}}`, 'g')) ?? [];
  return pieces.map((block, index) => ({
    txn,
    ksn: card.keySerialNumber,
    block,
    part: `${index + 1}/${pieces.length}`,
    entry: card.entry,
    brand: card.brand,
    pan: `****${card.lastFour}`,
    ...aidField(card.applicationId),
    cvm: card.verification,
  }));
}
