import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import fc from 'fast-check';
import { z } from 'zod';

/** The parts of JSON Schema that contracts are converted to. */
export type JsonSchema = {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly example?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly minLength?: number;
};

export type Part = 'params' | 'query' | 'body';

/** The schema of one part of an operation's input; undefined if it takes no input there. */
export function inputSchema(contract: AnyContract, part: Part): JsonSchema | undefined {
  const schema = contract[part];
  if (schema.def.type === 'undefined') return undefined;
  return remembered(
    schemas,
    schema,
    () => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema,
  );
}

const schemas = new WeakMap<object, JsonSchema>();
const bodies = new WeakMap<object, unknown[]>();

function remembered<Value>(known: WeakMap<object, Value>, key: object, make: () => Value): Value {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

/** Bodies that the contract accepts: with the required fields only, with all fields, and with each alternative. */
export function validBodies(contract: AnyContract): readonly unknown[] {
  return remembered(bodies, contract, () => makeValidBodies(contract));
}

function makeValidBodies(contract: AnyContract): unknown[] {
  const schema = inputSchema(contract, 'body');
  if (!schema) return [undefined];
  if (schema.type !== 'object') return [sample(schema)];
  const { properties = {} } = schema;
  const chosen = Object.entries(properties).find(([, property]) => property.enum !== undefined);
  const choices = chosen?.[1].enum ?? [undefined];
  const optional = Object.keys(properties).filter(name => !schema.required?.includes(name));
  const candidates = choices.flatMap(choice =>
    [[], ...optional.map(name => [name]), optional].map(names => {
      const body = sample(schema, names) as Record<string, unknown>;
      return chosen && choice !== undefined ? { ...body, [chosen[0]]: choice } : body;
    }),
  );
  const valid = candidates.filter(body => contract.body.safeParse(body).success);
  return [...new Map(valid.map(body => [JSON.stringify(body), body])).values()];
}

/** A value of this schema: its example if it has one, otherwise the smallest valid value. */
export function sample(schema: JsonSchema, withOptional: readonly string[] = []): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return sample(first);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => schema.required?.includes(name) || withOptional.includes(name))
          .map(([name, property]) => [name, sample(property)]),
      );
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'string':
    case undefined:
      return text(schema);
    default:
      throw new Error(`there is no sample of ${schema.type}`);
  }
}

function text({ pattern, minLength = 0, allOf = [] }: JsonSchema): string {
  const patterns = [pattern, ...allOf.map(part => part.pattern)].filter(each => each !== undefined);
  const plain = 'Something'.padEnd(minLength, 'x');
  if (patterns.every(each => new RegExp(each, 'u').test(plain))) return plain;
  const [made = plain] = fc.sample(fc.stringMatching(new RegExp(patterns[0] ?? '')), { numRuns: 1, seed: 7 });
  return made;
}

/** A wrong value for one field. `source` is its JSON text, if no JavaScript value is written like that. */
export type Wrong = {
  readonly what: string;
  readonly path: readonly string[];
  readonly value?: unknown;
  readonly source?: string;
  /** Whether the contract must refuse it; otherwise the service may accept it, but must not fail. */
  readonly isRefused: boolean;
};

/** For each field of a schema: left out, of every other type, and with hostile texts and numbers. */
export function wrongFields(schema: JsonSchema, path: readonly string[] = []): Wrong[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const at = [...path, name];
    const inner = wrongFields(property, at);
    const kinds = kindsOf(property);
    const missing: Wrong[] = schema.required?.includes(name)
      ? [{ what: 'missing', path: at, value: undefined, isRefused: true }]
      : [];
    const others = Object.entries(oneOfEach)
      .filter(([kind]) => !kinds.has(kind) && kinds.size > 0)
      .map(([kind, value]) => ({ what: `${kind}`, path: at, value, isRefused: true }));
    const texts = kinds.has('string') ? hostileTexts : [];
    const numbers = kinds.has('integer') || kinds.has('number') ? hostileNumbers : [];
    return [
      ...missing,
      ...others,
      ...texts.map(({ what, value, isRefused = true }) => ({ what, path: at, value, isRefused })),
      ...numbers.map(source => ({
        what: source,
        path: at,
        source,
        isRefused: source !== '-1' || !((property.minimum ?? 0) < 0),
      })),
      ...inner,
    ];
  });
}

function kindsOf(schema: JsonSchema): ReadonlySet<string> {
  const parts = schema.anyOf ?? schema.oneOf;
  if (parts) return new Set(parts.flatMap(part => [...kindsOf(part)]));
  if (schema.type === undefined) return new Set();
  return new Set(schema.type === 'integer' ? ['integer', 'number'] : [schema.type]);
}

const oneOfEach: Readonly<Record<string, unknown>> = {
  string: 'text',
  number: 12,
  boolean: true,
  null: null,
  array: [1],
  object: { a: 1 },
};
const hostileTexts: readonly { what: string; value: string; isRefused?: boolean }[] = [
  { what: 'U+0000', value: 'a\u0000b' },
  { what: 'a control character', value: 'a\u001b[31mb' },
  { what: 'an unpaired surrogate', value: 'a\ud800b' },
  { what: 'too long', value: 'x'.repeat(50_000) },
  { what: 'SQL', value: "'; DROP TABLE payments; --", isRefused: false },
];
const hostileNumbers = ['10.0', '1e1', '9.9999999999999999999', '1e400', '-1', '1.5', '99999999999999999999'];
