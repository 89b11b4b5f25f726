import { join } from "node:path";
import { createService, runWorkflow, ServiceDb } from "treadle";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { listInbox } from "../../../src/operations/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const schemas = {
  row: z.object({ n: z.number() }),
  decision: z.object({ approved: z.boolean() }),
  output: z.object({ n: z.number() }),
};

/** Waits in every way there is, beside a loop that continues as a new run. */
function open() {
  const api = createService(schemas, { dbPath: join(temporaryFolder(), "service.db") });
  const { store } = new ServiceDb(api.db);
  onTestFinished(async () => store.close());
  const { Workflow, Loop, Parallel, Approval, Signal, Subflow, Task, Timer, outputs, service } = api;
  const child = service(() => (
    <Workflow name="child">
      <Signal id="answer" schema={outputs.output} />
    </Workflow>
  ));
  const workflow = service(() => (
    <Workflow name="waiting">
      <Parallel>
        <Approval id="ask" output={outputs.decision} request={{ title: "On?" }} />
        <Task id="gate" needsApproval output={outputs.row}>
          {{ n: 1 }}
        </Task>
        <Signal id="news" schema={outputs.row} />
        <Timer id="pause" duration="1h" />
        <Subflow id="child" workflow={child} output={outputs.row} />
        <Loop id="rounds" maxIterations={2} continueAsNewEvery={1}>
          <Task id="round" output={outputs.row}>
            {{ n: 1 }}
          </Task>
        </Loop>
      </Parallel>
    </Workflow>
  ));
  const waiting = async (runId: string) =>
    (await store.listNodes(runId))
      .filter(({ state, waitingSinceMs, dueAtMs, wait }) => {
        return state.startsWith("waiting-") || waitingSinceMs !== null || dueAtMs !== null || wait !== null;
      })
      .map(({ nodeId, state }) => `${nodeId} ${state}`)
      .sort();
  const run = async () => (await runWorkflow(workflow, { runId: "run", input: {} })).runId;
  const cancelled = async () =>
    (await store.listEvents("run", { limit: 1_000 }))
      .map(({ event }) => event)
      .filter(({ type }) => type === "NodeCancelled" || type === "TimerCancelled");
  return { workflow, store, run, waiting, cancelled };
}

const ALL = [
  "ask waiting-approval",
  "child waiting-event",
  "gate waiting-approval",
  "news waiting-event",
  "pause waiting-timer",
];

it("nothing of a run that has continued as a new run waits any more; the new run does", async () => {
  const { run, store, workflow, waiting } = open();
  const runId = await run();
  expect(runId).not.toBe("run");
  expect(await waiting("run")).toEqual([]);
  expect(await waiting(runId)).toEqual(ALL);
  expect((await store.listApprovals({ runId: "run", limit: 9 })).map(({ status }) => status)).toEqual([
    "withdrawn",
    "withdrawn",
  ]);
  const inbox = await listInbox([workflow]);
  expect(new Set(inbox.items.map((item) => item.runId))).not.toContain("run");
});

it("its log says where they wait instead, and that no timer was cancelled", async () => {
  const { run, cancelled } = open();
  const reason = `the run continues as ${await run()}`;
  const left = (await cancelled()).map((event) => ({ ...event, runId: "", timestampMs: 0 }));
  expect(new Set(left.map((event) => ("nodeId" in event ? event.nodeId : "")))).toEqual(
    new Set(["ask", "child", "gate", "news", "pause"]),
  );
  for (const event of left) expect(event).toMatchObject({ type: "NodeCancelled", reason });
});
