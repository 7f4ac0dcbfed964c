import type { OverviewRecord } from '@florin/shared/contracts/api-v1/overview.ts';
import type { bitcoinPurpose } from '@florin/shared/contracts/api-v1/payment-links.ts';
import type { ProblemRecord } from '@florin/shared/contracts/api-v1/problems.ts';
import type { z } from 'zod';
import type { LetterWords } from '../../../foundation/mail.ts';
import type { Told } from '../../problems/words/problem-words.ts';

/** An endpoint of webhooks that fails. */
export type FailingEndpoint = {
  readonly host: string;
  readonly address: string;
  readonly id: string;
  readonly eventType: string;
  readonly failedInARow: number;
  readonly url: string;
};

/** A return of bitcoin that a customer asked for. */
export type RequestedReturn = {
  readonly sats: string;
  readonly claimId: string;
  /** What was paid, with its id. */
  readonly purpose: string;
  readonly purposeId: string;
  readonly destination: string;
  readonly url: string;
};

type Counted = (count: number) => string;

/** What the recipients of a business are told, in one language; amounts and dates are formatted already. */
export type NotificationWords = {
  /** Why an e-mail was sent. */
  readonly reason: (business: string) => string;
  readonly webhookFailing: (endpoint: FailingEndpoint) => LetterWords;
  readonly webhookDisabled: (endpoint: FailingEndpoint) => LetterWords;
  readonly discrepancyFound: (facts: {
    /** What it means and what to do. */
    readonly meaning: string;
    readonly invoiceNumber: string;
    readonly amount: string;
    readonly refund: string | null;
    readonly url: string;
  }) => LetterWords;
  readonly readerTotalsDiffer: (facts: {
    readonly told: Told;
    readonly reported: string;
    readonly recorded: string;
    readonly url: string;
  }) => LetterWords;
  readonly returnRequested: (asked: RequestedReturn) => LetterWords;
  readonly returnDisputed: (asked: RequestedReturn) => LetterWords;
  /** Of a claim, by what was paid. */
  readonly purposes: Readonly<Record<z.infer<typeof bitcoinPurpose>, string>>;
  readonly staffLocked: (facts: {
    readonly told: Told;
    readonly terminal: string;
    readonly until: string;
    readonly url: string;
  }) => LetterWords;
  readonly terminalSilent: (facts: {
    readonly told: Told;
    readonly since: string;
    readonly url: string;
  }) => LetterWords;
  readonly report: {
    readonly subject: (business: string, date: string) => string;
    readonly about: string;
    readonly total: string;
    readonly rails: Readonly<Record<OverviewRecord['today']['rails'][number]['rail'], string>>;
    readonly payments: Counted;
    readonly tips: Counted;
    readonly voids: Counted;
    readonly rejected: Counted;
    readonly refunds: Counted;
    readonly net: string;
    readonly noProblems: string;
    readonly problems: string;
    readonly moreProblems: Counted;
    readonly severities: Readonly<Record<ProblemRecord['severity'], string>>;
    readonly open: string;
  };
};
