import type { Log } from '@florin/shared/ports.ts';
import type { CallbackReading, CardGateway, OperationOwner, UniqueReference } from './gateway.ts';

export type CallbackOptions = {
  readonly gateway: Pick<CardGateway, 'readCallback'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly owners: readonly OperationOwner[];
};

/**
 * `not_genuine`: the gateway did not sign it. `rejected`: it did, and yet it does not fit the operation it names.
 * `not_ours`: genuine, about an operation we did not make.
 */
export type CallbackOutcome = 'taken' | 'not_ours' | 'rejected' | 'not_genuine';

/** What the gateway posts to us on its own: the outcome of an operation, signed, possibly before or long after its reply. */
export function gatewayCallbacks(options: CallbackOptions): (rawBody: string) => Promise<CallbackOutcome> {
  const { gateway, log, owners } = options;

  async function find(uniqueReference: UniqueReference) {
    for (const owner of owners) {
      // One after the other: a reference belongs to one flow, and most are found by the first.
      // oxlint-disable-next-line no-await-in-loop
      const sent = await owner.findSent(uniqueReference);
      if (sent) return { owner, sent };
    }
    return undefined;
  }

  async function reject({ reason, claimed }: Extract<CallbackReading, { kind: 'rejected' }>): Promise<void> {
    log.warn({ reason, ...claimed }, 'a gateway callback was rejected');
    if (claimed.uniqueReference === undefined) return;
    const found = await find(claimed.uniqueReference);
    await found?.owner.reportRejected(claimed.uniqueReference, { reason, claimed });
  }

  return async rawBody => {
    let found: Awaited<ReturnType<typeof find>>;
    const reading = await gateway.readCallback(rawBody, async uniqueReference => {
      found = await find(uniqueReference);
      return found?.sent;
    });
    switch (reading.kind) {
      case 'outcome':
        await found?.owner.takeOutcome(reading.uniqueReference, reading.outcome);
        return 'taken';
      case 'undecided':
        log.info(reading, 'a gateway callback decided nothing');
        return 'taken';
      case 'not_ours':
        return 'not_ours';
      case 'rejected':
        await reject(reading);
        return reading.reason === 'bad_signature' || reading.reason === 'malformed' ? 'not_genuine' : 'rejected';
    }
  };
}
