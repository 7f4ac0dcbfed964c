import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createCardRefund } from '@florin/shared/contracts/api-v1/refunds.ts';
import SqliteConnection from 'better-sqlite3';
import { listenAndAnnounce } from './processes.ts';
import { commitAsInProduction, handWritten, rowsOfOneRefund } from './same-rows.ts';
import { benchBusinessId } from './shop.ts';

/**
 * A refund over HTTP as hand-written code: node:http, the key looked up by its hash, the body held against its schema, and the
 * rows of the product with the stored response of the key, in two transactions.
 */
const db = new SqliteConnection(join(process.env.DATA ?? '', 'backend.db'));
commitAsInProduction(db);
const payments = Number(process.env.PAYMENTS);
const byHash = db.prepare('SELECT * FROM apiKeys WHERE keyHash = ? AND revokedAt IS NULL');
const beginKey = db.prepare(
  'INSERT INTO idempotencyRecords (businessId, key, requestHash, runId, leaseUntil, createdAt) VALUES (?, ?, ?, ?, ?, ?)',
);
const storeResponse = db.prepare(
  'UPDATE idempotencyRecords SET responseStatus = 201, responseBody = ? WHERE businessId = ? AND key = ?',
);
const write = handWritten(db);
let index = 0;

function refund(idempotencyKey: string, request: string): string {
  const rows = rowsOfOneRefund(index, payments);
  index += 1;
  const now = Date.now();
  write.inTransaction(() => {
    beginKey.run(benchBusinessId, idempotencyKey, hash('sha256', request), `req_${index}`, now + 10_000, now);
    write.reserve(rows, `idem_${hash('sha256', idempotencyKey).slice(0, 40)}`);
  });
  return write.inTransaction(() => {
    const response = JSON.stringify(write.record(rows));
    storeResponse.run(response, benchBusinessId, idempotencyKey);
    return response;
  });
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString('utf8');
    const { authorization = '', 'idempotency-key': idempotencyKey } = request.headers;
    const isKnown = byHash.get(hash('sha256', authorization.slice('Bearer '.length))) !== undefined;
    const isAccepted = isKnown && createCardRefund.body.safeParse(JSON.parse(text)).success;
    const body = isAccepted ? refund(String(idempotencyKey), text) : '{}';
    response.writeHead(isAccepted ? 201 : 400, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});
listenAndAnnounce(server);
