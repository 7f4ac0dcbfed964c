import type { DocumentNode } from './examples.ts';

type Response = DocumentNode['paths'][string][string]['responses'][string];

/** What a response of each status is called where several operations have it. */
const names: Readonly<Record<string, string>> = {
  304: 'NotModified',
  400: 'InvalidRequest',
  401: 'NotAuthenticated',
  403: 'NotPermitted',
  404: 'NotFound',
  409: 'Conflict',
  413: 'BodyTooLarge',
  415: 'UnsupportedBody',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
};

/**
 * The description with each response that several operations have, to the letter, once under `components/responses`. The
 * most frequent one of a status has its plain name, the others have a number.
 */
export function withSharedResponses(document: DocumentNode): DocumentNode {
  const uses = new Map<string, { readonly status: string; readonly response: Response; count: number }>();
  for (const [status, response] of Object.values(document.paths).flatMap(operationsOf).flatMap(responsesOf)) {
    const text = JSON.stringify(response);
    const use = uses.get(text) ?? { status, response, count: 0 };
    use.count += 1;
    uses.set(text, use);
  }
  const responses: Record<string, Response> = {};
  const references = new Map<string, Response>();
  for (const [text, { status, response, count }] of [...uses].toSorted(([, a], [, b]) => b.count - a.count)) {
    const base = names[status];
    if (base === undefined || count === 1) continue;
    const number = Object.keys(responses).filter(name => name.replace(/\d+$/, '') === base).length + 1;
    const name = number === 1 ? base : `${base}${number}`;
    responses[name] = response;
    references.set(text, { $ref: `#/components/responses/${name}` });
  }
  const paths = mapped(document.paths, operations =>
    mapped(operations, operation => ({
      ...operation,
      responses: mapped(operation.responses, response => references.get(JSON.stringify(response)) ?? response),
    })),
  );
  return { ...document, paths, components: { ...document.components, responses } };
}

const operationsOf = (path: DocumentNode['paths'][string]) => Object.values(path);
const responsesOf = ({ responses }: DocumentNode['paths'][string][string]) => Object.entries(responses);

function mapped<Value>(of: Readonly<Record<string, Value>>, change: (value: Value) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value)]));
}
