import type { Cancel, Timers } from '@florin/shared/ports.ts';
import { type ClientMessage, serverMessage, terminalSocketPath, wrongTokenCloseCode } from '../ipc/socket.ts';
import type { ActionResult, TerminalBridge } from '../ipc/user-action.ts';

declare global {
  interface Window {
    /** Provided by the Electron preload; absent in a browser. */
    florin?: TerminalBridge;
  }
}

/** `refused`: the page's token is not this terminal's, so reconnecting cannot help. */
export type LinkState = 'connecting' | 'connected' | 'refused';

/** The bridge, and whether it is connected to a core. */
export interface TerminalLink {
  readonly bridge: TerminalBridge;
  /** Calls back with the state at once and at every change; returns a function that unsubscribes. */
  onState(listener: (state: LinkState) => void): () => void;
}

/** The Electron bridge if there is one; otherwise the browser host's socket (device/ipc/README.md). */
export function connectTerminal(options: { window: Window; timers: Timers }): TerminalLink {
  const hostBridge = options.window.florin;
  if (hostBridge !== undefined) {
    return {
      bridge: hostBridge,
      onState(listener) {
        listener('connected');
        return () => {};
      },
    };
  }
  const { location } = options.window;
  const address = new URL(terminalSocketPath, location.href);
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  address.hash = '';
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  return new SocketLink({ address: address.href, token, timers: options.timers });
}

const firstRetryMs = 250;
const maxRetryMs = 4000;

class SocketLink implements TerminalLink {
  readonly #address: string;
  readonly #token: string;
  readonly #timers: Timers;
  readonly #viewListeners = new Set<(view: unknown) => void>();
  readonly #stateListeners = new Set<(state: LinkState) => void>();
  readonly #waiting = new Map<number, (answer: ActionResult) => void>();
  #state: LinkState = 'connecting';
  #lastView: { readonly view: unknown } | undefined;
  #socket: WebSocket | undefined;
  #nextId = 1;
  #retryMs = firstRetryMs;
  #cancelRetry: Cancel = () => {};

  constructor(options: { address: string; token: string; timers: Timers }) {
    this.#address = options.address;
    this.#token = options.token;
    this.#timers = options.timers;
    if (this.#token === '') this.#state = 'refused';
    else this.#connect();
  }

  readonly bridge: TerminalBridge = {
    onView: listener => {
      this.#viewListeners.add(listener);
      if (this.#lastView !== undefined) listener(this.#lastView.view);
      return () => this.#viewListeners.delete(listener);
    },
    send: action => {
      const socket = this.#socket;
      // Never queued: a sale that starts after a reconnection without a new tap would be unexpected.
      if (socket === undefined || this.#state !== 'connected') return Promise.resolve({ kind: 'not_now' });
      const id = this.#nextId++;
      return new Promise(resolve => {
        this.#waiting.set(id, resolve);
        this.#send(socket, { type: 'action', id, action });
      });
    },
  };

  onState(listener: (state: LinkState) => void): () => void {
    this.#stateListeners.add(listener);
    listener(this.#state);
    return () => this.#stateListeners.delete(listener);
  }

  #connect(): void {
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    this.#nextId = 1;
    socket.addEventListener('open', () => this.#send(socket, { type: 'hello', token: this.#token }));
    socket.addEventListener('message', event => this.#receive(socket, event.data));
    socket.addEventListener('close', event => this.#handleClose(event.code));
  }

  #send(socket: WebSocket, message: ClientMessage): void {
    socket.send(JSON.stringify(message));
  }

  #receive(socket: WebSocket, data: unknown): void {
    const message = serverMessage.safeParse(parseJson(data));
    if (!message.success) {
      // A host with another protocol version is disconnected; the next attempt detects an update.
      socket.close();
      return;
    }
    if (message.data.type === 'answer') {
      this.#waiting.get(message.data.id)?.(message.data.answer);
      this.#waiting.delete(message.data.id);
      return;
    }
    this.#retryMs = firstRetryMs;
    this.#lastView = { view: message.data.view };
    // The connection is established with the first View, which proves that the host accepted the token.
    this.#setState('connected');
    for (const listener of this.#viewListeners) listener(message.data.view);
  }

  #handleClose(code: number): void {
    this.#socket = undefined;
    for (const answer of this.#waiting.values()) answer({ kind: 'not_now' });
    this.#waiting.clear();
    if (code === wrongTokenCloseCode) {
      this.#setState('refused');
      return;
    }
    this.#setState('connecting');
    this.#cancelRetry();
    this.#cancelRetry = this.#timers.after(this.#retryMs, () => this.#connect());
    this.#retryMs = Math.min(this.#retryMs * 2, maxRetryMs);
  }

  #setState(state: LinkState): void {
    if (this.#state === state) return;
    this.#state = state;
    for (const listener of this.#stateListeners) listener(state);
  }
}

function parseJson(data: unknown): unknown {
  if (typeof data !== 'string') return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
