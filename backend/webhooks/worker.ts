import { createSecretKey, type KeyObject } from 'node:crypto';
import { type Cancel, type Clock, type Log, type Timers, wait } from '@florin/shared/ports.ts';
import { unreachable } from '@florin/shared/result.ts';
import { webhookSignature } from '@florin/shared/signing/webhook.ts';
import type { Database } from '../database/database.ts';
import type { SecretBox } from '../gateway-accounts/secret-box.ts';
import type { Outbound, PostResult } from '../outbound/outbound.ts';
import type { Attempt, AttemptResult, Deliveries, EndedAttempt, Sender } from './deliveries.ts';
import type { WebhookRow } from './rows.ts';
import type { WebhookSettings } from './settings.ts';
import { webhooksWithDue } from './store.ts';

export type DeliveryWorker = Sender & {
  /** Deliveries of this endpoint may be due: sends what is, beside what it sends already. */
  wake(webhookId: string): void;
  /** Looks for what no commit of this process announced: retries, and what other processes left. Answers at how many endpoints. */
  poll(): Promise<number>;
  /** Takes nothing new, and ends what is under way. */
  stop(): Promise<void>;
};

/** What an endpoint is being sent; each has places of its own, so that a slow one keeps nobody waiting. */
type EndpointQueue = {
  readonly webhookId: string;
  /** Attempts that are being sent. */
  underWay: number;
  /** Attempts that are claimed for places that become free, which then wait for no commit. */
  readonly waiting: Attempt[];
  /** How many may wait: one more with each prompt success, up to what the endpoint takes during a commit; none once an attempt fails or takes long. */
  ahead: number;
  isWanted: boolean;
  isClaiming: boolean;
  /** By the sealed secret: opening one costs as much as sending. */
  readonly keys: Map<string, KeyObject>;
};

