import { money } from '@florin/shared/money.ts';
import type { Timers } from '@florin/shared/ports.ts';
import type {
  AuthorisationOutcome,
  CancelRequest,
  CardFields,
  CardGateway,
  ConnectionTest,
  EcommerceSale,
  LookupOutcome,
  LookupRequest,
  OperationOutcome,
  PaymentStateOutcome,
  RefundSaleRequest,
  SentOperation,
  ThreeDSecureContinuation,
  ThreeDSecureStep,
} from '../gateway.ts';
import { type HttpClient, httpClient } from '../http-client.ts';
import { actions, type Binding } from './binding.ts';
import { readCallback } from './callback.ts';
import { type CardPresentOptions, cardPresentClient } from './card-present.ts';
import { callbackUrlFor, type Reply, verifyReply } from './reply.ts';
import { type ReportingOptions, reportingClient } from './reporting.ts';
import { signedBody, type WireField, wireField } from './signature.ts';
import { authorisationOutcome, cancelOutcome, paymentState, refundOutcome } from './transform.ts';

export type CardstreamOptions = {
  /** The Direct interface, `https://<gateway host>/direct/`. */
  readonly directUrl: string;
  readonly merchantId: string;
  /** Signs requests and callbacks. */
  readonly secret: string;
  /** The merchant's country, ISO 3166 (`GB`, `826`). */
  readonly countryCode: string;
  /** The URL for callbacks, which must be passed to `readCallback`. */
  readonly callbackUrl: string;
  /** The time limit of a whole exchange, after which its outcome is unknown. */
  readonly timeoutMs: number;
  readonly timers: Timers;
  /** The gateway's read-only reporting interface: without it a lost authorisation or refund cannot be looked up. */
  readonly reporting?: ReportingOptions;
  /** A card-present interface in addition to Cardstream, which has none. */
  readonly cardPresent?: CardPresentOptions;
  readonly cardFields?: CardFields;
};

/** The card gateway over Cardstream's Direct interface. Each method sends its operation exactly once. */
export function cardstreamGateway(options: CardstreamOptions): CardGateway {
  const send = httpClient(options);
  const direct = directInterface(options, send);
  const reporting = options.reporting && reportingClient({ ...options, ...options.reporting, send });
  const cardPresent = options.cardPresent && cardPresentClient({ ...options, ...options.cardPresent, send });
  return {
    name: 'cardstream',
    capabilities: {
      cardPresent: cardPresent !== undefined,
      ecommerce: true,
      threeDSecure: true,
      lookupByUniqueReference: reporting !== undefined,
      callbacks: true,
    },
    ...(options.cardFields && { cardFields: options.cardFields }),
    authoriseCardPresent: async request =>
      cardPresent ? cardPresent.authorise(request) : { kind: 'notSent', cause: 'not_supported' },
    authoriseEcommerce: request => direct.authorise(request),
    continueThreeDSecure: request => direct.continueThreeDSecure(request),
    cancel: request => direct.cancel(request),
    refundSale: request => direct.refund('refundSale', request),
    refund: request => direct.refund('refund', request),
    lookup: request => lookUp({ request, direct, reporting, cardPresent }),
    ...(reporting && { operationsIn: reporting.operationsIn }),
    paymentState: request => direct.state(request.gatewayReference),
    readCallback: ({ rawBody }, find) => readCallback(Buffer.from(rawBody, 'utf8'), options, find),
    testConnection: () => testConnection({ direct, reporting, cardPresent }),
  };
}

type DirectInterface = ReturnType<typeof directInterface>;

