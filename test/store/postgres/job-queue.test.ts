import { afterAll, beforeAll, expect, it } from "vitest";
import { JobQueue } from "../../../src/store/postgres/fleet/job-queue.js";
import { resolvePostgresOptions } from "../../../src/store/postgres/options.js";
import { createPostgresDatabase, type PostgresDatabase, query } from "../../support/postgres/database.js";

let database: PostgresDatabase;

beforeAll(async () => {
  database = await createPostgresDatabase();
});

afterAll(() => database.remove());

it("workers and drivers that are the first of a database, at once, all find the schema of the jobs made", async () => {
  for (const round of [1, 2, 3]) {
    const schema = `${await schemaOfTests()}_${round}`;
    const queues = [1, 2, 3, 4].map(
      () => new JobQueue(resolvePostgresOptions({ connectionString: database.url }), async () => schema),
    );
    await Promise.all(queues.map((queue) => queue.prepare()));
    const jobs = await (queues[0] as JobQueue).schema();
    expect(await query(database.url, `SELECT count(*)::int FROM ${jobs}.jobs`)).toEqual([[0]]);
    await query(database.url, `DROP SCHEMA ${jobs} CASCADE`);
  }
});

async function schemaOfTests(): Promise<string> {
  const [[name]] = (await query(database.url, "SELECT current_schema()")) as [[string]];
  return name;
}
