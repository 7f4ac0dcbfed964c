import type { Clock, Random } from '@florin/shared/ports.ts';
import { codes, type Refusal } from './codes.ts';
import type { Store, TransactionRow } from './store.ts';
import { type ThreeDSecureStatus, threeDSecureOf } from './test-data.ts';
import type { Fields } from './wire.ts';

/** Longer than any customer spends on a bank's page. */
export const threeDSecureExpiresAfterMs = 30 * 60 * 1000;

type Session = {
  readonly expiryMonth: number;
  readonly securityCodeFits: boolean;
  status?: ThreeDSecureStatus;
};

export type ResumedStep =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'challenge'; readonly row: TransactionRow; readonly reply: (fields: Fields) => Fields }
  | {
      readonly kind: 'done';
      readonly row: TransactionRow;
      readonly status: ThreeDSecureStatus;
      readonly securityCodeFits: boolean;
    };

/**
 * The 3-D Secure check of an online sale: a hidden page in the customer's browser (method), then for some cards a page
 * with a question (challenge). The result is what the bank's page recorded here, never what the browser returns.
 */
export function threeDSecureFlow(options: { store: Store; clock: Clock; random: Random; acsUrl: () => string }) {
  const { store, clock, random } = options;

  function reference(): string {
    return Buffer.from(`P3KEY:${Buffer.from(random.bytes(18)).toString('hex')}`).toString('base64');
  }

  /** Adds the next step to a reply: the browser's destination, its fields and a new reference. */
  function ask(fields: Fields, row: TransactionRow, step: 'method' | 'challenge', redirectUrl: string): Fields {
    const next = reference();
    const acsTransaction = Buffer.from(random.bytes(16)).toString('hex');
    store.removeSteps(row.xref);
    store.addStep({ reference: next, acsTransaction, xref: row.xref, step, redirectUrl, answer: null });
    fields.set('responseCode', String(codes.threeDSecureRequired));
    fields.set('responseMessage', '3DS AUTHENTICATION REQUIRED');
    fields.set('responseStatus', '2');
    fields.set('threeDSRef', next);
    fields.set('threeDSURL', `${options.acsUrl()}/acs/${step}`);
    const message =
      step === 'method'
        ? { threeDSServerTransID: acsTransaction, threeDSMethodNotificationURL: redirectUrl }
        : {
            threeDSServerTransID: acsTransaction,
            acsTransID: acsTransaction,
            messageType: 'CReq',
            messageVersion: '2.2.0',
          };
    const encoded = Buffer.from(JSON.stringify(message)).toString('base64url');
    fields.set(step === 'method' ? 'threeDSRequest[threeDSMethodData]' : 'threeDSRequest[creq]', encoded);
    return fields;
  }

  return {
    isWanted: (request: Fields): boolean =>
      (request.get('type') ?? '1') === '1' &&
      request.has('threeDSRedirectURL') &&
      request.get('threeDSRequired') !== 'N',

    begin(start: {
      row: TransactionRow;
      request: Fields;
      securityCodeFits: boolean;
      reply: (row: TransactionRow) => Fields;
    }): Fields {
      const session: Session = {
        expiryMonth: Number(start.request.get('cardExpiryMonth') ?? '0'),
        securityCodeFits: start.securityCodeFits,
      };
      const row = store.update(start.row.xref, {
        threeDSecureJson: JSON.stringify(session),
        responseCode: codes.threeDSecureRequired,
        responseMessage: '3DS AUTHENTICATION REQUIRED',
      });
      return ask(start.reply(row), row, 'method', start.request.get('threeDSRedirectURL') ?? '');
    },

    /** Continues with the result of the bank's page, for the latest step only. */
    resume(request: Fields, merchantID: string): ResumedStep {
      const step = store.stepByReference(request.get('threeDSRef') ?? '');
      const row = step && store.byXref(step.xref);
      if (!step || !row?.threeDSecureJson || row.merchantID !== merchantID || row.state !== 'received') {
        return { kind: 'refused', refusal: { code: codes.noDataFound, message: 'No such 3DS reference' } };
      }
      if (clock.now() - row.createdAt > threeDSecureExpiresAfterMs) {
        return { kind: 'refused', refusal: { code: codes.expired, message: '3DS reference has expired' } };
      }
      const session = JSON.parse(row.threeDSecureJson) as Session;
      const expected = threeDSecureOf(session.expiryMonth);
      if (step.step === 'method' && expected === 'challenge') {
        return { kind: 'challenge', row, reply: fields => ask(fields, row, 'challenge', step.redirectUrl) };
      }
      const status: ThreeDSecureStatus =
        step.step === 'method' && expected !== 'challenge'
          ? expected
          : ((step.answer as ThreeDSecureStatus | null) ?? 'U');
      store.removeSteps(row.xref);
      const updated = store.update(row.xref, { threeDSecureJson: JSON.stringify({ ...session, status }) });
      return { kind: 'done', row: updated, status, securityCodeFits: session.securityCodeFits };
    },

    /** The sale in the customer's check; undefined once the check is over. */
    challenged(acsTransaction: string): TransactionRow | undefined {
      const step = store.stepByAcsTransaction(acsTransaction);
      return step?.step === 'challenge' ? store.byXref(step.xref) : undefined;
    },

    /** Records the customer's choice on the bank's page; the first choice is final. Returns the address for their browser. */
    answer(acsTransaction: string, answer: 'Y' | 'N' | 'U'): { redirectUrl: string } | undefined {
      const step = store.stepByAcsTransaction(acsTransaction);
      if (step?.step !== 'challenge') return undefined;
      store.answerStep(acsTransaction, answer);
      return { redirectUrl: step.redirectUrl };
    },

    merchantOf(threeDSRef: string): string | undefined {
      const step = store.stepByReference(threeDSRef);
      return step && store.byXref(step.xref)?.merchantID;
    },
  };
}

/** The reply's fields about a completed check. */
export function threeDSecureResult(row: TransactionRow): Record<string, string> {
  if (!row.threeDSecureJson) return {};
  const { status } = JSON.parse(row.threeDSecureJson) as Session;
  return status === undefined
    ? { threeDSEnabled: 'Y' }
    : { threeDSEnabled: 'Y', threeDSEnrolled: 'Y', threeDSAuthenticated: status };
}
