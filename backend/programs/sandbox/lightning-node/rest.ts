import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, sendJson } from '../http.ts';
import { applyFault } from './apply-fault.ts';
import { whyRefused } from './macaroons.ts';
import { sendReply } from './reply.ts';
import { invoiceRoutes } from './rest-invoices.ts';
import { walletRoutes } from './rest-wallet.ts';
import type { RestOptions, RestRoute } from './route.ts';
import { codes, failure } from './wire.ts';

const maxBodyBytes = 64 * 1024;

/** The part of LND's REST interface that a merchant's service uses. */
export function restHandler(options: RestOptions) {
  const { macaroons, faults, store, clock, timers } = options;
  const routes: readonly RestRoute[] = [...invoiceRoutes(options), ...walletRoutes(options)];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'https://node');
    const found = routes.find(one => one.method === request.method && one.path.test(url.pathname));
    if (!found) return sendJson(response, 404, { code: codes.notFound, message: 'Not Found', details: [] });
    const body = parsed(await readBody(request, maxBodyBytes));
    const given = request.headers['grpc-metadata-macaroon'];
    const refusal = whyRefused(macaroons, typeof given === 'string' ? given : undefined, found.call);
    const name = found.path.exec(url.pathname)?.[1] ?? '';
    const carryOut = () => {
      if (refusal !== undefined) return failure(codes.unknown, refusal);
      if (body === undefined) return failure(codes.invalidArgument, 'invalid body');
      return found.run({ query: url.searchParams, body, name });
    };
    store.addRequest({ call: found.call, query: url.searchParams.toString(), at: clock.now() });
    const fault = faults.take(found.call);
    if (fault) applyFault(fault, { carryOut, response, timers });
    else sendReply(response, carryOut());
  }

  return { handle };
}

function parsed(raw: Buffer | undefined): Readonly<Record<string, unknown>> | undefined {
  if (raw === undefined) return undefined;
  if (raw.length === 0) return {};
  try {
    const value: unknown = JSON.parse(raw.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
