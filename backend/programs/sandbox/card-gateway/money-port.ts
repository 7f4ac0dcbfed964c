import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Cancel, Random, Timers } from '@florin/shared/ports.ts';
import { z } from 'zod';
import { framedPage } from '../control-page.ts';
import { mediaTypeOf, readBody, sendJson } from '../http.ts';
import type { MerchantAccount } from './accounts.ts';
import { answeredPage, challengePage, methodPage, overPage, type Page, readChallenge } from './acs-pages.ts';
import type { callbackSender } from './callbacks.ts';
import { sealToken } from './card-block.ts';
import { answerCardPresent, readCardPresentMessage, signCardPresentReply } from './card-present.ts';
import { codes, declineOf, missing, responseStatus } from './codes.ts';
import type { Fault, FaultQueue } from './faults.ts';
import { report } from './reporting.ts';
import type { Store } from './store.ts';
import type { Transactions } from './transactions.ts';
import { type Fields, isSignedWith, maxBodyBytes, parseFields, signedReply, unsignedReply } from './wire.ts';

export type MoneyPortOptions = {
  readonly store: Store;
  readonly accounts: readonly MerchantAccount[];
  readonly faults: FaultQueue;
  readonly transactions: Transactions;
  readonly callbacks: ReturnType<typeof callbackSender>;
  readonly timers: Timers;
  readonly random: Random;
};

/** A reply before sending, to which faults are applied. */
type Outgoing = { readonly status: number; readonly headers: Record<string, string>; readonly body: string };

const sendCardFields = framedPage(new URL('page/', import.meta.url), '/card-fields', 'card-fields', ['card-words.ts']);

