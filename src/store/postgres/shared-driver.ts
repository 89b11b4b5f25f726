import type { Driver } from "./driver.js";
import type { ResolvedPostgresOptions } from "./options.js";

interface Shared {
  driver: Driver;
  users: number;
}

const drivers = new Map<string | symbol, Shared>();

/** The handles of one database in this process have one pool between them, which is closed with the last. */
export async function sharedPgDriver(options: ResolvedPostgresOptions): Promise<Driver> {
  const { PgDriver } = await import("./pg-driver.js");
  const key = keyOf(options);
  const shared = drivers.get(key) ?? { driver: new PgDriver(options), users: 0 };
  drivers.set(key, shared);
  shared.users += 1;
  const { driver } = shared;
  let isClosed = false;
  return {
    withSession: (body) => driver.withSession(body),
    listen: (channel, listener) => driver.listen(channel, listener),
    async close() {
      if (isClosed) return;
      isClosed = true;
      shared.users -= 1;
      if (shared.users > 0) return;
      drivers.delete(key);
      await driver.close();
    },
  };
}

/** Handles that connect alike; a password that is asked for is asked for by each of them. */
function keyOf({ client, poolSize, readOnly }: ResolvedPostgresOptions): string | symbol {
  if (typeof client.password === "function") return Symbol("a connection of its own");
  return JSON.stringify([client, poolSize, readOnly]);
}
