import type { ClientBase, Query } from "pg";
import type { SentStatement, TransactionEnd } from "./driver.js";

/** The messages of the extended protocol, as connections of the package `pg` have them. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  close(message: { type: "S"; name: string }): void;
  parse(message: { name?: string | undefined; text: string }): void;
  bind(message: { statement?: string | undefined; values: readonly (string | null)[] }): void;
  execute(message: object): void;
  sync(): void;
}

/** A statement, and the name under which the connection may keep it prepared. */
export interface NamedStatement extends SentStatement {
  readonly name: string | undefined;
}

/** Names of the statements that a connection has prepared for its transactions. */
const prepared = new WeakMap<ClientBase, Set<string>>();

/**
 * Statements up to one Sync are one transaction to the server: it commits at the Sync, or undoes all of them at the
 * first that fails and passes over the rest. So no statement begins or ends it, and all answers come in one piece.
 * Rows of an answer are dropped without having been described.
 *
 * @param query of the package's own class, since a connection that sends ahead takes no other; it becomes the transaction
 */
export function sendTransaction(
  client: ClientBase,
  query: Query,
  statements: readonly NamedStatement[],
): Promise<TransactionEnd> {
  const known = prepared.get(client) ?? new Set();
  prepared.set(client, known);
  let done = 0;
  const submit = (wire: Wire) => {
    wire.stream.cork();
    for (const statement of statements) sendStatement(wire, known, statement);
    wire.sync();
    wire.stream.uncork();
    return null;
  };
  return new Promise((resolve) => {
    const transaction = Object.assign(query, {
      submit,
      handleRowDescription() {},
      handleDataRow() {},
      handleEmptyQuery() {},
      handleCommandComplete() {
        done += 1;
      },
      handleReadyForQuery: () => resolve({ done }),
      handleError(error: unknown) {
        // Whether these were prepared is not known.
        for (const { name } of statements.slice(done)) if (name !== undefined) known.delete(name);
        resolve({ done, error });
      },
    });
    client.query(transaction);
  });
}

function sendStatement(wire: Wire, known: Set<string>, { name, text, values }: NamedStatement): void {
  if (name === undefined || !known.has(name)) {
    if (name !== undefined) {
      // To close one that there is not is no error.
      wire.close({ type: "S", name });
      known.add(name);
    }
    wire.parse({ name, text });
  }
  wire.bind({ statement: name, values: values.map(asText) });
  wire.execute({});
}

function asText(value: string | number | null): string | null {
  return typeof value === "number" ? String(value) : value;
}