/** The public interfaces: Direct, card-present, reporting, tokens and the bank's pages. */
export function moneyHandler(options: MoneyPortOptions) {
  const pending = new Set<Cancel>();
  let closed = false;

  function later(delayMs: number, task: () => void): void {
    const cancel = options.timers.after(delayMs, () => {
      pending.delete(cancel);
      if (!closed) task();
    });
    pending.add(cancel);
  }

  /** Carries out a request and replies, subject to the next fault for its action. */
  function respond(response: ServerResponse, fault: Fault | undefined, run: () => Outgoing): void {
    switch (fault?.kind) {
      case 'dropRequest':
        response.socket?.destroy();
        return;
      case 'loseReply':
        run();
        response.socket?.destroy();
        return;
      case 'hang':
        if (fault.applied) run();
        return;
      case 'unavailable':
        if (fault.applied) run();
        send(response, { status: 503, headers: { 'content-type': 'text/html' }, body: 'Service Unavailable' });
        return;
      case 'applyLate':
        later(fault.delayMs, run);
        response.socket?.destroy();
        return;
      case 'delay': {
        const outgoing = run();
        later(fault.delayMs, () => send(response, outgoing));
        return;
      }
      case 'garbage':
        if (fault.applied) run();
        send(response, { status: 200, headers: { 'content-type': 'text/html' }, body: fault.body });
        return;
      case 'wrongStatus':
        send(response, { ...run(), status: fault.status });
        return;
      case 'cutReply':
        sendHalf(response, run());
        return;
      case 'approvePartly': {
        const outgoing = run();
        if (fault.loseReply) response.socket?.destroy();
        else send(response, outgoing);
        return;
      }
      // These faults change the reply's content, which `run` has done.
      case undefined:
      case 'badSignature':
      case 'partialSignature':
      case 'unsigned':
      case 'wrongEcho':
      case 'missingEcho':
      case 'decline':
        send(response, run());
    }
  }

  async function direct(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await readBody(request, maxBodyBytes);
    const isForm = mediaTypeOf(request) === 'application/x-www-form-urlencoded';
    const fields = raw !== undefined && isForm ? parseFields(raw.toString('utf8')) : undefined;
    if (!fields) return send(response, htmlReply(unsignedReply(refusal(codes.malformed, 'Malformed request'))));
    const merchantID =
      fields.get('merchantID') ?? options.transactions.accountOfThreeDSecure(fields.get('threeDSRef') ?? '');
    const account = options.accounts.find(one => one.merchantID === merchantID);
    if (!account) {
      const unknown = refusal(codes.unknownMerchantOrBadSignature, 'Unknown merchant');
      return send(response, htmlReply(unsignedReply(unknown)));
    }
    const unsignedContinuation = fields.has('threeDSRef') && !fields.has('signature');
    if (!unsignedContinuation && !isSignedWith(fields, account.secret)) {
      const { code, message } = fields.has('signature')
        ? { code: codes.unknownMerchantOrBadSignature, message: 'Invalid signature' }
        : missing('signature');
      return send(response, htmlReply(signedReply(refusal(code, message, fields), account.secret)));
    }
    const fault = options.faults.take(fields.has('threeDSRef') ? '3DS' : (fields.get('action') ?? ''));
    respond(response, fault, () => {
      const reply = answered(account, fields, fault);
      const callbackUrl = reply.get('callbackURL');
      if (callbackUrl && fault?.callback !== false && reply.get('action')?.startsWith('QUERY') === false) {
        options.callbacks.send(callbackUrl, signedReply(reply, account.secret));
      }
      return htmlReply(faultyReply(reply, account.secret, fault));
    });
  }

  function answered(account: MerchantAccount, fields: Fields, fault: Fault | undefined): Fields {
    if (fault?.kind === 'decline') {
      return options.transactions.refuse(account, fields, declineOf(fault.code));
    }
    return options.transactions.perform(account, fields, partOf(fault));
  }

  async function cardPresent(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await readBody(request, maxBodyBytes);
    if (!raw) return sendJson(response, 413, { error: 'message too large' });
    const signature = request.headers['x-florin-signature'];
    const read = readCardPresentMessage({
      rawBody: raw.toString('utf8'),
      signature: typeof signature === 'string' ? signature : undefined,
      accounts: options.accounts,
    });
    if ('status' in read) {
      return send(response, { status: read.status, headers: { 'content-type': 'application/json' }, body: read.body });
    }
    const fault = options.faults.take(read.message.operation === 'sale' ? 'CARD_PRESENT' : 'CARD_PRESENT_LOOKUP');
    respond(response, fault, () => {
      const { content, row } = answerCardPresent({
        message: read.message,
        account: read.account,
        transactions: options.transactions,
        partlyMinor: partOf(fault),
        ...(fault?.kind === 'decline' ? { decline: { ...declineOf(fault.code), code: String(fault.code) } } : {}),
      });
      options.transactions.recordCardPresent({
        merchantID: read.account.merchantID,
        action: read.message.operation === 'sale' ? 'CARD_PRESENT' : 'CARD_PRESENT_LOOKUP',
        transactionUnique: read.message.uniqueReference,
        xref: row?.xref ?? null,
        responseCode: row?.responseCode ?? (fault?.kind === 'decline' ? fault.code : codes.success),
      });
      if (row && read.message.operation === 'sale' && read.message.callbackUrl && fault?.callback !== false) {
        const reply = options.transactions.reply(read.account, row);
        options.callbacks.send(read.message.callbackUrl, signedReply(reply, read.account.secret));
      }
      return cardPresentReply(content, { secret: read.account.cardPresentSecret, signature: read.signature, fault });
    });
  }

  const acs = bankPages(options);
  const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>> = {
    'POST /direct/': direct,
    'POST /direct': direct,
    'POST /card-present': cardPresent,
    'GET /rest/transactions': async (request, response) => {
      const fault = options.faults.take('REPORT');
      respond(response, fault, () => {
        const query = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams;
        const { authorization } = request.headers;
        const echoes = fault?.kind === 'wrongEcho' ? fault.fields : {};
        const answer = report({ ...options, query, authorization, echoes });
        return { status: answer.status, headers: { 'content-type': 'application/json' }, body: answer.body };
      });
    },
    'POST /tokens': (request, response) => makeToken(request, response, options),
    'OPTIONS /tokens': async (_, response) => {
      response.writeHead(204, { ...tokenHeaders, 'access-control-allow-headers': 'content-type' });
      response.end();
    },
    'POST /acs/method': acs.method,
    'POST /acs/challenge': acs.challenge,
    'POST /acs/answer': acs.answer,
  };
  return {
    async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const path = (request.url ?? '').split('?')[0] ?? '';
      if (request.method === 'GET' && sendCardFields(path, response)) return;
      const route = routes[`${request.method} ${path}`];
      if (!route) return sendJson(response, 404, { error: 'unknown path', paths: Object.keys(routes) });
      await route(request, response);
    },
    close(): void {
      closed = true;
      for (const cancel of pending) cancel();
    },
  };
}

function partOf(fault: Fault | undefined): number | undefined {
  return fault?.kind === 'approvePartly' ? fault.amountMinor : undefined;
}

/** The reply to a refused request; echoes the request's fields. */
function refusal(code: number, message: string, request?: Fields): Fields {
  const hidden = new Set(['signature', 'cardNumber', 'cardCVV', 'paymentToken']);
  return new Map([
    ['responseCode', String(code)],
    ['responseMessage', message],
    ['responseStatus', responseStatus(code)],
    ...[...(request ?? [])].filter(([name, value]) => value !== '' && !hidden.has(name)),
    ['state', 'finished'],
  ]);
}

