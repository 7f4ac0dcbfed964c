import { formatAmount, formatSats } from '@florin/shared/bitcoin.ts';
import type { NotificationKind } from '@florin/shared/contracts/api-v1/notification-recipients.ts';
import type { bitcoinPurpose } from '@florin/shared/contracts/api-v1/payment-links.ts';
import type { Language } from '@florin/shared/languages.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { z } from 'zod';
import type { EventType } from '../../foundation/events/catalogue.ts';
import type { DomainEvent } from '../../foundation/events/event.ts';
import type { Chosen } from '../../foundation/language.ts';
import type { Letter, LetterWords } from '../../foundation/mail.ts';
import type { PaymentRow } from '../../money/payments/rows.ts';
import type { RefundRow } from '../../money/refunds/rows.ts';
import type { BusinessRow } from '../../people/businesses/rows.ts';
import { problemWords } from '../problems/words/words.ts';
import type { FailingEndpoint, NotificationWords, RequestedReturn } from './words/notification-words.ts';
import { notificationWords } from './words/words.ts';

/** What the recipients of one kind are told. */
export type Notification = { readonly kind: NotificationKind; readonly letter: Letter<Language> };

/** The business of a notification, and the language of who is told. */
export type Place = Pick<BusinessRow, 'name' | 'timeZone'> &
  Chosen & {
    /** The address of a page of it in the portal. */
    readonly page: (path: string) => string;
  };

/** The payment and refund that an event is about, where it names them. */
export type Involved = {
  readonly payment?: Pick<PaymentRow, 'invoiceNumber' | 'amountMinor' | 'currency'> | undefined;
  readonly refund?: Pick<RefundRow, 'amountMinor' | 'currency'> | undefined;
};

type EventOf<Type extends EventType> = Extract<DomainEvent, { type: Type }>;

/** The events that recipients are told of, and what they are told. */
const notifications: {
  readonly [Type in EventType]?: {
    readonly kind: NotificationKind;
    readonly words: (event: EventOf<Type>, place: Place, involved: Involved) => LetterWords;
  };
} = {
  'webhook.failing': {
    kind: 'webhook',
    words: (event, place) => wordsOf(place).webhookFailing(endpointOf(event, place)),
  },
  'webhook.disabled': {
    kind: 'webhook',
    words: (event, place) => wordsOf(place).webhookDisabled(endpointOf(event, place)),
  },
  'discrepancy.found': { kind: 'problem', words: discrepancyFound },
  'bitcoin_claim.requested': {
    kind: 'problem',
    words: (event, place) => wordsOf(place).returnRequested(requestedReturn(event, place)),
  },
  'bitcoin_claim.disputed': {
    kind: 'problem',
    words: (event, place) => wordsOf(place).returnDisputed(requestedReturn(event, place)),
  },
  'staff.locked': { kind: 'staff_locked', words: staffLocked },
};
export const notifiedEvents = Object.keys(notifications) as EventType[];

type Teller = {
  readonly kind: NotificationKind;
  readonly words: (event: DomainEvent, place: Place, involved: Involved) => LetterWords;
};

/** The notification of an event; undefined if there is none. */
export function notificationOf(event: DomainEvent, place: Place, involved: Involved): Notification | undefined {
  const teller = notifications[event.type] as Teller | undefined;
  return teller && { kind: teller.kind, letter: letterIn(place, teller.words(event, place, involved)) };
}

/** The notification of a terminal that has been silent since its last report. */
export function terminalSilent(terminalName: string, since: Instant, place: Place): Notification {
  const told = problemWords[place.language].terminal_silent(terminalName);
  const facts = { told, since: timeOf(since, place), url: place.page('/terminals') };
  return { kind: 'terminal_silent', letter: letterIn(place, wordsOf(place).terminalSilent(facts)) };
}

function wordsOf({ language }: Place): NotificationWords {
  return notificationWords[language];
}

function letterIn({ language }: Place, words: LetterWords): Letter<Language> {
  return { language, ...words };
}

/** @throws if the payment that it is of is missing. */
function discrepancyFound(
  { payload }: EventOf<'discrepancy.found'>,
  place: Place,
  { payment, refund }: Involved,
): LetterWords {
  const { discrepancyId, kind, paymentId } = payload;
  if (paymentId === null) return readerTotalsDiffer(payload, place);
  if (!payment) throw new Error(`the payment of ${discrepancyId} is missing`);
  const { invoiceNumber } = payment;
  const amount = (of: { readonly amountMinor: number; readonly currency: string }) =>
    formatAmount(of.amountMinor, of.currency, place.locale);
  return wordsOf(place).discrepancyFound({
    meaning: problemWords[place.language].discrepancy_open(invoiceNumber, kind).message,
    invoiceNumber,
    amount: amount(payment),
    refund: refund ? amount(refund) : null,
    url: place.page(`/problems?do=discrepancy_open:${discrepancyId}`),
  });
}

const readerSide = z.object({ readerSerial: z.string(), amountMinor: z.int(), currency: z.string() });

function readerTotalsDiffer(
  { discrepancyId, kind, recorded, gateway }: EventOf<'discrepancy.found'>['payload'],
  place: Place,
): LetterWords {
  const { readerSerial, amountMinor, currency } = readerSide.parse(gateway);
  const { amountMinor: recordedMinor } = readerSide.pick({ amountMinor: true }).parse(recorded);
  return wordsOf(place).readerTotalsDiffer({
    told: problemWords[place.language].discrepancy_open(readerSerial, kind),
    reported: formatAmount(amountMinor, currency, place.locale),
    recorded: formatAmount(recordedMinor, currency, place.locale),
    url: place.page(`/problems?do=discrepancy_open:${discrepancyId}`),
  });
}

function staffLocked({ payload }: EventOf<'staff.locked'>, place: Place): LetterWords {
  const { name, staffNumber, terminalName, lockedUntil } = payload;
  return wordsOf(place).staffLocked({
    told: problemWords[place.language].staff_locked(name, staffNumber),
    terminal: terminalName,
    until: timeOf(lockedUntil, place),
    url: place.page('/staff'),
  });
}

function timeOf(at: Instant, { locale, timeZone }: Place): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(at);
}

function requestedReturn(
  { subjectId, payload }: EventOf<'bitcoin_claim.requested' | 'bitcoin_claim.disputed'>,
  place: Place,
): RequestedReturn {
  const { purpose, purposeId, amountSats, destination } = payload;
  return {
    sats: formatSats(amountSats, place.locale),
    claimId: subjectId,
    purpose: wordsOf(place).purposes[purpose as z.infer<typeof bitcoinPurpose>],
    purposeId,
    destination,
    url: place.page(`/returns?open=${subjectId}`),
  };
}

/** Without the query, which may contain private data. */
function endpointOf(
  { subjectId, payload }: EventOf<'webhook.failing' | 'webhook.disabled'>,
  { page }: Place,
): FailingEndpoint {
  const { url, eventType, failedInARow } = payload;
  const parsed = URL.parse(url);
  return {
    host: parsed?.host ?? url,
    address: parsed ? `${parsed.origin}${parsed.pathname}` : url,
    id: subjectId,
    eventType,
    failedInARow,
    url: page(`/dev/webhooks/${subjectId}`),
  };
}
