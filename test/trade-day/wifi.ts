import type { buildConnector } from 'undici';
import { refuse } from '../matrix/served.ts';

type Client = Parameters<buildConnector.Callback>[1] & object;

/** The wireless network between one terminal and the service. */
export class Wifi {
  readonly #beyond: buildConnector.connector;
  readonly #connections = new Set<Client>();
  #isUp = true;

  constructor(beyond: buildConnector.connector) {
    this.#beyond = beyond;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  get connectionCount(): number {
    return this.#connections.size;
  }

  readonly connect: buildConnector.connector = (options, callback) => {
    if (!this.#isUp) return refuse(callback);
    this.#beyond(options, (...[error, client]) => {
      if (client) {
        this.#connections.add(client);
        client.on('close', () => this.#connections.delete(client));
        callback(null, client);
      } else callback(error ?? new Error('no connection'), null);
    });
  };

  fail(): void {
    this.#isUp = false;
    for (const connection of this.#connections) connection.destroy();
  }

  recover(): void {
    this.#isUp = true;
  }
}