function faultyReply(reply: Fields, secret: string, fault: Fault | undefined): string {
  switch (fault?.kind) {
    case 'badSignature':
      return signedReply(reply, `${secret}-not`);
    case 'unsigned':
      return unsignedReply(reply);
    case 'partialSignature': {
      const some: Fields = new Map([['responseCode', reply.get('responseCode') ?? '']]);
      const hash = new URLSearchParams(signedReply(some, secret)).get('signature');
      return unsignedReply(new Map([...reply, ['signature', `${hash}|responseCode`]]));
    }
    case 'wrongEcho':
      return signedReply(new Map([...reply, ...Object.entries(fault.fields)]), secret);
    case 'missingEcho':
      return signedReply(new Map([...reply].filter(([name]) => name !== fault.field)), secret);
    case undefined:
    case 'dropRequest':
    case 'loseReply':
    case 'hang':
    case 'unavailable':
    case 'applyLate':
    case 'delay':
    case 'garbage':
    case 'wrongStatus':
    case 'cutReply':
    case 'decline':
    case 'approvePartly':
      return signedReply(reply, secret);
  }
}

function cardPresentReply(
  content: Record<string, unknown>,
  options: { secret: string; signature: string; fault: Fault | undefined },
): Outgoing {
  const { fault } = options;
  const wrong = fault?.kind === 'wrongEcho' ? Object.entries(fault.fields) : [];
  const body = JSON.stringify({
    ...content,
    ...Object.fromEntries(wrong.map(([name, value]) => [name, jsonValue(value)])),
  });
  const secret = fault?.kind === 'badSignature' ? `${options.secret}-not` : options.secret;
  const signature = signCardPresentReply(secret, options.signature, body);
  const signed = fault?.kind === 'unsigned' ? {} : { 'x-florin-signature': signature };
  return { status: 200, headers: { 'content-type': 'application/json', ...signed }, body };
}

function jsonValue(text: string): unknown {
  return /^\d+$/.test(text) ? Number(text) : text;
}

function htmlReply(body: string): Outgoing {
  return { status: 200, headers: { 'content-type': 'text/html; charset=UTF-8' }, body };
}

function send(response: ServerResponse, outgoing: Outgoing): void {
  response.writeHead(outgoing.status, outgoing.headers);
  response.end(outgoing.body);
}

function sendHalf(response: ServerResponse, { status, headers, body }: Outgoing): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.write(body.slice(0, body.length >> 1), () => response.socket?.destroy());
}

const tokenHeaders = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' };
const cardToSeal = z.strictObject({
  cardNumber: z.string().max(32),
  cardExpiryMonth: z.string().max(2),
  cardExpiryYear: z.string().max(4),
  cardCVV: z.string().max(4),
});

async function makeToken(
  request: IncomingMessage,
  response: ServerResponse,
  options: { transactions: Transactions; random: Random },
): Promise<void> {
  const raw = await readBody(request, 4096);
  const card = cardToSeal.safeParse(parseJson(raw?.toString('utf8') ?? ''));
  const status = card.success ? 201 : 400;
  const content = card.success
    ? { paymentToken: sealToken(card.data, { key: options.transactions.tokenKey, iv: options.random.bytes(12) }) }
    : { error: 'cardNumber, cardExpiryMonth, cardExpiryYear and cardCVV are needed' };
  response.writeHead(status, { 'content-type': 'application/json', ...tokenHeaders });
  response.end(JSON.stringify(content));
}

function bankPages(options: { accounts: readonly MerchantAccount[]; transactions: Transactions; random: Random }) {
  const nonce = () => Buffer.from(options.random.bytes(16)).toString('base64');

  async function form(request: IncomingMessage): Promise<URLSearchParams> {
    const raw = await readBody(request, 64 * 1024);
    return new URLSearchParams(raw?.toString('utf8') ?? '');
  }

  function show(response: ServerResponse, page: Page | undefined): void {
    if (!page) {
      sendJson(response, 400, { error: 'not a request of a 3-D Secure check' });
      return;
    }
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; script-src 'nonce-${page.nonce}'; style-src 'nonce-${page.nonce}'`,
    });
    response.end(page.html);
  }

  return {
    method: async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      show(response, methodPage((await form(request)).get('threeDSMethodData') ?? '', nonce()));
    },
    challenge: async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const transaction = readChallenge((await form(request)).get('creq') ?? '');
      const sale = transaction === undefined ? undefined : options.transactions.challenged(transaction);
      const shop = options.accounts.find(({ merchantID }) => merchantID === sale?.merchantID)?.name ?? 'A shop';
      if (transaction === undefined) show(response, undefined);
      else show(response, sale ? challengePage({ transaction, shop, sale, nonce: nonce() }) : overPage(nonce()));
    },
    answer: async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const fields = await form(request);
      const transaction = fields.get('transaction') ?? '';
      const choice = z.enum(['Y', 'N', 'U']).safeParse(fields.get('answer'));
      const answered = choice.success ? options.transactions.answerChallenge(transaction, choice.data) : undefined;
      const page =
        answered && choice.success
          ? answeredPage({ redirectUrl: answered.redirectUrl, transaction, answer: choice.data, nonce: nonce() })
          : undefined;
      show(response, page);
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
