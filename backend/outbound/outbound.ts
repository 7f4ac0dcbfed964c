/** One POST to an address that a merchant gave. */
export type PostRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  /** Ends it early, when the process stops. */
  readonly signal?: AbortSignal;
};

export type PostResult =
  | { readonly kind: 'response'; readonly status: number; readonly excerpt: string }
  /** Not one byte of the request was sent: the address is none that merchants may have us send to. */
  | { readonly kind: 'address_refused'; readonly reason: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'connection_failed'; readonly reason: string };

/** The one way to addresses that merchants give: webhooks, callbacks. See README.md for what it refuses. */
export interface Outbound {
  /** Why nothing would be sent to this URL, where that is known now; its name is resolved. */
  problemWith(url: string): Promise<string | undefined>;
  /** Redirects are not followed, and no more of the response is read than its beginning. */
  post(request: PostRequest): Promise<PostResult>;
  close(): Promise<void>;
}

/** For a service that has no way out. */
export const noOutbound: Outbound = {
  problemWith: async () => undefined,
  post: async () => ({ kind: 'connection_failed', reason: 'there is no way out' }),
  close: async () => {},
};
