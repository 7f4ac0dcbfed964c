import pg from 'pg';

/** A statement with its arguments as they go over the wire. */
export type Command = {
  readonly text: string;
  /** Under which it is prepared, once per connection. */
  readonly name: string;
  readonly values: (string | null)[];
};

export type Answer = {
  readonly rows: unknown[];
  /** How many rows it read or changed. */
  readonly count: number;
  /** What was done, in the server's words: of a COMMIT that could not be, `ROLLBACK`. */
  readonly command: string;
};

/** A command and who waits for its answer. */
export type Step = {
  readonly command: Command;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

export type Failure = { readonly error: unknown };
type Outcome = Answer | Failure;
type Parser = (text: string) => unknown;
type Column = { readonly name: string; readonly parse: Parser };
/** What a connection knows of a statement; `isParsed` once the server was heard to have run it. */
type Prepared = { isParsed: boolean; columns: readonly Column[] };

/**
 * Commands sent in one packet and answered in one: the server runs them in order and skips whatever follows one that
 * fails, a COMMIT too. How a command's rows look is asked at its first use on a connection, not every time.
 */
export class Batch implements pg.Submittable {
  readonly #steps: readonly Step[];
  readonly #done: (failure: Failure | undefined) => void;
  readonly #outcomes: Outcome[] = [];
  #prepared = new Map<string, Prepared>();
  #rows: unknown[] = [];
  #unreadable: Failure | undefined;

  /** `done` is told of the first failure, before any step is. */
  constructor(steps: readonly Step[], done: (failure: Failure | undefined) => void) {
    this.#steps = steps;
    this.#done = done;
  }

  submit(connection: pg.Connection): void {
    this.#prepared = preparedOn(connection);
    const parsedHere = new Set<string>();
    connection.stream.cork();
    for (const { command } of this.#steps) this.#send(connection, command, parsedHere);
    connection.sync();
    connection.stream.uncork();
  }

  #send(connection: pg.Connection, { text, name, values }: Command, parsedHere: Set<string>): void {
    const known = this.#prepared.get(name);
    const isReady = known?.isParsed || parsedHere.has(name);
    if (!isReady) {
      // Of a batch that failed nobody says whether this was parsed before: to close what is not there is no error.
      if (known) connection.close({ type: 'S', name }, true);
      connection.parse({ name, text, types: [] }, true);
      this.#prepared.set(name, { isParsed: false, columns: [] });
      parsedHere.add(name);
    }
    connection.bind({ statement: name, values }, true);
    if (!isReady) connection.describe({ type: 'P' }, true);
    connection.execute({}, true);
  }

  get #current(): Prepared | undefined {
    const step = this.#steps[this.#outcomes.length];
    return step && this.#prepared.get(step.command.name);
  }

  // From here on what pg calls, message by message.

  handleRowDescription({ fields }: { readonly fields: readonly { name: string; dataTypeID: number }[] }): void {
    const current = this.#current;
    if (current) current.columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    const columns = this.#current?.columns ?? [];
    try {
      for (let index = 0; index < columns.length; index += 1) {
        const { name, parse } = columns[index] as Column;
        const text = fields[index] ?? null;
        row[name] = text === null ? null : parse(text);
      }
      this.#rows.push(row);
    } catch (error) {
      this.#unreadable ??= { error };
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const current = this.#current;
    if (current) current.isParsed = true;
    const count = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0;
    this.#outcomes.push(this.#unreadable ?? { rows: this.#rows, count, command: text });
    this.#rows = [];
    this.#unreadable = undefined;
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleReadyForQuery(): void {
    this.#settle(this.#outcomes.find(isFailure));
  }

  /** One command failed and the rest was skipped, or the connection did. */
  handleError(error: unknown): void {
    this.#settle({ error });
  }

  #settle(failure: Failure | undefined): void {
    this.#done(failure);
    for (const [index, step] of this.#steps.entries()) {
      const outcome = this.#outcomes[index] ?? failure ?? neverAnswered;
      if (isFailure(outcome)) step.reject(outcome.error);
      else step.resolve(outcome);
    }
  }
}

function isFailure(outcome: Outcome): outcome is Failure {
  return 'error' in outcome;
}
const neverAnswered: Failure = { error: new Error('the database did not answer a statement') };

const preparedByConnection = new WeakMap<pg.Connection, Map<string, Prepared>>();

function preparedOn(connection: pg.Connection): Map<string, Prepared> {
  let prepared = preparedByConnection.get(connection);
  if (!prepared) {
    prepared = new Map();
    preparedByConnection.set(connection, prepared);
  }
  return prepared;
}

/** An argument in the text the server reads. */
export function onTheWire(value: unknown): string | null {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  throw new Error(`a statement cannot take an argument of type ${typeof value}`);
}

const int8 = 20;
/** bigint as a number, refusing what a double cannot hold exactly; everything else as pg reads it. */
function parserOf(oid: number): Parser {
  if (oid !== int8) return pg.types.getTypeParser(oid, 'text');
  return text => {
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw new Error(`bigint out of range: ${text}`);
    return value;
  };
}
