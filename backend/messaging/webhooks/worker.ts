import { createSecretKey, type KeyObject } from 'node:crypto';
import { type Cancel, type Clock, type ContextLog, type Timers, wait } from '@florin/shared/ports.ts';
import { unreachable } from '@florin/shared/result.ts';
import { webhookSignature } from '@florin/shared/signing/webhook.ts';
import { continueTrace, keptTraceId } from '../../foundation/context.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Outbound, PostRequest, PostResult } from '../../foundation/outbound/outbound.ts';
import type { SecretBox } from '../../foundation/secrets/secret-box.ts';
import type { Attempt, AttemptResult, Deliveries, EndedAttempt, Sender } from './deliveries.ts';
import type { WebhookRow } from './rows.ts';
import type { WebhookSettings } from './settings.ts';
import { webhooksWithDue } from './store.ts';

export type DeliveryWorker = Sender & {
  /** Sends this endpoint's due deliveries, in addition to those in progress. */
  wake(webhookId: string): void;
  /**
   * Looks for deliveries that no commit of this process announced: retries, and those of other processes. Returns the
   * number of endpoints.
   */
  poll(): Promise<number>;
  /** Accepts nothing new, and completes what is in progress. */
  stop(): Promise<void>;
};

/** An endpoint's deliveries in progress; each endpoint has its own slots, so that a slow one does not delay others. */
type EndpointQueue = {
  readonly webhookId: string;
  /** Attempts being sent. */
  underWay: number;
  /** Attempts claimed in advance for free slots, which then wait for no commit. */
  readonly waiting: Attempt[];
  /**
   * How many may wait: incremented with each prompt success, up to what the endpoint accepts during a commit; zero
   * after a failure or slow response.
   */
  ahead: number;
  isWanted: boolean;
  isClaiming: boolean;
};

type Delivered = { readonly businessId: string; readonly deliveryIds: string[]; readonly traceIds: string[] };
type TimedResult = AttemptResult & { readonly durationMs: number };

const rememberedKeys = 1_000;

