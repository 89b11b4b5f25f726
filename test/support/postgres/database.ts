import { randomBytes } from "node:crypto";
import pg from "pg";
import { PostgresServer } from "./server.js";

const SHARED = Symbol.for("treadle.tests.postgres");
const shared = globalThis as typeof globalThis & { [SHARED]?: Promise<PostgresServer> };

/** The server that the files of a worker share. */
async function serverUrl(): Promise<string> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined && given !== "") return given;
  shared[SHARED] ??= PostgresServer.start();
  return (await shared[SHARED]).url();
}

export interface PostgresDatabase {
  readonly url: string;
  remove(): Promise<unknown>;
}

/**
 * A database of its own, on the server of the tests or on the one that TEST_DATABASE_URL names: a schema, which takes
 * no time to make.
 */
export async function createPostgresDatabase(): Promise<PostgresDatabase> {
  const url = new URL(await serverUrl());
  const name = `treadle_${randomBytes(6).toString("hex")}`;
  await query(url.href, `CREATE SCHEMA ${name}`);
  const server = url.href;
  url.searchParams.set("options", `-c search_path=${name}`);
  return { url: url.href, remove: () => query(server, `DROP SCHEMA ${name} CASCADE`) };
}

/** The rows of a statement, on a connection of its own. */
export async function query(url: string, text: string): Promise<unknown[][]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text, rowMode: "array" })).rows;
  } finally {
    await client.end();
  }
}
