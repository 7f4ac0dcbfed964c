import { hash } from 'node:crypto';
import type { Log } from '@florin/shared/ports.ts';
import type { CallbackReading, CardGateway, OperationOwner, PostedCallback, UniqueReference } from './gateway.ts';

export type CallbackOptions = {
  readonly accounts: { byId(accountId: string): Promise<Pick<CardGateway, 'readCallback'> | undefined> };
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly owners: readonly OperationOwner[];
  /** A callback that was taken before was posted again, word for word. */
  readonly onCallbackRepeated?: (() => void) | undefined;
};

/** How many callbacks a process remembers, to notice when one is posted again. */
const remembered = 10_000;

/**
 * `not_genuine`: the gateway did not sign it. `rejected`: it did, and yet it does not fit the operation it names.
 * `not_ours`: genuine, about an operation that this account did not make. `no_account`: posted to an account there is not.
 */
export type CallbackOutcome = 'taken' | 'not_ours' | 'rejected' | 'not_genuine' | 'no_account';

export type TakeCallback = (accountId: string, posted: PostedCallback) => Promise<CallbackOutcome>;

/** What the gateway posts to us on its own: the outcome of an operation, signed, possibly before or long after its reply. */
export function gatewayCallbacks(options: CallbackOptions): TakeCallback {
  const { accounts, log, owners } = options;
  const taken = new Set<string>();

  /** It changes nothing, for outcomes are final; yet the gateway does not repeat what was taken, so somebody else may have. */
  function noteTaken(gatewayAccountId: string, uniqueReference: UniqueReference, { rawBody }: PostedCallback): void {
    const digest = hash('sha256', `${gatewayAccountId}\n${rawBody}`);
    if (taken.has(digest)) {
      log.warn({ gatewayAccountId, uniqueReference }, 'a gateway callback that was taken before was posted again');
      options.onCallbackRepeated?.();
    }
    taken.add(digest);
    const [oldest] = taken;
    if (taken.size > remembered && oldest !== undefined) taken.delete(oldest);
  }

  /** Only among the account's own operations: its secret proves nothing about another account's. */
  async function find(accountId: string, uniqueReference: UniqueReference) {
    for (const owner of owners) {
      // One after the other: a reference belongs to one flow, and most are found by the first.
      // oxlint-disable-next-line no-await-in-loop
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
        log.info(facts, 'took a gateway callback');
        await found?.owner.takeOutcome(uniqueReference, outcome);
        noteTaken(accountId, uniqueReference, posted);
        return 'taken';
      }
      case 'undecided':
        log.info({ gatewayAccountId: accountId, ...reading }, 'a gateway callback decided nothing');
        return 'taken';
      case 'not_ours':
        // Another program may share the account; or our record of what was sent is lost.
        log.warn(
          { gatewayAccountId: accountId, uniqueReference: named },
          'a gateway callback is about no operation of this account',
        );
        return 'not_ours';
      case 'rejected':
        await reject(accountId, reading);
        return reading.reason === 'bad_signature' || reading.reason === 'malformed' ? 'not_genuine' : 'rejected';
    }
  };
}

type Rejected = Extract<CallbackReading, { kind: 'rejected' }>;
