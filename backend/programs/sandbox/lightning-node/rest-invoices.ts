import type { Stream } from './reply.ts';
import type { RestOptions, RestRoute } from './route.ts';
import type { InvoiceRecord } from './store.ts';
import { answer, base64, codes, failure, hexOf, invoiceOnWire } from './wire.ts';

const defaultExpirySeconds = 86_400;
const digits = /^\d{1,18}$/;

/** Invoices: create, look up, cancel, and the stream of settlements. */
export function invoiceRoutes({ invoices, faults }: RestOptions): RestRoute[] {
  const notFound = () => failure(codes.notFound, 'unable to locate invoice');

  const subscribe =
    (settleIndex: number): Stream =>
    write => {
      const send = (invoice: InvoiceRecord) => {
        const fault = faults.takeOfEvent();
        if (fault?.kind === 'loseEvent') return;
        write(invoiceOnWire(invoice));
        if (fault?.kind === 'repeatEvent') write(invoiceOnWire(invoice));
      };
      // Zero replays nothing.
      if (settleIndex > 0) for (const invoice of invoices.settledAfter(settleIndex)) send(invoice);
      return invoices.listen(send);
    };

  return [
    {
      call: 'ADD_INVOICE',
      method: 'POST',
      path: /^\/v1\/invoices$/,
      run({ body }) {
        const value = wholeNumber(body.value);
        const valueMsat = wholeNumber(body.value_msat);
        const expiry = wholeNumber(body.expiry);
        const { r_preimage, description_hash } = body;
        const preimage = r_preimage === undefined ? undefined : hexOf(r_preimage, 32);
        const descriptionHash = description_hash === undefined ? '' : hexOf(description_hash, 32);
        if (value === undefined || valueMsat === undefined || expiry === undefined)
          return failure(codes.invalidArgument, 'invalid value for int64 field');
        if (value > 0 && valueMsat > 0) return failure(codes.unknown, 'sat and msat arguments are mutually exclusive');
        if (descriptionHash === undefined || (r_preimage !== undefined && preimage === undefined))
          return failure(codes.unknown, 'invalid hash or preimage length');
        const memo = typeof body.memo === 'string' ? body.memo : '';
        if (Buffer.byteLength(memo) > 639) return failure(codes.unknown, 'memo too large');
        const added = invoices.add({
          valueMsat: valueMsat || value * 1000,
          memo,
          descriptionHash,
          expiresInSeconds: expiry || defaultExpirySeconds,
          ...(preimage === undefined ? {} : { preimage }),
        });
        if (!added) return failure(codes.unknown, 'invoice with payment hash already exists');
        return answer({
          r_hash: base64(added.paymentHash),
          payment_request: added.bolt11,
          add_index: String(added.addIndex),
          payment_addr: base64(added.paymentSecret),
        });
      },
    },
    {
      call: 'LOOKUP_INVOICE',
      method: 'GET',
      path: /^\/v1\/invoice\/([^/]+)$/,
      run({ name }) {
        // This path takes hexadecimal; base64 is treated as another hash or an invalid one.
        if (!/^[0-9a-fA-F]{64}$/.test(name))
          return failure(codes.unknown, `encoding/hex: invalid byte: ${name.slice(0, 8)}`);
        const invoice = invoices.get(name.toLowerCase());
        return invoice ? answer(invoiceOnWire(invoice)) : notFound();
      },
    },
    {
      call: 'LIST_INVOICES',
      method: 'GET',
      path: /^\/v1\/invoices$/,
      run({ query }) {
        const all = invoices.all().map(one => ({ index: one.addIndex, item: invoiceOnWire(one) }));
        const { items, ...offsets } = pageOf(all, query, query.get('num_max_invoices'));
        return answer({ invoices: items, ...offsets });
      },
    },
    {
      call: 'CANCEL_INVOICE',
      method: 'POST',
      path: /^\/v2\/invoices\/cancel$/,
      run({ body }) {
        const paymentHash = hexOf(body.payment_hash, 32);
        if (paymentHash === undefined) return failure(codes.invalidArgument, 'invalid payment hash');
        const cancelled = invoices.cancel(paymentHash);
        if (cancelled === 'unknown_invoice') return notFound();
        if (cancelled === 'already_settled') return failure(codes.unknown, 'invoice already settled');
        return answer({});
      },
    },
    {
      call: 'SUBSCRIBE_INVOICES',
      method: 'GET',
      path: /^\/v1\/invoices\/subscribe$/,
      run({ query }) {
        const settleIndex = wholeNumber(query.get('settle_index') ?? undefined);
        return settleIndex === undefined
          ? failure(codes.invalidArgument, 'invalid value for uint64 field settle_index')
          : subscribe(settleIndex);
      },
    },
  ];
}

/** A page of LND's lists: the entries after an index or, reversed, before it; oldest first in both cases. */
export function pageOf<Item>(
  all: readonly { readonly index: number; readonly item: Item }[],
  query: URLSearchParams,
  limit: string | null,
) {
  const offset = Number(query.get('index_offset') ?? 0);
  const size = Number(limit ?? 0) || 100;
  const sorted = all.toSorted((a, b) => a.index - b.index);
  const page =
    query.get('reversed') === 'true'
      ? sorted.filter(({ index }) => offset === 0 || index < offset).slice(-size)
      : sorted.filter(({ index }) => index > offset).slice(0, size);
  return {
    items: page.map(({ item }) => item),
    first_index_offset: String(page[0]?.index ?? 0),
    last_index_offset: String(page.at(-1)?.index ?? 0),
  };
}

/** 64-bit integers are strings or numbers; 0 if absent, undefined if invalid. */
export function wholeNumber(value: unknown): number | undefined {
  if (value === undefined) return 0;
  const text = typeof value === 'number' ? String(value) : textOf(value);
  const number = Number(text);
  return digits.test(text) && Number.isSafeInteger(number) ? number : undefined;
}

/** An empty string if it is not text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