/** Claims, sends and records attempts, with a limit per endpoint. An unrecorded attempt is repeated after its lease. */
export function deliveryWorker(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: ContextLog;
  readonly outbound: Outbound;
  readonly box: SecretBox;
  readonly deliveries: Pick<Deliveries, 'claim' | 'record' | 'release' | 'leases'>;
  readonly settings: WebhookSettings;
}): DeliveryWorker {
  const { database, clock, timers, log, outbound, deliveries, settings } = options;
  const { leases } = deliveries;
  const queues = new Map<string, EndpointQueue>();
  /** Claims, attempts and recordings in progress. */
  let tasks = 0;
  let nothingLeft: (() => void) | undefined;
  /** Ended attempts that are not recorded yet. */
  const ended: EndedAttempt[] = [];
  let isRecording = false;
  let cancelRecording: Cancel | undefined;
  let sending = 0;
  const signingKey = signingKeys(options.box);
  let isStopped = false;

  function track(work: Promise<void>): void {
    tasks += 1;
    void work.then(() => {
      tasks -= 1;
      if (tasks === 0) nothingLeft?.();
    });
  }

  function wake(webhookId: string): void {
    if (isStopped) return;
    const queue = queueOf(webhookId);
    queue.isWanted = true;
    if (!queue.isClaiming && hasRoom(queue)) log.apart({ job: 'webhooks' }, () => track(fill(queue)));
  }

  function queueOf(webhookId: string): EndpointQueue {
    const queue = queues.get(webhookId) ?? newQueue(webhookId);
    queues.set(webhookId, queue);
    return queue;
  }

  const roomIn = ({ underWay: sent, waiting, ahead }: EndpointQueue) =>
    settings.attemptsPerWebhook + ahead - sent - waiting.length;
  /** Room that is worth a transaction: at most half of the allowed number is waiting. */
  const hasRoom = (queue: EndpointQueue) => queue.waiting.length <= queue.ahead / 2 && roomIn(queue) > 0;

  async function nothingUnderWay(): Promise<void> {
    if (tasks > 0)
      await new Promise<void>(resolve => {
        nothingLeft = resolve;
      });
  }

  /** Claims due deliveries for free slots. Further ones are claimed with the next recording. */
  async function fill(queue: EndpointQueue): Promise<void> {
    queue.isClaiming = true;
    try {
      let hasMore = false;
      while (queue.isWanted && !isStopped && hasRoom(queue)) {
        queue.isWanted = false;
        const room = roomIn(queue);
        const attempts = await deliveries.claim(queue.webhookId, room);
        for (const attempt of attempts) leases.hold(attempt, attempt.leaseUntil);
        hasMore = attempts.length === room;
        queue.waiting.push(...attempts);
        if (isStopped) giveBack(queue);
        sendWaiting(queue);
      }
      queue.isWanted ||= hasMore;
    } catch (error) {
      log.error(
        { webhookId: queue.webhookId, err: error },
        'deliveries could not be claimed; the next poll tries again',
      );
    }
    queue.isClaiming = false;
    forgetIdle(queue);
  }

  function sendWaiting(queue: EndpointQueue): void {
    while (queue.underWay < settings.attemptsPerWebhook) {
      const attempt = queue.waiting.shift();
      if (!attempt) return;
      queue.underWay += 1;
      track(make(attempt, queue));
    }
  }

  /** Releases attempts waiting for a slow endpoint: other processes may have room for them. */
  function giveBack(queue: EndpointQueue): void {
    const attempts = queue.waiting.splice(0);
    if (attempts.length === 0) return;
    for (const attempt of attempts) leases.end(attempt);
    const { webhookId } = queue;
    const released = deliveries.release(attempts).then(
      () => wake(webhookId),
      (error: unknown) =>
        log.error({ webhookId, err: error }, 'could not release claimed webhooks; they are sent after their lease'),
    );
    track(released);
  }

  function forgetIdle(queue: EndpointQueue): void {
    const isIdle = queue.underWay === 0 && queue.waiting.length === 0 && !queue.isWanted && !queue.isClaiming;
    if (isIdle) queues.delete(queue.webhookId);
  }

  async function make(attempt: Attempt, queue: EndpointQueue): Promise<void> {
    sending += 1;
    let ahead = 0;
    try {
      const result = await post(attempt);
      if (result.outcome === 'delivered') ahead = Math.min(queue.ahead + 1, maxAhead(result.durationMs));
      ended.push({ attempt, result });
    } catch (error) {
      leases.end(attempt);
      log.error({ ...factsOf(attempt), err: error }, 'a webhook was not sent; the attempt is ended with its lease');
    }
    sending -= 1;
    queue.underWay -= 1;
    queue.ahead = ahead;
    if (ahead === 0) giveBack(queue);
    sendWaiting(queue);
    recordSoon();
  }

  /** The number of requests an endpoint with this response time accepts during one commit. */
  function maxAhead(durationMs: number): number {
    const { attemptsPerWebhook, claimedAhead, claimedAheadMs, promptMs } = settings;
    if (durationMs > promptMs) return 0;
    return Math.min(claimedAhead, Math.ceil((attemptsPerWebhook * claimedAheadMs) / Math.max(1, durationMs)));
  }

  /** Together with others that end within a few milliseconds: a commit costs the same for one attempt as for many. */
  function recordSoon(): void {
    if (isRecording || ended.length === 0) return;
    const { recordWithinMs, recordedTogether } = settings;
    if (sending === 0 || recordWithinMs === 0 || ended.length >= recordedTogether) recordEnded();
    else cancelRecording ??= timers.after(recordWithinMs, recordEnded);
  }

  function recordEnded(): void {
    cancelRecording?.();
    cancelRecording = undefined;
    isRecording = true;
    const together = ended.splice(0, settings.recordedTogether);
    const recorded = record(together).then(() => {
      for (const { attempt } of together) leases.end(attempt);
      isRecording = false;
      recordSoon();
    });
    track(recorded);
    // Claims for the free slots are committed with them.
    for (const webhookId of new Set(together.map(({ attempt }) => attempt.webhook.id))) {
      const queue = queues.get(webhookId);
      if (queue?.isWanted) wake(webhookId);
      else if (queue) forgetIdle(queue);
    }
  }

  async function record(together: readonly EndedAttempt[]): Promise<void> {
    let leasesHeld: boolean[];
    try {
      leasesHeld = await deliveries.record(together);
    } catch (error) {
      if (together.length > 1) {
        // Record them one by one, so that a failing one does not affect others.
        await Promise.all(together.map(one => record([one])));
        return;
      }
      for (const { attempt } of together)
        log.error(
          { ...factsOf(attempt), err: error },
          'could not record a webhook attempt; it is repeated after its lease',
        );
      return;
    }
    logEnds(together, leasesHeld);
  }

  /** One line for all successes of an endpoint, and one per failure; the history has the details. */
  function logEnds(together: readonly EndedAttempt[], leasesHeld: readonly boolean[]): void {
    const delivered = new Map<string, Delivered>();
    for (const [index, { attempt, result }] of together.entries()) {
      const { outcome, responseStatus, durationMs, error } = result;
      const { id, webhookId, businessId, trace } = attempt.delivery;
      if (leasesHeld[index] === true && outcome === 'delivered') {
        const all = delivered.get(webhookId) ?? { businessId, deliveryIds: [], traceIds: [] };
        delivered.set(webhookId, all);
        all.deliveryIds.push(id);
        if (trace !== null) all.traceIds.push(keptTraceId(trace));
        continue;
      }
      const known = { ...factsOf(attempt), outcome, responseStatus, durationMs, error };
      log.warn(
        known,
        leasesHeld[index] === true ? 'a webhook attempt failed' : 'a webhook attempt ended after its lease',
      );
    }
    for (const [webhookId, facts] of delivered) log.info({ ...facts, webhookId }, 'webhooks were delivered');
  }

  async function post(attempt: Attempt): Promise<TimedResult> {
    const now = clock.now();
    // Paused since it was claimed: another process may have it.
    if (!leases.isHeld(attempt)) return resultOf({ kind: 'aborted' }, now - attempt.startedAt);
    const { delivery, webhook } = attempt;
    const posted = await continueTrace(delivery.trace, () =>
      outbound.post({
        url: webhook.url,
        headers: headersOf(attempt, Math.floor(now / 1_000), signingKey),
        body: delivery.body,
        timeoutMs: settings.timeoutMs,
      }),
    );
    return resultOf(posted, clock.now() - now);
  }

  return {
    wake,
    hasRoomAt(webhookId) {
      const queue = queues.get(webhookId);
      // Deliveries that are already due come first.
      return !isStopped && (!queue || (!queue.isWanted && !queue.isClaiming && hasRoom(queue)));
    },
    send(attempt) {
      const queue = queueOf(attempt.webhook.id);
      leases.hold(attempt, attempt.leaseUntil);
      queue.waiting.push(attempt);
      if (isStopped) giveBack(queue);
      else log.apart({ job: 'webhooks' }, () => sendWaiting(queue));
    },
    async poll() {
      const due = await database.all(webhooksWithDue, { now: clock.now() });
      for (const { webhookId } of due) wake(webhookId);
      return due.length;
    },
    async stop() {
      isStopped = true;
      for (const queue of queues.values()) giveBack(queue);
      const ended = new AbortController();
      const late = wait(timers, settings.stopWithinMs, ended.signal).then(() => outbound.abort());
      await nothingUnderWay();
      ended.abort();
      await late;
    },
  };
}

