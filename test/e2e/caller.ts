import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TerminalSaleRecord, terminalSaleRecord } from '@florin/shared/contracts/terminal-sales.ts';
import { expect as expectOnce } from '@playwright/test';
import { createParser } from 'eventsource-parser';
import { request } from 'undici';

/** Real programs may be slow on a busy machine; these tests do not measure speed. */
const expect = expectOnce.configure({ timeout: 30_000 });

type Seen = { readonly stream: TerminalSaleRecord[]; readonly polled: TerminalSaleRecord[] };

/** Software that starts sales on a terminal over HTTP: a till with an API key, and a kiosk with a kiosk key. */
export class Caller {
  readonly #url: string;
  readonly #apiKey: string;
  #kioskKey = '';
  #serial = '';
  deviceId = '';

  constructor({ backendUrl, apiKey }: { backendUrl: string; apiKey: string }) {
    this.#url = backendUrl;
    this.#apiKey = apiKey;
  }

  async #call(method: 'GET' | 'POST', path: string, body?: object, idempotencyKey?: string) {
    const key = path.startsWith('/kiosk/')
      ? { 'x-api-key': this.#kioskKey }
      : { authorization: `Bearer ${this.#apiKey}` };
    const answer = await request(`${this.#url}${path}`, {
      method,
      headers: {
        ...key,
        'content-type': 'application/json',
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, body: (await answer.body.json()) as Record<string, unknown> };
  }

  /** Finds the demo's terminal and creates a kiosk key for it. */
  async connect(): Promise<void> {
    const { body } = await this.#call('GET', '/api/v1/devices');
    const [device] = body.items as { id: string; serial: string }[];
    this.#serial = device?.serial ?? '';
    this.deviceId = device?.id ?? '';
    const key = { name: 'Kiosk by the door', deviceIds: [this.deviceId] };
    this.#kioskKey = String((await this.#call('POST', '/api/v1/kiosk-keys', key)).body.key);
  }

  readiness() {
    return this.#call('GET', `/kiosk/v1/terminals/${this.#serial}`).then(({ body }) => body);
  }

  #wanted(amountInCents: number, more: object): object {
    return { serial: this.#serial, amountInCents, currency: 'GBP', ...more };
  }

  /** Starts a sale or refund as soon as the terminal is free. */
  async start(family: '/api/v1/terminal' | '/kiosk/v1', amountInCents: number, more: object = {}): Promise<string> {
    let saleId: unknown;
    await expect
      .poll(async () => {
        const { status, body } = await this.startOnce(family, amountInCents, more);
        saleId = body.saleId;
        return status;
      })
      .toBe(201);
    return String(saleId);
  }

  startOnce(family: '/api/v1/terminal' | '/kiosk/v1', amountInCents: number, more: object = {}, key?: string) {
    return this.#call('POST', `${family}/sales`, this.#wanted(amountInCents, more), key ?? randomUUID());
  }

  /** Sends the request and closes the connection before the answer, as a crash would. */
  async crashWhileStarting(amountInCents: number, more: object, idempotencyKey: string): Promise<void> {
    const { hostname, port } = new URL(this.#url);
    const body = JSON.stringify(this.#wanted(amountInCents, more));
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(
      `POST /api/v1/terminal/sales HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${this.#apiKey}\r\nidempotency-key: ${idempotencyKey}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      () => socket.destroy(),
    );
    await once(socket, 'close');
  }

  /** @throws what the service answered instead of the record, such as that a key's limit was reached */
  async read(saleId: string): Promise<TerminalSaleRecord> {
    const { status, body } = await this.#call('GET', `/kiosk/v1/sales/${saleId}`);
    if (status !== 200) throw new Error(`GET of sale ${saleId} was answered ${status}: ${JSON.stringify(body)}`);
    return terminalSaleRecord.parse(body);
  }

  async list(): Promise<TerminalSaleRecord[]> {
    const { body } = await this.#call('GET', '/api/v1/terminal/sales?limit=100');
    return terminalSaleRecord.array().parse(body.items);
  }

  async cancel(saleId: string): Promise<TerminalSaleRecord> {
    return terminalSaleRecord.parse((await this.#call('POST', `/kiosk/v1/sales/${saleId}/cancel`, {})).body);
  }

  becomes(saleId: string, wanted: Partial<TerminalSaleRecord>): Promise<void> {
    return expect.poll(() => this.read(saleId).catch(() => undefined), { intervals: [200] }).toMatchObject(wanted);
  }

  /**
   * Follows a sale to its end over its event stream and by polling, through broken connections, and checks that both
   * reported the same. Returns its last record.
   */
  async follow(saleId: string, whileAt: () => Promise<unknown>): Promise<TerminalSaleRecord> {
    const seen: Seen = { stream: [], polled: [] };
    const over = new AbortController();
    const both = Promise.all([this.#listen(saleId, seen, over.signal), this.#ask(saleId, seen)]);
    try {
      await Promise.all([whileAt(), both]);
    } finally {
      over.abort();
    }
    const bySequence = new Map(seen.stream.map(record => [record.sequence, record]));
    const sequences = [...bySequence.keys()];
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
    const last = seen.stream.at(-1);
    if (!last) throw new Error(`no event of ${saleId} arrived`);
    // Each polled record that is not older than the stream's first event is also in the stream, which ends with the sale:
    // that its receipt was printed afterwards is in its record alone.
    for (const record of seen.polled) {
      const isAfterEnd = record.sequence > last.sequence;
      if (isAfterEnd) expect(record).toMatchObject({ status: last.status, statusReason: last.statusReason });
      else if (record.sequence >= (sequences[0] ?? 0)) expect(bySequence.get(record.sequence)).toEqual(record);
    }
    return last;
  }

  async #ask(saleId: string, { polled }: Seen): Promise<void> {
    await expect
      .poll(
        async () => {
          const record = await this.read(saleId).catch(() => undefined);
          if (record && record.sequence !== polled.at(-1)?.sequence) polled.push(record);
          return polled.at(-1)?.status ?? 'PENDING';
        },
        // A key may ask ten times a second.
        { intervals: [200], timeout: 60_000 },
      )
      .not.toMatch(/PENDING|PROCESSING/);
  }

  /** Resumes after the last received event whenever the stream breaks. */
  async #listen(saleId: string, { stream }: Seen, over: AbortSignal): Promise<void> {
    let lastEventId: string | undefined;
    const parser = createParser({
      onEvent({ id, data }) {
        lastEventId = id ?? lastEventId;
        const record = terminalSaleRecord.parse(JSON.parse(data));
        if (record.sequence > (stream.at(-1)?.sequence ?? 0)) stream.push(record);
      },
    });
    const isOver = () => over.aborted || !/PENDING|PROCESSING/.test(stream.at(-1)?.status ?? 'PENDING');
    while (!isOver()) {
      try {
        const answer = await request(`${this.#url}/kiosk/v1/sales/${saleId}/events`, {
          headers: {
            'x-api-key': this.#kioskKey,
            ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
          },
          signal: over,
        });
        for await (const chunk of answer.body) parser.feed(String(chunk));
      } catch (error) {
        if (!over.aborted && !(error instanceof Error)) throw error;
      }
      parser.reset();
      if (!isOver()) await new Promise(resolve => setTimeout(resolve, 100));
    }
  }
}