function directInterface(options: CardstreamOptions, send: HttpClient) {
  async function post(fields: readonly WireField[]): Promise<Reply | Exclude<OperationOutcome, { kind: 'approved' }>> {
    const answer = await send({
      method: 'POST',
      url: new URL(options.directUrl),
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: signedBody([wireField('merchantID', options.merchantId), ...fields], options.secret),
    });
    if (answer.kind !== 'reply') return answer;
    // Business errors have status 200: any other status is a failure of the gateway, before or after it acted.
    if (answer.status !== 200) return { kind: 'unknown', cause: 'gateway_error' };
    const reply = verifyReply(answer.body, options.secret);
    return reply.ok ? reply.value : reply.refusal;
  }

  function bound(operation: SentOperation['operation'], request: Omit<SentOperation, 'operation'>): Binding {
    const { uniqueReference, gatewayReference, amount } = request;
    const about = gatewayReference === undefined ? {} : { gatewayReference };
    return { merchantId: options.merchantId, operation, uniqueReference, amount, ...about };
  }

  function callbackField(uniqueReference: string): WireField {
    return wireField('callbackURL', callbackUrlFor(options.callbackUrl, uniqueReference));
  }

  return {
    async authorise(request: EcommerceSale): Promise<AuthorisationOutcome | ThreeDSecureStep> {
      const reply = await post([
        ...saleFields(request, options.countryCode),
        callbackField(request.uniqueReference),
        ...browserFields(request),
      ]);
      return 'kind' in reply ? reply : authorisationOutcome(reply, bound('authorise', request));
    },

    async continueThreeDSecure(request: ThreeDSecureContinuation): Promise<AuthorisationOutcome | ThreeDSecureStep> {
      const fields = Object.entries(request.response).map(([name, value]) =>
        wireField(`threeDSResponse[${name}]`, value),
      );
      const reply = await post([wireField('threeDSRef', request.threeDSecureReference), ...fields]);
      return 'kind' in reply ? reply : authorisationOutcome(reply, bound('authorise', request));
    },

    async cancel(request: CancelRequest): Promise<OperationOutcome> {
      const reply = await post([
        wireField('action', 'CANCEL'),
        wireField('xref', request.gatewayReference),
        callbackField(request.uniqueReference),
      ]);
      return 'kind' in reply ? reply : cancelOutcome(reply, bound('cancel', request));
    },

    async refund(operation: 'refundSale' | 'refund', request: RefundSaleRequest): Promise<OperationOutcome> {
      const reply = await post([
        wireField('action', actions[operation]),
        wireField('xref', request.gatewayReference),
        wireField('amount', request.amount.amountMinor),
        wireField('currencyCode', request.amount.currency),
        wireField('countryCode', options.countryCode),
        // Unique per refund: otherwise the gateway treats a second equal partial refund as a repeat of the first.
        wireField('transactionUnique', request.uniqueReference),
        wireField('orderRef', request.invoiceNumber),
        callbackField(request.uniqueReference),
      ]);
      return 'kind' in reply ? reply : refundOutcome(reply, bound(operation, request));
    },

    async state(gatewayReference: string): Promise<PaymentStateOutcome> {
      const reply = await post([wireField('action', 'QUERY'), wireField('xref', gatewayReference)]);
      if ('kind' in reply) return { kind: 'unanswered', cause: 'cause' in reply ? reply.cause : reply.message };
      return paymentState(reply, { merchantId: options.merchantId, reference: gatewayReference });
    },
  };
}

function saleFields(request: EcommerceSale, countryCode: string): WireField[] {
  const { card, customer } = request;
  const cardFields =
    'paymentToken' in card
      ? [wireField('paymentToken', card.paymentToken)]
      : [
          wireField('cardNumber', card.number),
          wireField('cardExpiryMonth', twoDigits(card.expiryMonth)),
          wireField('cardExpiryYear', twoDigits(card.expiryYear)),
          wireField('cardCVV', card.securityCode),
        ];
  return [
    wireField('action', 'SALE'),
    wireField('type', 1),
    wireField('amount', request.amount.amountMinor),
    wireField('currencyCode', request.amount.currency),
    wireField('countryCode', countryCode),
    wireField('transactionUnique', request.uniqueReference),
    wireField('orderRef', request.invoiceNumber),
    ...cardFields,
    ...present('customerName', customer?.name),
    ...present('customerAddress', customer?.address),
    ...present('customerPostCode', customer?.postCode),
    ...present('customerEmail', customer?.email),
  ];
}

/** The browser data for a 3-D Secure check; without it the sale is sent without a check. */
function browserFields({ browser }: EcommerceSale): WireField[] {
  if (!browser) return [];
  return [
    wireField('threeDSRedirectURL', browser.returnUrl),
    wireField('remoteAddress', browser.remoteAddress),
    wireField('deviceChannel', 'browser'),
    wireField('deviceIdentity', browser.identity),
    wireField('deviceTimeZone', browser.timeZoneOffsetMinutes),
    wireField('deviceCapabilities', browser.capabilities),
    wireField('deviceScreenResolution', browser.screenResolution),
    wireField('deviceAcceptContent', browser.acceptContent),
    wireField('deviceAcceptLanguage', browser.acceptLanguage),
  ];
}

