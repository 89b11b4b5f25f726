import type { Client, ClientBase } from "pg";
import { ServiceError } from "../../errors/service-error.js";

/** Settings of every session of a pool. */
interface SessionSettings {
  /** How long a statement waits for what others lock, milliseconds, where the server or the user has set no time. */
  waitMs: number;
  readOnly: boolean;
  /** Another connection, which does not come from the pool. */
  connect: () => Client;
}

const OWN_ID = "SELECT pg_backend_pid() AS id";
/** Looks at each of two connections. A pooler gives the one that asks the session that was used last. */
const LOOKS = 3;

/**
 * Makes a new connection ready for use.
 * @returns what the server calls its session
 * @throws STORAGE_ERROR where a pooler shares sessions between connections
 */
export async function beginSession(client: ClientBase, settings: SessionSettings): Promise<number> {
  const { waitMs, readOnly, connect } = settings;
  const id = await sessionOf(client);
  // A pooler makes up the id that it gives at the start.
  const { processID } = client as ClientBase & { processID: number | null };
  if (id !== processID && (await isShared(client, connect))) throw sharedSession();
  await client.query(
    `SELECT set_config('lock_timeout', $1, false) WHERE current_setting('lock_timeout') = '0'`,
    [String(Math.ceil(waitMs))],
  );
  if (readOnly) await client.query("SET default_transaction_read_only TO on");
  return id;
}

/** Whether two connections that are open have one session, or one connection has had several. */
async function isShared(client: ClientBase, connect: () => Client): Promise<boolean> {
  const other = connect();
  other.on("error", () => {});
  try {
    await other.connect();
    const ofClient = new Set<number>();
    const ofOther = new Set<number>();
    for (let look = 0; look < LOOKS; look += 1) {
      ofClient.add(await sessionOf(client));
      ofOther.add(await sessionOf(other));
    }
    return ofClient.size > 1 || ofOther.size > 1 || [...ofClient].some((id) => ofOther.has(id));
  } finally {
    await other.end().catch(() => {});
  }
}

async function sessionOf(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ id: number }>(OWN_ID);
  return (rows[0] as { id: number }).id;
}

function sharedSession(): ServiceError {
  return new ServiceError(
    "STORAGE_ERROR",
    "The database cannot be used: a pooler such as PgBouncer in transaction or statement mode is in between, which lends one session to several connections. Connect to the server itself, or to a pool in session mode.",
    { retryable: false },
  );
}
