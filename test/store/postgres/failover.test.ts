import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createServicePostgres, runWorkflow, type RunResult, ServiceError } from "../../../src/index.js";
import { jsx } from "../../../jsx-runtime/jsx-runtime.js";
import { startCutter } from "../../support/postgres/cut-connection.js";
import { query } from "../../support/postgres/database.js";
import { PostgresServer } from "../../support/postgres/server.js";

const TASKS = 12;
const FAILS_AT = 5;
/** SQLSTATE of a write that a standby was sent. */
const TAKES_NO_WRITES = "25006";

it("a run goes on at the standby that is promoted when its server dies, and nothing is lost or done twice", async () => {
  const primary = await PostgresServer.start(["synchronous_standby_names=*"]);
  onTestFinished(() => primary.remove());
  const standby = await primary.startStandby();
  onTestFinished(() => standby.remove());
  const address = await startCutter(primary.url());
  onTestFinished(() => address.close());

  const { Workflow, Task, outputs, service, close } = await createServicePostgres(
    { step: z.object({ n: z.number(), ran: z.number() }) },
    { connectionString: address.url },
  );
  onTestFinished(() => close());
  const executions: number[] = [];
  const acknowledged = new Set<string>();
  const ids = Array.from({ length: TASKS }, (_, n) => `s${n}`);
  const workflow = service(() =>
    jsx(Workflow, {
      name: "failing-over",
      children: ids.map((id, n) =>
        jsx(
          Task,
          {
            id,
            output: outputs.step,
            children: () => {
              expect(acknowledged, "a finished task runs again").not.toContain(id);
              executions[n] = (executions[n] ?? 0) + 1;
              return { n, ran: executions[n] };
            },
          },
          id,
        ),
      ),
    }),
  );

  /** The address moves first: whoever writes is told that a standby takes nothing, and the standby is promoted only then. */
  let moved: Promise<void> | undefined;
  async function moveToStandby(): Promise<void> {
    await primary.stop("immediate");
    const refused = address.heard(TAKES_NO_WRITES);
    address.leadTo(standby.url());
    await refused;
    await query(standby.url(), "SELECT pg_promote()");
  }

  const runId = "run-1";
  const onProgress = (event: { type: string; nodeId?: string }) => {
    if (event.type !== "NodeFinished") return;
    acknowledged.add(event.nodeId as string);
    if (acknowledged.size === FAILS_AT) moved = moveToStandby();
  };
  async function drive(
    options: { input: Record<string, unknown> } | { resume: true },
  ): Promise<RunResult | undefined> {
    try {
      return await runWorkflow(workflow, { runId, onProgress, ...options });
    } catch (error) {
      if (ServiceError.is(error, "DB_CONNECTION_LOST")) return undefined;
      throw error;
    }
  }
  let result = await drive({ input: {} });
  // Where a commit was under way, its outcome was not known: the run has stopped, and is resumed.
  let tries = 0;
  for (; result?.status !== "finished" && tries < 3; tries += 1) {
    result = await drive({ resume: true });
  }
  expect(result?.status).toBe("finished");
  await moved;
  // A commit that the standby has and whose answer was lost is told to nobody: at most the task of each stop.
  expect(acknowledged.size).toBeGreaterThanOrEqual(ids.length - tries);
  const finished = `SELECT count(*)::int FROM _service_events WHERE type = 'NodeFinished'`;
  expect((await query(address.url, finished))[0]).toEqual([ids.length]);
  const rows = await query(standby.url(), "SELECT node_id, n FROM step ORDER BY n");
  expect(rows).toEqual(ids.map((id, n) => [id, n]));
  expect((await query(address.url, "SELECT count(*)::int FROM _service_runs"))[0]).toEqual([1]);
});
