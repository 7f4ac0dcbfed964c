import type { Clock, Random, Timers } from '@florin/shared/ports.ts';
import { systemClock, systemRandom, systemTimers } from '../../../foundation/platform/system.ts';
import { listener } from '../http.ts';
import { network } from './bolt11.ts';
import { selfSignedCertificate } from './certificate.ts';
import { chainBook } from './chain.ts';
import { type Control, controlHandler, foreignInvoiceSchema } from './control.ts';
import { esploraServer } from './esplora.ts';
import { faultQueue } from './faults.ts';
import { invoiceBook } from './invoices.ts';
import { type Macaroons, macaroonsOf } from './macaroons.ts';
import { paymentBook } from './payments.ts';
import { restHandler } from './rest.ts';
import { kept, openStore } from './store.ts';

export type LightningNodeSandboxOptions = {
  /** SQLite file, or `:memory:`. */
  readonly file: string;
  /** Default 0: any free port. */
  readonly port?: number;
  readonly controlPort?: number;
  readonly clock?: Clock;
  readonly timers?: Timers;
  readonly random?: Random;
};

export type LightningNodeSandbox = {
  /** LND's REST interface, with its own certificate. */
  readonly url: string;
  /** PEM. */
  readonly certificate: string;
  readonly macaroons: Macaroons;
  readonly controlUrl: string;
  /** The control interface without HTTP, for programs that run the sandbox in process. */
  readonly control: Control;
  close(): Promise<void>;
};

/** Starts a Lightning node on 127.0.0.1 with its own ledger. Resolves once both ports accept connections. */
export async function startLightningNodeSandbox(options: LightningNodeSandboxOptions): Promise<LightningNodeSandbox> {
  const clock = options.clock ?? systemClock;
  const timers = options.timers ?? systemTimers;
  const random = options.random ?? systemRandom;
  const store = openStore(options.file);
  const key = (name: string) =>
    Buffer.from(
      kept(store, name, () => Buffer.from(random.bytes(32)).toString('hex')),
      'hex',
    );
  const tls = await certificateOf(store, clock);
  const ports = { store, clock, timers, random };
  const faults = faultQueue();
  const macaroons = macaroonsOf(store, random);
  const invoices = invoiceBook({ ...ports, privateKey: key('node key') });
  const payments = paymentBook({ ...ports, foreignKey: key('foreign key') });
  const chain = chainBook({ ...ports, seed: key('seed') });
  const rest = restHandler({ ...ports, faults, macaroons, invoices, payments, chain });
  const node = listener({
    port: options.port ?? 0,
    tls: { key: tls.privateKey, cert: tls.certificate },
    handle: rest.handle,
  });
  const control: Control = {
    invoices,
    chain,
    payments,
    esplora: esploraServer(chain),
    foreignInvoice: wanted => payments.foreignInvoice(foreignInvoiceSchema.parse(wanted)),
    addFault: next => faults.add(next),
    clearFaults: () => faults.clear(),
    faults: () => faults.list(),
    async refuseConnections(forMs) {
      await node.close();
      if (forMs !== undefined) timers.after(forMs, () => void node.open());
    },
    acceptConnections: () => node.open(),
    async dropConnections() {
      await node.close();
      await node.open();
    },
    requests: store.requests,
    credentials: () => ({ url: node.url(), network, macaroons, certificate: tls.certificate }),
    reset() {
      faults.clear();
      store.reset();
    },
  };
  const controlServer = listener({ port: options.controlPort ?? 0, handle: controlHandler(control) });
  await node.open();
  await controlServer.open();
  return {
    url: node.url(),
    certificate: tls.certificate,
    macaroons,
    controlUrl: controlServer.url(),
    control,
    async close() {
      await Promise.all([node.close(), controlServer.close()]);
      store.close();
    },
  };
}

async function certificateOf(store: ReturnType<typeof openStore>, clock: Clock) {
  const known = store.get('value', 'private key');
  if (known) return { privateKey: known.text, certificate: store.get('value', 'certificate')?.text ?? '' };
  const made = await selfSignedCertificate(clock.now());
  store.put('value', 'certificate', { text: made.certificate });
  store.put('value', 'private key', { text: made.privateKey });
  return made;
}
