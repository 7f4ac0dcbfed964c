/** The parts of an OpenAPI description that existing callers depend on. */
export type Description = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly responses?: Operation['responses'];
  };
};
type Operation = {
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-permissions'?: readonly unknown[];
};
type Response = { readonly $ref?: string; readonly content?: Readonly<Record<string, { schema: Schema }>> };
type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  /** An empty schema: it may have other fields. */
  readonly additionalProperties?: boolean | Readonly<Record<string, unknown>>;
  readonly anyOf?: readonly Schema[];
};

/** Whether a schema describes what callers send or what they read. */
type Direction = 'sent' | 'read';

/** Returns one line for each change that breaks callers written for `before`. Additions are not breaking. */
export function breakingChanges(before: Description, after: Description): string[] {
  return Object.entries(before.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, old]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      return now ? operationChanges(name, [before, old], [after, now]) : [`${name} is gone`];
    }),
  );
}

type In<Part> = readonly [description: Description, part: Part];

function operationChanges(name: string, [before, old]: In<Operation>, [after, now]: In<Operation>): string[] {
  const compare = (where: string, a: Schema | undefined, b: Schema | undefined, direction: Direction) =>
    a && b ? schemaChanges(`${name} ${where}`, [before, a], [after, b], direction, new Set()) : [];
  const permissions = (old['x-permissions'] ?? []).map(alternatives);
  // One more permission that serves as well asks for nothing more.
  const asked = (now['x-permissions'] ?? []).filter(
    each => !permissions.some(before => before.every(permission => alternatives(each).includes(permission))),
  );
  const parameters = now.parameters ?? [];
  return [
    ...asked.map(each => `${name} needs the permission ${JSON.stringify(each)}`),
    ...(old.parameters ?? []).flatMap(parameter => {
      const same = parameters.find(other => other.name === parameter.name && other.in === parameter.in);
      if (!same) return [`${name} no longer takes ${parameter.name}`];
      return compare(parameter.name, parameter.schema, same.schema, 'sent');
    }),
    ...parameters
      .filter(({ required, name: parameter }) => required && !old.parameters?.some(other => other.name === parameter))
      .map(parameter => `${name} needs ${parameter.name}`),
    ...compare('body', jsonOf(old.requestBody), jsonOf(now.requestBody), 'sent'),
    ...Object.entries(old.responses).flatMap(([status, response]) => {
      if (!(status in now.responses)) return status < '400' ? [`${name} no longer answers ${status}`] : [];
      const [one, other] = [inline(before, response), inline(after, now.responses[status])];
      return compare(status, jsonOf(one), jsonOf(other), 'read');
    }),
  ];
}

const inline = ({ components }: Description, response: Response | undefined) =>
  components?.responses?.[response?.$ref?.split('/').at(-1) ?? ''] ?? response;

const jsonOf = (part: { content?: Readonly<Record<string, { schema: Schema }>> } | undefined) =>
  part?.content?.['application/json']?.schema;

function schemaChanges(
  where: string,
  [before, a]: In<Schema>,
  [after, b]: In<Schema>,
  direction: Direction,
  seen: Set<string>,
): string[] {
  const key = `${a.$ref} ${b.$ref}`;
  if (a.$ref !== undefined && b.$ref !== undefined) {
    if (seen.has(key)) return [];
    seen.add(key);
  }
  const [old, now] = [resolved(before, a), resolved(after, b)];
  const go = (at: string, one: Schema, other: Schema) =>
    schemaChanges(`${where}${at}`, [before, one], [after, other], direction, seen);
  const types = [typesOf(before, old), typesOf(after, now)] as const;
  const isNarrower = (wide: ReadonlySet<string>, narrow: ReadonlySet<string>) =>
    [...wide].some(type => !narrow.has(type));
  const found: string[] = [];
  // All values that could be sent must still be accepted, and no new ones may be returned.
  if (direction === 'sent' ? isNarrower(...types) : isNarrower(types[1], types[0]))
    found.push(`${where} was ${[...types[0]].join('|')}, is ${[...types[1]].join('|')}`);
  const gone = (old.enum ?? []).filter(value => now.enum && !now.enum.includes(value));
  if (gone.length > 0) found.push(`${where} no longer has ${gone.join(', ')}`);
  const required = (schema: Schema, name: string) => schema.required?.includes(name) ?? false;
  for (const [name, property] of Object.entries(old.properties ?? {})) {
    const same = now.properties?.[name];
    const mayStillCome = direction === 'read' && !required(old, name) && isOpen(now);
    if (!same && !mayStillCome) found.push(`${where}.${name} is gone`);
    if (same) found.push(...go(`.${name}`, property, same));
    if (same && direction === 'read' && required(old, name) && !required(now, name))
      found.push(`${where}.${name} may be missing`);
  }
  if (direction === 'sent')
    for (const name of now.required ?? []) if (!required(old, name)) found.push(`${where}.${name} is required`);
  if (old.items && now.items) found.push(...go('[]', old.items, now.items));
  return found;
}

function resolved({ components }: Description, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  const found = name === undefined ? schema : (components?.schemas?.[name] ?? schema);
  // Of a record or null, the record's fields are compared.
  const [record] = (found.anyOf ?? []).filter(({ type }) => type !== 'null');
  return record && found.anyOf?.length === 2
    ? resolved({ paths: {}, ...(components && { components }) }, record)
    : found;
}

function typesOf(description: Description, schema: Schema): ReadonlySet<string> {
  if (schema.anyOf)
    return new Set(schema.anyOf.flatMap(each => [...typesOf(description, resolved(description, each))]));
  return Number.isInteger(schema.const) ? new Set(['integer']) : new Set([schema.type ?? []].flat());
}

/** As an error is that has reasons of its own: its other fields are not listed, and come as before. */
function isOpen({ additionalProperties }: Schema): boolean {
  return typeof additionalProperties === 'object' && Object.keys(additionalProperties).length === 0;
}

function alternatives(rule: unknown): readonly unknown[] {
  return typeof rule === 'object' && rule !== null && 'anyOf' in rule ? (rule.anyOf as unknown[]) : [rule];
}
