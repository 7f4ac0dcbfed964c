import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AnyContract, jsonSchemaOf, pathParameters } from '@florin/shared/contracts/contract.ts';
import { openBitcoinSale, withdrawBitcoinSale } from '@florin/shared/contracts/device-v1/bitcoin.ts';
import { reportTerminalStatus } from '@florin/shared/contracts/device-v1/commands.ts';
import { getDayTotals } from '@florin/shared/contracts/device-v1/day-totals.ts';
import { sendDiagnostics } from '@florin/shared/contracts/device-v1/diagnostics.ts';
import { enrolTerminal, getTerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import { recordReaderClosing } from '@florin/shared/contracts/device-v1/reader-closings.ts';
import {
  changeStaffPassword,
  createStaffChallenge,
  createTerminalRefund,
  getTerminalRefund,
  withdrawTerminalRefund,
} from '@florin/shared/contracts/device-v1/refunds.ts';
import {
  authoriseSale,
  completeSale,
  getSale,
  listSales,
  reverseSale,
} from '@florin/shared/contracts/device-v1/sales.ts';
import { pingTerminal, syncTerminal } from '@florin/shared/contracts/device-v1/sync.ts';

const contracts: readonly AnyContract[] = [
  enrolTerminal,
  getTerminalConfiguration,
  authoriseSale,
  openBitcoinSale,
  withdrawBitcoinSale,
  getSale,
  reverseSale,
  completeSale,
  recordReaderClosing,
  listSales,
  getDayTotals,
  createStaffChallenge,
  changeStaffPassword,
  createTerminalRefund,
  getTerminalRefund,
  withdrawTerminalRefund,
  pingTerminal,
  reportTerminalStatus,
  sendDiagnostics,
  syncTerminal,
];

export type Fault = 'lose_request' | 'lose_reply' | 'fail' | 'proxy_page' | 'too_many';
export type Answer = { status: number; body: unknown };
export type Params = { saleId?: string; staffId?: string; requestId?: string; closingId?: string };
export type Call = { params: Params; query: URLSearchParams; body: unknown };

export class Refusal extends Error {
  readonly status: number;
  readonly metadata: Record<string, unknown> | undefined;
  constructor(status: number, message: string, metadata?: Record<string, unknown>) {
    super(message);
    this.status = status;
    this.metadata = metadata;
  }
}

/** Serves the device contracts over real HTTP and checks each answer against its contract; tests choose the messages to lose. */
export abstract class ScriptedServer {
  readonly requests: string[] = [];
  readonly received: string[] = [];
  readonly #faults = new Map<string, Fault[]>();
  readonly #holding = new Set<string>();
  readonly #held = new Set<string>();
  #server: Server | undefined;
  #port = 0;

  protected abstract isEnrolled(authorization: string | undefined): boolean;
  protected abstract handle(operation: string, call: Call): Answer;

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    this.#server = createServer((request, response) => void this.#serve(request, response));
    await new Promise<void>(resolve => this.#server?.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Refuses connections until it is started again. */
  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise<void>(resolve => (this.#server ? this.#server.close(() => resolve()) : resolve()));
    this.#server = undefined;
  }

  /** Applies the faults to the next calls of this operation, one each. */
  fault(operation: string, ...faults: Fault[]): void {
    this.#faults.set(operation, [...(this.#faults.get(operation) ?? []), ...faults]);
  }

  /** Holds back all further answers to this operation, like a slow service. */
  holdReplies(operation: string): void {
    this.#holding.add(operation);
  }

  isHolding(operation: string): boolean {
    return this.#held.has(operation);
  }

  /** The bodies of all requests for this operation, oldest first. */
  bodiesOf(operation: string): unknown[] {
    return this.received.filter((_, at) => this.requests[at] === operation).map(parse);
  }

  clearFaults(): void {
    this.#faults.clear();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const url = new URL(request.url ?? '/', this.url);
    const found = match(request.method ?? 'GET', url.pathname);
    if (!found) return reply(response, 404, problemOf(404, 'There is nothing at this address'));
    const { contract, params } = found;
    this.requests.push(contract.name);
    this.received.push(text);
    const fault = this.#faults.get(contract.name)?.shift();
    if (fault === 'lose_request') return void request.socket.destroy();
    if (fault === 'fail') return reply(response, 500, problemOf(500, 'Something went wrong'));
    if (fault === 'too_many') {
      reply(response, 429, problemOf(429, 'Too many requests; wait a little', { retryAfterSeconds: 5 }));
      return;
    }
    if (fault === 'proxy_page') {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
      return;
    }
    const answer = await this.#answer(contract, request, { params, query: url.searchParams, body: parse(text) });
    if (fault === 'lose_reply') return void request.socket.destroy();
    if (this.#holding.has(contract.name)) return void this.#held.add(contract.name);
    reply(response, answer.status, answer.body);
  }

  async #answer(contract: AnyContract, request: IncomingMessage, call: Call): Promise<Answer> {
    try {
      if (contract.authentication.includes('deviceToken') && !this.isEnrolled(request.headers.authorization))
        throw new Refusal(401, 'The token is not valid');
      const body = contract.body.safeParse(call.body);
      if (!body.success) throw new Refusal(400, body.error.issues[0]?.message ?? 'invalid');
      const answer = this.handle(contract.name, { ...call, body: body.data });
      const shape = jsonSchemaOf(contract, answer.status);
      return { status: answer.status, body: shape?.parse(answer.body) };
    } catch (error) {
      if (error instanceof Refusal)
        return { status: error.status, body: problemOf(error.status, error.message, error.metadata) };
      return { status: 500, body: problemOf(500, String(error)) };
    }
  }
}

function match(method: string, path: string): { contract: AnyContract; params: Params } | undefined {
  for (const contract of contracts) {
    if (contract.method !== method) continue;
    const names = pathParameters(contract.path);
    const found = new RegExp(`^${contract.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(path);
    if (!found) continue;
    return {
      contract,
      params: Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')])),
    };
  }
  return undefined;
}

function parse(text: string): unknown {
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

function problemOf(code: number, message: string, metadata?: Record<string, unknown>) {
  return { error: { code, message, ...(metadata ? { metadata } : {}) } };
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
