import { type Clock, type Log, type Timers, wait } from '@florin/shared/ports.ts';
import { unreachable } from '@florin/shared/result.ts';
import { webhookSignature } from '@florin/shared/signing/webhook.ts';
import type { Database } from '../database/database.ts';
import type { SecretBox } from '../gateway-accounts/secret-box.ts';
import type { Outbound, PostResult } from '../outbound/outbound.ts';
import type { Attempt, AttemptResult, Deliveries, EndedAttempt } from './deliveries.ts';
import type { WebhookRow } from './rows.ts';
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
  /** Attempts that ended and are not written down yet. */
  const ended: EndedAttempt[] = [];
  let isRecording = false;
  /** Attempts that are being sent; the last one to end need not be waited for. */
  let sending = 0;
  let noneIsSent = new AbortController();
  const open = openedOnce(options.box);
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
    if (!lane.isClaiming) log.apart({ job: 'webhooks' }, () => track(fill(webhookId, lane)));
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
        lane.underWay += attempts.length;
        for (const attempt of attempts) track(make(attempt));
      }
    } catch (error) {
      log.error({ webhookId, err: error }, 'deliveries could not be claimed; the next poll tries again');
    }
    lane.isClaiming = false;
    if (lane.underWay === 0 && !lane.isWanted) lanes.delete(webhookId);
  }

  async function make(attempt: Attempt): Promise<void> {
    sending += 1;
    try {
      ended.push({ attempt, result: await send(attempt) });
    } catch (error) {
      log.error({ ...factsOf(attempt), err: error }, 'a webhook was not sent; the attempt is ended with its lease');
      leave([attempt]);
    }
    sending -= 1;
    if (sending === 0) noneIsSent.abort();
    if (!isRecording) await recordEnded();
  }

  /** For a moment, since a commit costs as much for one attempt as for many. */
  async function othersToEnd(): Promise<void> {
    if (sending === 0 || settings.recordWithinMs === 0) return;
    noneIsSent = new AbortController();
    await wait(timers, settings.recordWithinMs, noneIsSent.signal);
  }

  /** Attempts that end within a few milliseconds of each other are written down together. */
  async function recordEnded(): Promise<void> {
    isRecording = true;
    while (ended.length > 0) {
      await othersToEnd();
      const together = ended.splice(0, settings.recordedTogether);
      const recorded = record(together);
      // What is claimed for their places is committed with them.
      leave(together.map(({ attempt }) => attempt));
      await recorded;
    }
    isRecording = false;
  }

  function leave(attempts: readonly Attempt[]): void {
    const left = new Map<string, Lane>();
    for (const { webhook } of attempts) {
      const lane = lanes.get(webhook.id);
      if (!lane) continue;
      lane.underWay -= 1;
      left.set(webhook.id, lane);
    }
    for (const [webhookId, lane] of left) {
      if (lane.isWanted) wake(webhookId);
      else if (lane.underWay === 0 && !lane.isClaiming) lanes.delete(webhookId);
    }
  }

  async function record(together: readonly EndedAttempt[]): Promise<void> {
    let areOurs: boolean[];
    try {
      areOurs = await deliveries.record(together);
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
    for (const [index, one] of together.entries()) logEnd(one, areOurs[index] === true);
  }

  function logEnd({ attempt, result }: EndedAttempt, isOurs: boolean): void {
    const { outcome, responseStatus, durationMs, error } = result;
    const known = { ...factsOf(attempt), outcome, responseStatus, durationMs, error };
    if (!isOurs) log.warn(known, 'a webhook attempt ended after its lease');
    else if (outcome === 'delivered') log.info(known, 'a webhook was delivered');
    else log.warn(known, 'a webhook attempt failed');
  }

  async function send(attempt: Attempt): Promise<AttemptResult> {
    const now = clock.now();
    // Paused since it was claimed: by the time it ended, another process might have it.
    if (now - attempt.startedAt > settings.leaseMs - settings.timeoutMs)
      return { ...resultOf({ kind: 'aborted' }), durationMs: now - attempt.startedAt };
    const result = await outbound.post({
      url: attempt.webhook.url,
      headers: headersOf(attempt, Math.floor(now / 1_000), open),
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

/** What log lines say an attempt by. */
function factsOf({ delivery: { businessId, webhookId, id: deliveryId, series }, number: attempt }: Attempt) {
  return { businessId, webhookId, deliveryId, series, attempt };
}

type Open = (sealed: string, webhook: WebhookRow) => string;

/** Opens a secret once for all attempts that were claimed together: decryption costs as much as sending. */
function openedOnce(box: SecretBox): Open {
  const opened = new WeakMap<WebhookRow, Map<string, string>>();
  return (sealed, webhook) => {
    const known = opened.get(webhook) ?? new Map<string, string>();
    opened.set(webhook, known);
    const secret = known.get(sealed) ?? box.open(sealed, webhook.id);
    known.set(sealed, secret);
    return secret;
  };
}

/** Signed anew at every attempt: receivers refuse what is older than five minutes. */
function headersOf({ delivery, number, webhook }: Attempt, timestamp: number, open: Open): Record<string, string> {
  const { previousSealedSecret, previousSecretUntil } = webhook;
  const isPreviousInForce = previousSecretUntil !== null && previousSecretUntil > timestamp * 1_000;
  const sealed = [
    webhook.sealedSecret,
    ...(previousSealedSecret !== null && isPreviousInForce ? [previousSealedSecret] : []),
  ];
  const { body } = delivery;
  const signatures = sealed.map(one => `v1=${webhookSignature({ secret: open(one, webhook), timestamp, body })}`);
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
