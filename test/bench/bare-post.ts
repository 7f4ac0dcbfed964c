import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import SqliteConnection from 'better-sqlite3';
import { postBody } from './post-contract.ts';
import { listenAndAnnounce } from './processes.ts';

/** The ceiling of the HTTP layer: node:http with the key looked up by its hash and the body held against its schema. */
const db = new SqliteConnection(join(process.env.DATA ?? '', 'backend.db'), { readonly: true });
const byHash = db.prepare('SELECT * FROM apiKeys WHERE keyHash = ? AND revokedAt IS NULL');

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const key = (request.headers.authorization ?? '').slice('Bearer '.length);
    const parsed = postBody.safeParse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    const isAccepted = byHash.get(hash('sha256', key)) !== undefined && parsed.success;
    const body = JSON.stringify({ accepted: isAccepted, amountInCents: parsed.data?.amountInCents });
    response.writeHead(isAccepted ? 200 : 400, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});
listenAndAnnounce(server);