/** Empty fields are omitted: they are not echoed, so a reply could not be matched to its request. */
function present(name: string, value: string | undefined): WireField[] {
  return value ? [wireField(name, value)] : [];
}

function twoDigits(value: number): string {
  return String(value % 100).padStart(2, '0');
}

async function lookUp(options: {
  request: LookupRequest;
  direct: DirectInterface;
  reporting: ReturnType<typeof reportingClient> | undefined;
  cardPresent: ReturnType<typeof cardPresentClient> | undefined;
}): Promise<LookupOutcome> {
  const { request, direct, reporting, cardPresent } = options;
  if (request.operation === 'cancel') return lookUpCancel(request, direct);
  if (request.operation === 'authorise' && cardPresent && request.channel !== 'ecommerce') {
    const answer = await cardPresent.lookup(request);
    if (answer.kind !== 'notFound' || request.channel === 'cardPresent') return answer;
  }
  if (reporting) return reporting.lookup(request);
  if (request.operation === 'refundSale') return lookUpRefundByPayment(request, direct);
  return { kind: 'unanswered', cause: 'this gateway supports no lookup without its reporting interface' };
}

/**
 * A voided payment has a state of its own; a payment handed to the bank can no longer be voided; any other state is
 * inconclusive.
 */
async function lookUpCancel(request: LookupRequest, direct: DirectInterface): Promise<LookupOutcome> {
  if (request.gatewayReference === undefined) return { kind: 'unanswered', cause: 'no gateway reference to look up' };
  const payment = await direct.state(request.gatewayReference);
  if (payment.kind !== 'found') return payment;
  switch (payment.state) {
    case 'cancelled':
      return { kind: 'approved', gatewayReference: request.gatewayReference, message: 'payment cancelled' };
    case 'settled':
    case 'rejected':
    case 'declined':
      return {
        kind: 'declined',
        code: `state_${payment.state}`,
        message: `The payment is ${payment.state} and can no longer be cancelled`,
        gatewayReference: request.gatewayReference,
      };
    case 'unsettled':
    case 'settling':
      return { kind: 'notFound' };
    case 'other':
      return { kind: 'unanswered', cause: 'the payment’s state is inconclusive about its cancellation' };
    default:
      return payment.state satisfies never;
  }
}

/**
 * Without the reporting interface only the payment's refunded total is known. A total below our part proves that it was
 * not refunded (yet); a larger total may consist of other refunds.
 */
async function lookUpRefundByPayment(request: LookupRequest, direct: DirectInterface): Promise<LookupOutcome> {
  if (request.gatewayReference === undefined) return { kind: 'unanswered', cause: 'no gateway reference to look up' };
  const payment = await direct.state(request.gatewayReference);
  if (payment.kind === 'unanswered') return payment;
  if (payment.kind === 'found' && payment.refundedMinor !== undefined) {
    if (payment.refundedMinor < request.amount.amountMinor) return { kind: 'notFound' };
  }
  return { kind: 'unanswered', cause: 'the refunded total does not identify the refunds it consists of' };
}

const noReference = '00000000AA00AA00AA00AAA';

/** Looks up transactions that do not exist: a "not found" proves that address and credentials are valid. */
async function testConnection(options: {
  direct: DirectInterface;
  reporting: ReturnType<typeof reportingClient> | undefined;
  cardPresent: ReturnType<typeof cardPresentClient> | undefined;
}): Promise<ConnectionTest[]> {
  const { direct, reporting, cardPresent } = options;
  const amount = money(1, 'GBP');
  const question: LookupRequest = { operation: 'authorise', uniqueReference: noReference, amount, sentAt: 0 };
  const asked: [string, Promise<{ kind: string; cause?: string }> | undefined][] = [
    ['payments', direct.state(noReference)],
    ['reporting', reporting?.lookup(question)],
    ['cardPresent', cardPresent?.lookup(question)],
  ];
  const tests = asked.map(async ([name, answer]): Promise<ConnectionTest[]> => {
    if (!answer) return [];
    const { kind, cause = kind } = await answer;
    return [kind === 'notFound' ? { name, ok: true } : { name, ok: false, cause }];
  });
  return (await Promise.all(tests)).flat();
}
