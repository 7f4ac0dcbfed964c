import { type ApiRequestIssue, apiRequestOutcomeOf } from '@florin/shared/contracts/api-v1/api-requests.ts';
import { holdsPan } from '@florin/shared/reader-line/pan.ts';
import type { ApiCall } from '../../foundation/api-call.ts';
import type { ApiRequestRow } from './rows.ts';

/** Stands for what may be secret. */
const hidden = '…';

const recordId = /^[a-z]+_[0-9a-f]{32}$/;
/** Longer than any name that callers give to a record, shorter than any key. */
const longestSegment = 40;

/** Keys and tokens as this service and others write them. */
const credential = /(?:live|test|device|kiosk|session|secret|whsec|token)_[0-9A-Za-z]{16,}|bearer/i;

const decoded = (text: string) =>
  text.replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Whether a text may contain a card number, also one that is written in groups or percent-encoded, or a key. */
function mayBeSecret(text: string): boolean {
  const plain = decoded(text);
  return holdsPan(plain) || holdsPan(plain.replace(/(?<=\d)[^0-9A-Za-z]{1,3}(?=\d)/g, '')) || credential.test(plain);
}

/** A path without card numbers, keys and whatever else software may have put in the place of an id. */
function harmless(path: string, route: string): string {
  const literals = new Set(route.split('/'));
  const isHarmless = (segment: string) =>
    literals.has(segment) || recordId.test(segment) || (segment.length <= longestSegment && !mayBeSecret(segment));
  return path
    .split('/')
    .map(segment => (isHarmless(segment) ? segment : hidden))
    .join('/');
}

/** The text, unless it may contain a card number or a key. */
function withoutSecrets(text: string | null): string | null {
  return text !== null && mayBeSecret(text) ? hidden : text;
}

const longestMessage = 500;
const longestPath = 200;
const mostIssues = 5;

/** Both may name what the caller made up. */
function harmlessIssue({ path, message }: ApiRequestIssue): ApiRequestIssue {
  return {
    path: withoutSecrets(path)?.slice(0, longestPath) ?? '',
    message: withoutSecrets(message)?.slice(0, longestMessage) ?? '',
  };
}

/** What is kept of a call. */
export function recorded(call: ApiCall): ApiRequestRow {
  const { requestId: id, businessId, apiKeyId, method, route, path, status, durationMs } = call;
  const { reason, message, issues } = call.error ?? { reason: null, message: null, issues: [] };
  return {
    id,
    businessId,
    apiKeyId,
    method,
    route,
    path: harmless(path, route),
    status,
    outcome: apiRequestOutcomeOf(status),
    reason,
    // It may name a field that the caller made up.
    message: withoutSecrets(message)?.slice(0, longestMessage) ?? null,
    issuesJson: issues.length === 0 ? null : JSON.stringify(issues.slice(0, mostIssues).map(harmlessIssue)),
    durationMs,
    idempotencyKey: withoutSecrets(call.idempotencyKey),
    isReplay: call.isReplay ? 1 : 0,
    createdAt: call.startedAt,
  };
}
