import type { z } from 'zod';

/** A response of an operation: its kind decides how the server serves it and what a handler gives for it. */
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
  /** For the API description: where this response differs from the example of its schema. */
  readonly example?: Readonly<Record<string, unknown>>;
};
/** Server-sent events: the payload of each event, by its name. */
export type EventStreamResponse<Events extends EventSchemas = EventSchemas> = {
  readonly kind: 'eventStream';
  readonly events: Events;
};
/** An HTML document. */
export type PageResponse = { readonly kind: 'page' };
export type RedirectResponse = { readonly kind: 'redirect' };
export type FileResponse = { readonly kind: 'file'; readonly mediaType: string };
/** What a page loads, under a name that changes with its content: browsers and caches keep it for good. */
export type AssetResponse = { readonly kind: 'asset'; readonly mediaType: string };

export type EventSchemas = Readonly<Record<string, z.ZodType>>;

export function json<Schema extends z.ZodType>(
  schema: Schema,
  example?: Partial<z.output<Schema>> & Readonly<Record<string, unknown>>,
): JsonResponse<Schema> {
  return example ? { kind: 'json', schema, example } : { kind: 'json', schema };
}

export function eventStream<const Events extends EventSchemas>(events: Events): EventStreamResponse<Events> {
  return { kind: 'eventStream', events };
}

export function page(): PageResponse {
  return { kind: 'page' };
}

export function redirect(): RedirectResponse {
  return { kind: 'redirect' };
}

export function file(mediaType: string): FileResponse {
  return { kind: 'file', mediaType };
}

export function asset(mediaType: string): AssetResponse {
  return { kind: 'asset', mediaType };
}