export function deliveryWorker(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly outbound: Outbound;
  readonly box: SecretBox;
  readonly deliveries: Pick<Deliveries, 'claim' | 'record' | 'release'>;
  readonly settings: WebhookSettings;
}): DeliveryWorker {
  const { database, clock, timers, log, outbound, deliveries, settings } = options;
  const queues = new Map<string, EndpointQueue>();
  const underWay = new Set<Promise<void>>();
  /** Attempts that ended and are not written down yet. */
  const ended: EndedAttempt[] = [];
  let isRecording = false;
  let cancelRecording: Cancel | undefined;
  let sending = 0;
  const stopping = new AbortController();
  let isStopped = false;

  function track(work: Promise<void>): void {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
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
  /** Room that is worth a transaction: half of those that may wait are left. */
  const hasRoom = (queue: EndpointQueue) => queue.waiting.length <= queue.ahead / 2 && roomIn(queue) > 0;

  async function nothingUnderWay(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay);
  }

  /** Takes what is due for the places that are free. Where there is more, the next is taken with what is recorded. */
  async function fill(queue: EndpointQueue): Promise<void> {
    queue.isClaiming = true;
    try {
      let hasMore = false;
      while (queue.isWanted && !isStopped && hasRoom(queue)) {
        queue.isWanted = false;
        const room = roomIn(queue);
        const attempts = await deliveries.claim(queue.webhookId, room);
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

  /** What waits at an endpoint that does not keep up is not held: it would run into its lease, and count. */
  function giveBack(queue: EndpointQueue): void {
    const attempts = queue.waiting.splice(0);
    if (attempts.length === 0) return;
    const { webhookId } = queue;
    const released = deliveries.release(attempts).then(
      () => wake(webhookId),
      (error: unknown) =>
        log.error({ webhookId, err: error }, 'claimed webhooks were not given back; they are sent after their lease'),
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
      const result = await post(attempt, queue);
      if (result.outcome === 'delivered') ahead = Math.min(queue.ahead + 1, mostAhead(result.durationMs));
      ended.push({ attempt, result });
    } catch (error) {
      log.error({ ...factsOf(attempt), err: error }, 'a webhook was not sent; the attempt is ended with its lease');
    }
    sending -= 1;
    queue.underWay -= 1;
    queue.ahead = ahead;
    if (ahead === 0) giveBack(queue);
    sendWaiting(queue);
    recordSoon();
  }

  /** As many as an endpoint that answers in this time takes while they wait for one commit. */
  function mostAhead(durationMs: number): number {
    const { attemptsPerWebhook, claimedAhead, claimedAheadMs, promptMs } = settings;
    if (durationMs > promptMs) return 0;
    return Math.min(claimedAhead, Math.ceil((attemptsPerWebhook * claimedAheadMs) / Math.max(1, durationMs)));
  }

  /** With whatever else ends within a few milliseconds: a commit costs as much for one attempt as for many. */
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
      isRecording = false;
      recordSoon();
    });
    track(recorded);
    // What is claimed for their places is committed with them.
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
        // Whichever it is that cannot be written down, the others can.
        await Promise.all(together.map(one => record([one])));
        return;
      }
      for (const { attempt } of together)
        log.error(
          { ...factsOf(attempt), err: error },
          'a webhook attempt was not recorded; it is made again once its lease ends',
        );
      return;
    }
    logEnds(together, leasesHeld);
  }

  /** One line for all that an endpoint took, and one for each that it did not: its history has the rest. */
  function logEnds(together: readonly EndedAttempt[], leasesHeld: readonly boolean[]): void {
    const delivered = new Map<string, { readonly businessId: string; readonly deliveryIds: string[] }>();
    for (const [index, { attempt, result }] of together.entries()) {
      const { outcome, responseStatus, durationMs, error } = result;
      const { id, webhookId, businessId } = attempt.delivery;
      if (leasesHeld[index] === true && outcome === 'delivered') {
        const others = delivered.get(webhookId);
        if (others) others.deliveryIds.push(id);
        else delivered.set(webhookId, { businessId, deliveryIds: [id] });
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

  function signingKey(sealed: string, { id }: WebhookRow, { keys }: EndpointQueue): KeyObject {
    const key = keys.get(sealed) ?? createSecretKey(options.box.open(sealed, id), 'utf8');
    keys.set(sealed, key);
    return key;
  }

  async function post(
    attempt: Attempt,
    queue: EndpointQueue,
  ): Promise<AttemptResult & { readonly durationMs: number }> {
    const now = clock.now();
    // Paused since it was claimed: by the time it ended, another process might have it.
    if (now - attempt.startedAt > settings.leaseMs - settings.timeoutMs)
      return { ...resultOf({ kind: 'aborted' }), durationMs: now - attempt.startedAt };
    const result = await outbound.post({
      url: attempt.webhook.url,
      headers: headersOf(attempt, Math.floor(now / 1_000), sealed => signingKey(sealed, attempt.webhook, queue)),
      body: attempt.delivery.body,
      timeoutMs: settings.timeoutMs,
      signal: stopping.signal,
    });
    return { ...resultOf(result), durationMs: clock.now() - now };
  }

  return {
    wake,
    hasRoomAt(webhookId) {
      const queue = queues.get(webhookId);
      // What is due already comes first.
      return !isStopped && (!queue || (!queue.isWanted && !queue.isClaiming && hasRoom(queue)));
    },
    send(attempt) {
      const queue = queueOf(attempt.webhook.id);
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
      const late = wait(timers, settings.stopWithinMs, ended.signal).then(() => stopping.abort());
      await nothingUnderWay();
      ended.abort();
      await late;
    },
  };
}

function newQueue(webhookId: string): EndpointQueue {
  return { webhookId, underWay: 0, waiting: [], ahead: 0, isWanted: false, isClaiming: false, keys: new Map() };
}

/** What log lines say an attempt by. */
function factsOf({ delivery: { businessId, webhookId, id: deliveryId, series }, number: attempt }: Attempt) {
  return { businessId, webhookId, deliveryId, series, attempt };
}

/** Signed anew at every attempt: receivers refuse what is older than five minutes. */
function headersOf(
  { delivery, number, webhook }: Attempt,
  timestamp: number,
  keyOf: (sealed: string) => KeyObject,
): Record<string, string> {
  const { previousSealedSecret, previousSecretUntil } = webhook;
  const isPreviousInForce = previousSecretUntil !== null && previousSecretUntil > timestamp * 1_000;
  const sealed = [
    webhook.sealedSecret,
    ...(previousSealedSecret !== null && isPreviousInForce ? [previousSealedSecret] : []),
  ];
  const { body } = delivery;
  const signatures = sealed.map(one => `v1=${webhookSignature({ secret: keyOf(one), timestamp, body })}`);
  return {
    'x-webhook-signature': [`t=${timestamp}`, ...signatures].join(','),
    'X-Webhook-Timestamp': String(timestamp),
    'X-Webhook-Event': delivery.eventType,
    'X-Webhook-Delivery': delivery.id,
    'X-Webhook-Attempt': String(number),
    ...(delivery.sequence === null ? {} : { 'X-Webhook-Sequence': String(delivery.sequence) }),
    ...(delivery.eventNumber === null ? {} : { 'X-Webhook-Event-Number': String(delivery.eventNumber) }),
    ...(delivery.isTest === 1 ? { 'X-Webhook-Test': 'true' } : {}),
  };
}

/** Success is a 2xx and nothing else: a redirect is not followed. */
function resultOf(result: PostResult): Omit<AttemptResult, 'durationMs'> {
  const none = { responseStatus: null, responseExcerpt: null };
  switch (result.kind) {
    case 'response': {
      const { status, excerpt } = result;
      const isSuccess = status >= 200 && status < 300;
      const error = isSuccess ? null : `the endpoint answered ${status}`;
      return { outcome: isSuccess ? 'delivered' : 'refused', responseStatus: status, responseExcerpt: excerpt, error };
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
