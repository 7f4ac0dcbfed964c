import { createServer, type ServerResponse } from 'node:http';
import { listenAndAnnounce } from './processes.ts';

/**
 * The ceiling of live streams: node:http holds the responses open, with the product's headers, first event and socket timeout.
 * The body of a POST is written to all of them and ends them.
 */
const { headers, opening, socketTimeoutMs } = JSON.parse(process.env.STREAMS ?? '') as {
  headers: string[];
  opening: string;
  socketTimeoutMs: number;
};
const streams = new Set<ServerResponse>();

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    streams.add(response);
    response.once('close', () => streams.delete(response));
    response.writeHead(200, headers);
    response.write(opening);
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    for (const stream of streams) stream.end(text);
    streams.clear();
    response.end();
  });
});
server.timeout = socketTimeoutMs;
listenAndAnnounce(server);
