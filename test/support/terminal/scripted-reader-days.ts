import type { BodyOf } from '@florin/shared/contracts/contract.ts';
import type { ReaderClosing, recordReaderClosing } from '@florin/shared/contracts/device-v1/reader-closings.ts';
import type { Answer, Call } from './scripted-server.ts';

type Closing = BodyOf<typeof recordReaderClosing>;

/** The ends of day that the service received, and how it compares each. */
export class ScriptedReaderDays {
  readonly closings = new Map<string, Closing>();
  comparison: Omit<ReaderClosing, 'closingId'> = {
    comparison: 'agrees',
    currency: 'GBP',
    totalInCents: 0,
    recordedInCents: 0,
    recordedCount: 0,
  };

  record({ params, body }: Call): Answer {
    const closingId = params.closingId ?? '';
    this.closings.set(closingId, body as Closing);
    return { status: 200, body: { closingId, ...this.comparison } };
  }
}
