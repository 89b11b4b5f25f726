import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Workspace } from "../cli/support/treadle.js";
import { createPostgresDatabase, type PostgresDatabase } from "../support/postgres/database.js";

let database: PostgresDatabase;
beforeAll(async () => {
  database = await createPostgresDatabase();
});
afterAll(() => database.remove());

const QUEUED = `import { createService } from "treadle";
import { appendFileSync } from "node:fs";
import { z } from "zod";
const { Workflow, Task, service, outputs } = createService({ output: z.object({ pid: z.number() }) });
export default service(() => (
  <Workflow name="queued">
    <Task id="far" output={outputs.output}>
      {() => {
        appendFileSync("begun.txt", process.pid + "\\n");
        return { pid: process.pid };
      }}
    </Task>
  </Workflow>
));
`;

it("a task waits for a worker of its queue, `why` says for which, and `treadle worker` executes it", async () => {
  const workspace = new Workspace({ "w.tsx": QUEUED });
  const db = ["--db", database.url];
  const driver = workspace.start(["up", "w.tsx", "--queue", "large", "--run-id", "q", "--json", ...db]);
  const why = async () => {
    const { document } = await workspace.json<{ blockers?: object[] }>(["why", "q", ...db]);
    return document.blockers;
  };
  await expect
    .poll(why)
    .toMatchObject([
      { kind: "worker", nodeId: "far", queue: "large", summary: expect.stringContaining("--queues large") },
    ]);

  // It serves the queue with other code, so it leaves the task alone.
  workspace.write("other/w.tsx", QUEUED.replace("process.pid }", "process.pid + 0 }"));
  const flags = ["--queues", "large", "--name", "stranger", "--no-drive"];
  const other = workspace.start(["worker", "other/w.tsx", ...flags, ...db]);
  await other.seen("Executing tasks");
  // It says so once others know of it.
  expect(await why()).toMatchObject([
    { kind: "worker", summary: expect.stringContaining("stranger serve it, but have other code") },
  ]);

  const worker = workspace.start(["worker", "w.tsx", "--queues", "large,small", "--json", ...db]);
  const { code, stdout } = await driver.done;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ status: "finished", output: { pid: worker.process.pid } });
  expect(readFileSync(workspace.path("begun.txt"), "utf8")).toBe(`${worker.process.pid}\n`);

  const { document } = await workspace.json(["workers", ...db]);
  expect(document).toMatchObject({
    workers: [
      { name: "stranger", queues: ["large"], isDriving: false, isSilent: false },
      {
        name: hostname(),
        queues: ["large", "small"],
        concurrency: 4,
        isDriving: true,
        workflows: [{ name: "w.tsx" }],
      },
    ].sort((a, b) => (a.name < b.name ? -1 : 1)),
  });
  worker.process.kill("SIGTERM");
  expect((await worker.done).code).toBe(143);
});

it("a worker of a database that is a file says what it needs", async () => {
  const workspace = new Workspace({ "w.tsx": QUEUED });
  const { code, document } = await workspace.json(["worker", "w.tsx"]);
  expect(code).toBe(4);
  expect(document).toMatchObject({
    error: { code: "INVALID_INPUT", summary: expect.stringContaining("Postgres server") },
  });
  const words = await workspace.json(["worker", "w.tsx", "--queues", "two words"]);
  expect(words).toMatchObject({ code: 4, document: { error: { code: "CLI_USAGE" } } });
  const here = await workspace.json(["up", "w.tsx", "--queue", "large"]);
  expect(here.document).toMatchObject({ status: "finished" });
});
