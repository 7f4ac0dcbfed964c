/** A POST to an address given by a merchant. */
export type PostRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
};

export type PostResult =
  | { readonly kind: 'response'; readonly status: number; readonly excerpt: string }
  /** Nothing was sent: the address is not permitted. */
  | { readonly kind: 'address_refused'; readonly reason: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'connection_failed'; readonly reason: string };

/** The only way to reach addresses given by merchants. See README.md for what it refuses. */
export interface Outbound {
  /** Why requests to this URL would be refused, if known now; resolves its name. */
  problemWith(url: string): Promise<string | undefined>;
  /** Redirects are not followed, and only the beginning of the response is read. */
  post(request: PostRequest): Promise<PostResult>;
  /** Stops: aborts requests in progress and refuses later ones. */
  abort(): void;
  close(): Promise<void>;
}

/** For a service without outbound access. */
export const noOutbound: Outbound = {
  problemWith: async () => undefined,
  post: async () => ({ kind: 'connection_failed', reason: 'outbound requests are disabled' }),
  abort() {},
  close: async () => {},
};