function newQueue(webhookId: string): EndpointQueue {
  return { webhookId, underWay: 0, waiting: [], ahead: 0, isWanted: false, isClaiming: false };
}

type SigningKeys = (sealed: string, webhook: Pick<WebhookRow, 'id'>) => KeyObject;

/** Cached signing keys: decrypting a secret costs as much as sending. */
function signingKeys(box: SecretBox): SigningKeys {
  const known = new Map<string, { readonly owner: string; readonly key: KeyObject }>();
  return (sealed, { id }) => {
    const found = known.get(sealed);
    // A secret can only be decrypted for its own endpoint.
    if (found?.owner === id) return found.key;
    if (known.size === rememberedKeys) known.clear();
    const key = createSecretKey(box.open(sealed, id), 'utf8');
    known.set(sealed, { owner: id, key });
    return key;
  };
}

/** The log facts of an attempt. */
function factsOf({ delivery, number: attempt }: Attempt) {
  const { businessId, webhookId, id: deliveryId, series, trace } = delivery;
  return { businessId, webhookId, deliveryId, series, attempt, ...(trace !== null && { traceId: keptTraceId(trace) }) };
}

/** Signed at every attempt, because receivers refuse signatures older than five minutes. */
function headersOf(
  { delivery, number, webhook }: Attempt,
  timestamp: number,
  keyOf: SigningKeys,
): PostRequest['headers'] {
  const { body, sequence, eventNumber } = delivery;
  const { sealedSecret, previousSealedSecret, previousSecretUntil } = webhook;
  const signed = (sealed: string) => `,v1=${webhookSignature({ secret: keyOf(sealed, webhook), timestamp, body })}`;
  let signature = `t=${timestamp}${signed(sealedSecret)}`;
  const isPreviousInForce = previousSecretUntil !== null && previousSecretUntil > timestamp * 1_000;
  if (previousSealedSecret !== null && isPreviousInForce) signature += signed(previousSealedSecret);
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    'x-webhook-signature': signature,
    'X-Webhook-Timestamp': String(timestamp),
    'X-Webhook-Event': delivery.eventType,
    'X-Webhook-Delivery': delivery.id,
    'X-Webhook-Attempt': String(number),
  };
  if (sequence !== null) headers['X-Webhook-Sequence'] = String(sequence);
  if (eventNumber !== null) headers['X-Webhook-Event-Number'] = String(eventNumber);
  if (delivery.isTest === 1) headers['X-Webhook-Test'] = 'true';
  return headers;
}

/** Only 2xx is a success: redirects are not followed. */
function resultOf(result: PostResult, durationMs: number): TimedResult {
  const none = { responseStatus: null, durationMs, responseExcerpt: null };
  switch (result.kind) {
    case 'response': {
      const { status, excerpt } = result;
      const isSuccess = status >= 200 && status < 300;
      const outcome = isSuccess ? 'delivered' : 'refused';
      const error = isSuccess ? null : `the endpoint answered ${status}`;
      return { outcome, responseStatus: status, durationMs, responseExcerpt: excerpt, error };
    }
    case 'timeout':
      return { ...none, outcome: 'timeout', error: 'the endpoint did not answer in time' };
    case 'aborted':
      return { ...none, outcome: 'interrupted', error: 'the service was stopped' };
    case 'address_refused':
    case 'connection_failed':
      return { ...none, outcome: result.kind, error: result.reason };
    default:
      return unreachable(result);
  }
}
