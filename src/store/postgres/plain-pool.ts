import { createRequire } from "node:module";
import type { Pool } from "pg";
import { loadDriver } from "./load-driver.js";
import type { ResolvedPostgresOptions } from "./options.js";

const require = createRequire(import.meta.url);

interface PlainPoolOptions {
  max: number;
  /** Statement that each connection begins with. @default none */
  first?: string | undefined;
}

/** Connections for a package that speaks to the same database by itself. @throws DB_DRIVER_MISSING */
export function openPlainPool({ client }: ResolvedPostgresOptions, { max, first }: PlainPoolOptions): Pool {
  const pg = loadDriver("pg", () => require("pg") as typeof import("pg"));
  const pool = new pg.Pool({
    application_name: "treadle",
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...client,
    max,
    ...(first !== undefined && {
      onConnect: async (connected) => {
        await connected.query(first);
      },
    }),
  });
  // One that is lost is replaced with the next use; as an event without a listener, the loss would end the process.
  pool.on("error", () => {});
  pool.on("connect", (connected) => connected.on("error", () => {}));
  return pool;
}
