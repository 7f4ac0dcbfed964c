import { cardSchemeOf } from '@florin/shared/card-schemes.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { CardSummary, Unknown, UnknownCause } from '../gateway.ts';
import { checkSignature, parseBody, type WireField } from './signature.ts';

/** The fields of a reply or callback; names are unique. */
export type Reply = ReadonlyMap<string, string>;

/** Parses a raw reply and checks its signature. */
export function verifyReply(body: Buffer, secret: string): Result<Reply, Unknown> {
  const fields = parseBody(body);
  if (!fields) return err(unknown('malformed'));
  if (checkSignature(fields, secret) !== 'valid') return err(unknown('bad_signature'));
  return ok(toReply(fields));
}

/** The names must be unique, which `parseBody` ensures: of two fields with one name the last would count. */
export function toReply(fields: readonly WireField[]): Reply {
  return new Map(fields.map(field => [field.name, field.value]));
}

/** An inconclusive outcome: the operation may have moved money and is looked up later. */
export function unknown(cause: UnknownCause): Unknown {
  return { kind: 'unknown', cause };
}

/** The account the request was made for; the gateway may process it on a linked one. */
export function merchantOf(reply: Reply): string | undefined {
  return reply.get('requestMerchantID') ?? reply.get('merchantID');
}

/** Every account the reply names. */
export function merchantsNamed(reply: Reply): string[] {
  return ['requestMerchantID', 'merchantID', 'processMerchantID'].flatMap(name => reply.get(name) ?? []);
}

/** The response code; undefined if it is missing or not a plain integer, which makes the reply malformed. */
export function codeOf(reply: Reply): number | undefined {
  return integerOf(reply, 'responseCode');
}

/**
 * A field as an exact non-negative integer, in minor units for amounts; undefined if it is missing or not in canonical
 * form.
 */
export function integerOf(reply: Reply, name: string): number | undefined {
  const text = reply.get(name) ?? '';
  // Refuses forms such as `0500` or `5.00`, which this gateway does not use.
  if (!/^(0|[1-9]\d{0,15})$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** The gateway's message for people, cut to 200 characters; empty if there is none. */
export function messageOf(reply: Reply): string {
  return (reply.get('responseMessage') ?? '').slice(0, 200);
}

/** The scheme and last four digits of the masked PAN; undefined if the mask does not end in four digits. */
export function cardOf(reply: Reply): CardSummary | undefined {
  const lastFour = /(\d{4})$/.exec(reply.get('cardNumberMask') ?? '')?.[1];
  if (lastFour === undefined) return undefined;
  return { scheme: cardSchemeOf(reply.get('cardScheme') ?? reply.get('cardType') ?? ''), lastFour };
}

/** The captured amount, or the authorised amount if nothing is captured yet. */
export function takenBy(reply: Reply): number | undefined {
  return integerOf(reply, 'amountReceived') || integerOf(reply, 'amountApproved') || undefined;
}

/**
 * The callback URL of an operation. The reply to a CANCEL carries its payment's references, so the URL carries ours.
 */
export function callbackUrlFor(callbackUrl: string, uniqueReference: string): string {
  const url = new URL(callbackUrl);
  url.searchParams.set('operation', uniqueReference);
  return url.href;
}

/** Our reference of a CANCEL, from the URL of its callback. */
export function operationNamedBy(reply: Reply): string | undefined {
  return URL.parse(reply.get('callbackURL') ?? '')?.searchParams.get('operation') ?? undefined;
}

/** The nested fields under one name, for the customer's browser or the gateway: `threeDSRequest[creq]` → `creq`. */
export function nestedFields(reply: Reply, root: string): Readonly<Record<string, string>> {
  const fields = [...reply].flatMap(([name, value]) => {
    const inner = name.startsWith(`${root}[`) && name.endsWith(']') ? name.slice(root.length + 1, -1) : '';
    return inner === '' ? [] : [[inner, value] as const];
  });
  return Object.fromEntries(fields);
}
