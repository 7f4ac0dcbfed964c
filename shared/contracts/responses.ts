import type { z } from 'zod';

/** A response of an operation: its kind decides how the server sends it and what a handler returns. */
export type ResponseKind =
  | JsonResponse
  | EventStreamResponse
  | PageResponse
  | RedirectResponse
  | FileResponse
  | AssetResponse;

export type JsonResponse<Schema extends z.ZodType = z.ZodType> = {
  readonly kind: 'json';
  readonly schema: Schema;
  /** For the API description: differences from the schema's example. */
  readonly example?: Readonly<Record<string, unknown>>;
};
/** Server-sent events: the payload of each event by name. */
export type EventStreamResponse<Events extends EventSchemas = EventSchemas> = {
  readonly kind: 'eventStream';
  readonly events: Events;
};
/** An HTML document. */
export type PageResponse = { readonly kind: 'page' };
export type RedirectResponse = { readonly kind: 'redirect' };
export type FileResponse = { readonly kind: 'file'; readonly mediaType: string };
/** An asset of a page, under a name that changes with its content: browsers and caches keep it permanently. */
export type AssetResponse = { readonly kind: 'asset'; readonly mediaType: string };

export type EventSchemas = Readonly<Record<string, z.ZodType>>;

/** `example` replaces values of the schema's example in the API description. */
export function json<Schema extends z.ZodType>(
  schema: Schema,
  example?: Partial<z.output<Schema>> & Readonly<Record<string, unknown>>,
): JsonResponse<Schema> {
  return example ? { kind: 'json', schema, example } : { kind: 'json', schema };
}

/** Server-sent events: the data of each is JSON of the schema under its name. */
export function eventStream<const Events extends EventSchemas>(events: Events): EventStreamResponse<Events> {
  return { kind: 'eventStream', events };
}

/** An HTML document; the handler also gives its content security policy. */
export function page(): PageResponse {
  return { kind: 'page' };
}

/** The handler gives the address. */
export function redirect(): RedirectResponse {
  return { kind: 'redirect' };
}

/** A download; the handler gives its content and its file name. */
export function file(mediaType: string): FileResponse {
  return { kind: 'file', mediaType };
}

/** Sent to be cached permanently, so its URL must change with its content. */
export function asset(mediaType: string): AssetResponse {
  return { kind: 'asset', mediaType };
}
