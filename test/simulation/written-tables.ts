import type SqliteConnection from 'better-sqlite3';

const writes = /\b(?:insert into|update|delete from) "(\w+)"/i;

/** The tables written since the last call, so that only those are read again. */
export class WrittenTables {
  #since = new Set<string>();
  readonly #ever = new Set<string>();

  /** Watches all statements prepared from now on. */
  constructor(connection: SqliteConnection.Database) {
    const { prepare } = connection;
    connection.prepare = ((text: string) => {
      const statement = prepare.call(connection, text);
      const [, table] = writes.exec(text) ?? [];
      if (table !== undefined) this.#watch(statement, table);
      return statement;
    }) as typeof prepare;
  }

  /** Since the last call. */
  take(): ReadonlySet<string> {
    if (this.#since.size === 0) return this.#since;
    const taken = this.#since;
    this.#since = new Set();
    return taken;
  }

  /** Since the last call, independent of `take`. */
  takeAll(): string[] {
    const taken = [...this.#ever];
    this.#ever.clear();
    return taken;
  }

  #watch(statement: SqliteConnection.Statement, table: string): void {
    const { run, all } = statement;
    const changed = () => {
      this.#since.add(table);
      this.#ever.add(table);
    };
    statement.run = (...values) => {
      const result = run.apply(statement, values);
      if (result.changes > 0) changed();
      return result;
    };
    statement.all = (...values) => {
      const rows = all.apply(statement, values);
      if (rows.length > 0) changed();
      return rows;
    };
    const { get } = statement;
    statement.get = (...values) => {
      const row = get.apply(statement, values);
      if (row !== undefined) changed();
      return row;
    };
  }
}
