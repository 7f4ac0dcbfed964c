import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { followCommands, reportTerminalStatus } from '@florin/shared/contracts/device-v1/commands.ts';
import { pingTerminal, syncTerminal } from '@florin/shared/contracts/device-v1/sync.ts';
import type { Reading } from './bar.ts';
import { summarise } from './measure.ts';
import type { ServerProcess } from './processes.ts';
import type { EnrolledTerminal } from './sales.ts';

type Call = { readonly method: string; readonly path: string; readonly body?: string };

const ping: Call = { method: pingTerminal.method, path: pingTerminal.path };
const sync: Call = {
  method: syncTerminal.method,
  path: syncTerminal.path,
  body: JSON.stringify({ configurationVersion: null, entries: [], lastSequence: 0 }),
};
const status: Call = {
  method: reportTerminalStatus.method,
  path: reportTerminalStatus.path,
  body: JSON.stringify({
    appVersion: '1.0.0',
    activity: null,
    reader: { connection: 'ready', batteryPercent: 80, attention: null },
  }),
};

/** All of these terminals return at one moment, as after a restart of the service: a ping, a sync and the stream of each. */
export async function returnAtOnce(url: string, terminals: readonly EnrolledTerminal[]): Promise<Reading> {
  const beganAt = performance.now();
  const returned = await Promise.all(
    terminals.map(async ({ token }) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      await call(url, token, ping, agent);
      await call(url, token, sync, agent);
      const end = await openStream(url, token);
      return { servedMs: performance.now() - beganAt, agent, end };
    }),
  );
  for (const { agent, end } of returned) {
    agent.destroy();
    end();
  }
  const { p50Ms } = summarise(
    returned.map(({ servedMs }) => servedMs),
    1,
  );
  const lastMs = Math.max(...returned.map(({ servedMs }) => servedMs));
  return figure(
    `  ${terminals.length} terminals return at one moment, the last`,
    `${lastMs.toFixed(0)} ms`,
    `p50 ${p50Ms.toFixed(0)} ms`,
  );
}

/** The processor time of what a terminal asks for again and again, and of one sale with what follows in the background. */
export async function processorTimes(
  server: ServerProcess,
  { token }: EnrolledTerminal,
  options: { readonly times: number; readonly sell: (index: number) => Promise<void> },
): Promise<Reading[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const calls = { ping, sync, 'report of its status': status };
  const readings: Reading[] = [];
  for (const [name, made] of Object.entries(calls))
    readings.push(await processorTime(server, `a ${name}`, options.times, () => call(server.url, token, made, agent)));
  readings.push(await processorTime(server, 'a sale, two requests', options.times, options.sell));
  agent.destroy();
  return readings;
}

async function processorTime(
  server: ServerProcess,
  what: string,
  times: number,
  act: (index: number) => Promise<void>,
): Promise<Reading> {
  let next = 0;
  const several = async (until: number) => {
    while (next < until) {
      next += 1;
      await act(next);
    }
  };
  const together = (until: number) => Promise.all(Array.from({ length: 4 }, () => several(until)));
  const warmUp = Math.ceil(times / 5);
  await together(warmUp);
  const before = await server.cpuUs();
  await together(warmUp + times);
  const eachMs = ((await server.cpuUs()) - before) / times / 1_000;
  return figure(`  processor time of ${what}`, `${eachMs.toFixed(2)} ms`, '–');
}

function figure(bar: string, measured: string, ceiling: string): Reading {
  return { bar, goal: undefined, ratio: 1, measured, ceiling };
}

const headersOf = (token: string) => ({ authorization: `Bearer ${token}` });

/** A request of the terminal over its own connection. Any answer but 200 ends the bench. */
async function call(url: string, token: string, { method, path, body }: Call, agent: Agent): Promise<void> {
  const headers = { ...headersOf(token), ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const sent = request(`${url}${path}`, { method, headers, agent } satisfies RequestOptions);
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`${path} was answered ${response.statusCode}`);
}

async function openStream(url: string, token: string): Promise<() => void> {
  const headers = { accept: 'text/event-stream', ...headersOf(token) };
  const stream = get(`${url}${followCommands.path}`, { agent: false, headers });
  const [response] = (await once(stream, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`a stream was answered ${response.statusCode}`);
  response.resume();
  response.on('error', () => undefined);
  return () => stream.destroy();
}
