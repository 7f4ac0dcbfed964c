import { hash } from 'node:crypto';
import type { Log } from '@florin/shared/ports.ts';
import type { CallbackReading, CardGateway, OperationOwner, PostedCallback, UniqueReference } from './gateway.ts';

export type CallbackOptions = {
  readonly accounts: { byId(accountId: string): Promise<Pick<CardGateway, 'readCallback'> | undefined> };
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly owners: readonly OperationOwner[];
  /** Called when an accepted callback is posted again, byte for byte. */
  readonly onCallbackRepeated?: (() => void) | undefined;
};

/** How many callbacks a process remembers, to detect repeats. */
const remembered = 10_000;

/**
 * `not_genuine`: not signed by the gateway. `rejected`: signed, but inconsistent with the operation it names.
 * `not_ours`: genuine, about an operation of another program. `no_account`: posted to an account that does not exist.
 */
export type CallbackOutcome = 'taken' | 'not_ours' | 'rejected' | 'not_genuine' | 'no_account';

export type TakeCallback = (accountId: string, posted: PostedCallback) => Promise<CallbackOutcome>;

/** Processes the gateway's callbacks: signed outcomes, possibly before or long after the reply. */
export function gatewayCallbacks(options: CallbackOptions): TakeCallback {
  const { accounts, log, owners } = options;
  const taken = new Set<string>();

  /**
   * A repeat changes nothing, because outcomes are final; the gateway does not repeat accepted callbacks, so it may be
   * an attack.
   */
  function noteTaken(gatewayAccountId: string, uniqueReference: UniqueReference, { rawBody }: PostedCallback): void {
    const digest = hash('sha256', `${gatewayAccountId}\n${rawBody}`);
    if (taken.has(digest)) {
      log.warn({ gatewayAccountId, uniqueReference }, 'an accepted gateway callback was posted again');
      options.onCallbackRepeated?.();
    }
    taken.add(digest);
    const [oldest] = taken;
    if (taken.size > remembered && oldest !== undefined) taken.delete(oldest);
  }

  /** Searches the account's own operations only: its secret proves nothing about another account's. */
  async function find(accountId: string, uniqueReference: UniqueReference) {
    for (const owner of owners) {
      // Sequential: a reference belongs to one flow, and most are found in the first.
      const found = await owner.findSent(uniqueReference);
      if (found?.gatewayAccountId === accountId) return { owner, sent: found.sent };
    }
    return undefined;
  }

  async function reject(accountId: string, { reason, claimed }: Rejected): Promise<void> {
    log.warn({ gatewayAccountId: accountId, reason, ...claimed }, 'a gateway callback was rejected');
    if (claimed.uniqueReference === undefined) return;
    const found = await find(accountId, claimed.uniqueReference);
    await found?.owner.reportRejected(claimed.uniqueReference, { reason, claimed });
  }

  return async (accountId, posted) => {
    const gateway = await accounts.byId(accountId);
    if (!gateway) return 'no_account';
    let found: Awaited<ReturnType<typeof find>>;
    let named: UniqueReference | undefined;
    const reading = await gateway.readCallback(posted, async uniqueReference => {
      named = uniqueReference;
      found = await find(accountId, uniqueReference);
      return found?.sent;
    });
    switch (reading.kind) {
      case 'outcome': {
        const { uniqueReference, outcome } = reading;
        const { gatewayReference } = outcome;
        const facts = { gatewayAccountId: accountId, uniqueReference, gatewayReference, outcome: outcome.kind };
        log.info(facts, 'accepted a gateway callback');
        await found?.owner.takeOutcome(uniqueReference, outcome);
        noteTaken(accountId, uniqueReference, posted);
        return 'taken';
      }
      case 'undecided':
        log.info({ gatewayAccountId: accountId, ...reading }, 'a gateway callback carried no outcome');
        return 'taken';
      case 'not_ours':
        // Another program may share the account, or our record of the operation is lost.
        log.warn(
          { gatewayAccountId: accountId, uniqueReference: named },
          'a gateway callback names no operation of this account',
        );
        return 'not_ours';
      case 'rejected':
        await reject(accountId, reading);
        return reading.reason === 'bad_signature' || reading.reason === 'malformed' ? 'not_genuine' : 'rejected';
    }
  };
}

type Rejected = Extract<CallbackReading, { kind: 'rejected' }>;
