import type pg from 'pg';
import type { Statement, Transaction } from './database.ts';
import { type Answer, Batch, type Command, type Failure, type Step } from './postgres-batch.ts';

export type CommandOf = <Args>(statement: Statement<Args, unknown>, args: Args) => Command;

const begin: Command = { name: 'florin_begin', text: 'BEGIN', values: [] };
const ownId: Command = { name: 'florin_id', text: 'SELECT pg_current_xact_id()::text AS id', values: [] };
const commit: Command = { name: 'florin_commit', text: 'COMMIT', values: [] };

/**
 * One transaction on one connection. What its body asks for at once (in a Promise.all) leaves in one packet, together with
 * what it sent before; BEGIN and the question for the transaction's id leave with the first packet, COMMIT with what was
 * sent last.
 */
export class PostgresTransaction implements Transaction {
  readonly #client: pg.PoolClient;
  readonly #commandOf: CommandOf;
  #waiting: Step[] = [];
  #underWay: Promise<void> | undefined;
  /** Whether the body awaits any of what is waiting. */
  #isWanted = false;
  #isOpen = true;
  #hasBegun = false;
  #failure: Failure | undefined;
  #id: string | undefined;

  constructor(client: pg.PoolClient, commandOf: CommandOf) {
    this.#client = client;
    this.#commandOf = commandOf;
  }

  /** What the database calls it: whether a lost COMMIT took place is asked by this. */
  get id(): string | undefined {
    return this.#id;
  }

  /** The first statement that failed: whatever the body made of that, nothing of it can be committed any more. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  all<Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<Row[]> {
    return this.#ask(statement, args, ({ rows }) => rows as Row[]);
  }

  first<Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<Row | undefined> {
    return this.#ask(statement, args, ({ rows }) => rows[0] as Row | undefined);
  }

  run<Args>(statement: Statement<Args, unknown>, args: Args): Promise<number> {
    return this.#ask(statement, args, ({ count }) => count);
  }

  send<Args>(statement: Statement<Args, unknown>, args: Args): void {
    this.#add(statement, args, { resolve: unheard, reject: unheard });
  }

  /** The body is over: waits for what it did not wait for. @throws the failure of any of its statements */
  async close(): Promise<void> {
    this.#isOpen = false;
    // Only what comes after the answer to BEGIN can share a packet with COMMIT: a COMMIT that gets lost is asked about by id.
    if (this.#isWanted || !this.#hasBegun) this.#flush();
    while (this.#underWay) await this.#underWay;
    if (this.#failure) throw this.#failure.error;
  }

  /** Sends COMMIT with what is still to be sent; resolves once that is durable. To be called when it is closed. */
  async commit(): Promise<void> {
    if (!this.#hasBegun) return;
    const answer = await new Promise<Answer>((resolve, reject) => {
      this.#waiting.push({ command: commit, resolve, reject });
      this.#flush();
    });
    if (answer.command !== commit.text) throw new Error(`the database answered COMMIT with ${answer.command}`);
  }

  /** Takes everything back. @throws where the connection is of no use any more */
  async rollback(): Promise<void> {
    this.#isOpen = false;
    this.#fail({ error: new Error('the transaction was rolled back') });
    while (this.#underWay) await this.#underWay;
    if (this.#hasBegun) await this.#client.query('ROLLBACK');
  }

  #ask<Args, Value>(statement: Statement<Args, unknown>, args: Args, read: (answer: Answer) => Value): Promise<Value> {
    const asked = new Promise<Value>((resolve, reject) => {
      this.#add(statement, args, { resolve: answer => resolve(read(answer)), reject });
      // After this turn's microtasks: what else is asked in them goes with it.
      if (!this.#isWanted) process.nextTick(() => this.#flush());
      this.#isWanted = true;
    });
    // One of several that were asked at once may fail after the body was left because of another.
    asked.catch(unheard);
    return asked;
  }

  #add<Args>(statement: Statement<Args, unknown>, args: Args, waits: Omit<Step, 'command'>): void {
    if (!this.#isOpen) throw new Error('a transaction was used after its body ended');
    if (this.#failure) throw this.#failure.error;
    this.#waiting.push({ command: this.#commandOf(statement, args), ...waits });
  }

  #flush(): void {
    if (this.#underWay || this.#waiting.length === 0) return;
    const steps = this.#waiting;
    this.#waiting = [];
    this.#isWanted = false;
    if (!this.#hasBegun) steps.unshift({ command: begin, resolve: unheard, reject: unheard }, this.#idStep());
    this.#hasBegun = true;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#underWay = promise;
    this.#client.query(
      new Batch(steps, failure => {
        this.#underWay = undefined;
        if (failure) this.#fail(failure);
        else if (this.#isWanted) this.#flush();
        resolve();
      }),
    );
  }

  #idStep(): Step {
    const take = ({ rows }: Answer) => {
      this.#id = (rows as { id: string }[])[0]?.id;
    };
    return { command: ownId, resolve: take, reject: unheard };
  }

  #fail(failure: Failure): void {
    this.#failure ??= failure;
    for (const step of this.#waiting) step.reject(failure.error);
    this.#waiting = [];
  }
}

function unheard(): void {}
