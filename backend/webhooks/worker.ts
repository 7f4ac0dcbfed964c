import { type Clock, type Log, type Timers, wait } from '@florin/shared/ports.ts';
import { unreachable } from '@florin/shared/result.ts';
import { webhookSignature } from '@florin/shared/signing/webhook.ts';
import type { Database } from '../database/database.ts';
import type { SecretBox } from '../gateway-accounts/secret-box.ts';
import type { Outbound, PostResult } from '../outbound/outbound.ts';
import type { Attempt, AttemptResult, Deliveries } from './deliveries.ts';
import type { WebhookSettings } from './settings.ts';
import { webhooksWithDue } from './store.ts';

export type DeliveryWorker = {
  /** Deliveries of this endpoint may be due: sends what is, beside what it sends already. */
  wake(webhookId: string): void;
  /** Looks for what no commit of this process announced: retries, and what other processes left. Answers at how many endpoints. */
  poll(): Promise<number>;
  /** Takes nothing new, and ends what is under way. */
  stop(): Promise<void>;
};

/** What an endpoint is being sent; each has places of its own, so that a slow one keeps nobody waiting. */
type Lane = { underWay: number; isWanted: boolean; isClaiming: boolean };

export function deliveryWorker(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly outbound: Outbound;
  readonly box: SecretBox;
  readonly deliveries: Pick<Deliveries, 'claim' | 'record'>;
  readonly settings: WebhookSettings;
}): DeliveryWorker {
  const { database, clock, timers, log, outbound, deliveries, settings } = options;
  const lanes = new Map<string, Lane>();
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  let isStopped = false;

  function track(work: Promise<void>): void {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  }

  function wake(webhookId: string): void {
    if (isStopped) return;
    const lane = lanes.get(webhookId) ?? { underWay: 0, isWanted: false, isClaiming: false };
    lanes.set(webhookId, lane);
    lane.isWanted = true;
    if (!lane.isClaiming) track(fill(webhookId, lane));
  }

  async function nothingUnderWay(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay);
  }

  /** Takes what is due for the places that are free. */
  async function fill(webhookId: string, lane: Lane): Promise<void> {
    lane.isClaiming = true;
    try {
      while (lane.isWanted && !isStopped && lane.underWay < settings.attemptsPerWebhook) {
        lane.isWanted = false;
        const free = settings.attemptsPerWebhook - lane.underWay;
        const attempts = await deliveries.claim(webhookId, free);
        lane.isWanted ||= attempts.length === free;
        for (const attempt of attempts) start(webhookId, lane, attempt);
      }
    } catch (error) {
      log.error({ webhookId, err: error }, 'deliveries could not be claimed; the next poll tries again');
    }
    lane.isClaiming = false;
    if (lane.underWay === 0 && !lane.isWanted) lanes.delete(webhookId);
  }

  function start(webhookId: string, lane: Lane, attempt: Attempt): void {
    lane.underWay += 1;
    const work = make(attempt).finally(() => {
      lane.underWay -= 1;
      if (lane.isWanted) wake(webhookId);
      else if (lane.underWay === 0 && !lane.isClaiming) lanes.delete(webhookId);
    });
    track(work);
  }

  /** Makes the attempt and writes down how it ended. */
  async function make(attempt: Attempt): Promise<void> {
    const { delivery, number, webhook } = attempt;
    const { businessId } = webhook;
    const facts = { businessId, webhookId: webhook.id, deliveryId: delivery.id, series: delivery.series, number };
    try {
      const result = await send(attempt);
      const isOurs = await deliveries.record(attempt, result);
      const { outcome, responseStatus, durationMs, error } = result;
      const known = { ...facts, outcome, responseStatus, durationMs, error };
      if (!isOurs) log.warn(known, 'a webhook attempt ended after its lease');
      else if (outcome === 'delivered') log.info(known, 'a webhook was delivered');
      else log.warn(known, 'a webhook attempt failed');
    } catch (error) {
      log.error({ ...facts, err: error }, 'a webhook attempt was not recorded; it is made again once its lease ends');
    }
  }

  async function send(attempt: Attempt): Promise<AttemptResult> {
    const now = clock.now();
    // Paused since it was claimed: by the time it ended, another process might have it.
    if (now - attempt.startedAt > settings.leaseMs - settings.timeoutMs)
      return { ...resultOf({ kind: 'aborted' }), durationMs: now - attempt.startedAt };
    const result = await outbound.post({
      url: attempt.webhook.url,
      headers: headersOf(attempt, Math.floor(now / 1_000), options.box),
      body: attempt.delivery.body,
      timeoutMs: settings.timeoutMs,
      signal: stopping.signal,
    });
    return { ...resultOf(result), durationMs: clock.now() - now };
  }

  return {
    wake,
    async poll() {
      const due = await database.all(webhooksWithDue, { now: clock.now() });
      for (const { webhookId } of due) wake(webhookId);
      return due.length;
    },
    async stop() {
      isStopped = true;
      const ended = new AbortController();
      const late = wait(timers, settings.stopWithinMs, ended.signal).then(() => stopping.abort());
      await nothingUnderWay();
      ended.abort();
      await late;
    },
  };
}

/** Signed anew at every attempt: receivers refuse what is older than five minutes. */
function headersOf({ delivery, number, webhook }: Attempt, timestamp: number, box: SecretBox): Record<string, string> {
  const { previousSealedSecret, previousSecretUntil } = webhook;
  const isPreviousInForce = previousSecretUntil !== null && previousSecretUntil > timestamp * 1_000;
  const sealed = [
    webhook.sealedSecret,
    ...(previousSealedSecret !== null && isPreviousInForce ? [previousSealedSecret] : []),
  ];
  const signatures = sealed.map(
    one => `v1=${webhookSignature({ secret: box.open(one, webhook.id), timestamp, body: delivery.body })}`,
  );
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
