import { describe, expect, it } from "vitest";
import { z } from "zod";
import { listRuns, runWorkflow } from "../../../src/index.js";
import { ServiceError } from "../../../src/errors/service-error.js";
import { superviseStore } from "../../../src/operations/supervise/supervise-store.js";
import type { SqliteStore } from "../../../src/store/sqlite/store.js";
import type { Store } from "../../../src/store/contract.js";
import { openScene } from "../../support/engine/scene.js";

function due() {
  const scene = openScene({ output: z.object({ n: z.number() }) });
  const { Workflow, Sequence, Timer, Task, outputs, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="due">
      <Sequence>
        <Timer id="rest" duration="1ms" />
        <Task id="one" output={outputs.output}>
          {{ n: 1 }}
        </Task>
      </Sequence>
    </Workflow>
  ));
  return { ...scene, workflow };
}

/** The store with some of its methods replaced. */
function alter(store: Store, methods: Partial<Store>): Store {
  return new Proxy(store, {
    get(target, name) {
      if (Object.hasOwn(methods, name)) return methods[name as keyof Store];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

describe("a supervisor", () => {
  it("tries a run less and less often also where the database does not take that it failed", async () => {
    const { workflow, store, time } = due();
    await runWorkflow(workflow, { runId: "run", input: {} });
    time.moveTo(time.now() + 60_000);
    const full = alter(store, {
      setResumeFailure() {
        throw new ServiceError("DB_WRITE_FAILED", "The disk is full.");
      },
    });
    const stop = new AbortController();
    const tries: number[] = [];
    const supervising = superviseStore(full, {
      maxConcurrent: 3,
      signal: stop.signal,
      intervalMs: 100,
      clock: time,
      workflowFor() {
        tries.push(time.now());
        throw new Error("It cannot be loaded.");
      },
    });
    await time.advance(16_000);
    stop.abort();
    await supervising;
    const waits = tries.slice(1).map((at, index) => at - (tries[index] as number));
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
  });

  it("continues with the others when the rows of one run cannot be read, and tells of it less and less often", async () => {
    const { workflow, store, time } = due();
    for (const runId of ["broken", "whole"]) await runWorkflow(workflow, { runId, input: {} });
    time.moveTo(time.now() + 60_000);
    const damaged = alter(store, {
      async pendingIntents(runId) {
        if (runId === "broken")
          throw new ServiceError("STORAGE_ERROR", "A row of _service_inbox is damaged.");
        return store.pendingIntents(runId);
      },
    });
    const stop = new AbortController();
    const ended: string[] = [];
    const told: (string | undefined)[] = [];
    const supervising = superviseStore(damaged, {
      maxConcurrent: 3,
      signal: stop.signal,
      intervalMs: 100,
      clock: time,
      workflowFor: async () => workflow,
      onEnd: ({ runId, status }) => ended.push(`${runId} ${status}`),
      onError: (run) => told.push(run?.runId),
    });
    await time.advance(2_500);
    stop.abort();
    await time.until(supervising);
    expect(ended).toEqual(["whole finished"]);
    expect(told).toEqual(["broken", "broken"]);
  });
});

it("continues with the others when a run's own row cannot be read, and tells of it less and less often", async () => {
  const { workflow, store, time } = due();
  for (const runId of ["broken", "whole"]) await runWorkflow(workflow, { runId, input: {} });
  time.moveTo(time.now() + 60_000);
  (store as SqliteStore).connection
    .use()
    .db.exec("UPDATE _service_runs SET frame_no = -1 WHERE run_id = 'broken'");
  const stop = new AbortController();
  const ended: string[] = [];
  const told: string[] = [];
  const supervising = superviseStore(store, {
    maxConcurrent: 3,
    signal: stop.signal,
    intervalMs: 100,
    clock: time,
    workflowFor: async () => workflow,
    onEnd: ({ runId, status }) => ended.push(`${runId} ${status}`),
    onError: (run, error) => told.push(`${run?.runId}: ${(error as ServiceError).summary}`),
  });
  await time.advance(2_500);
  stop.abort();
  await time.until(supervising);
  expect(ended).toEqual(["whole finished"]);
  const words = 'undefined: Row "broken" in table _service_runs: frame_no holds -1 instead of a count.';
  expect(told).toEqual([words, words]);
});

it("a run whose rows cannot be read is listed with the damage, beside the others", async () => {
  const { workflow, store } = due();
  for (const runId of ["broken", "whole"]) await runWorkflow(workflow, { runId, input: {} });
  const countNodes = store.countNodes.bind(store);
  store.countNodes = (runId) => {
    if (runId === "broken") throw new ServiceError("STORAGE_ERROR", "A row of _service_nodes is damaged.");
    return countNodes(runId);
  };
  const { runs } = await listRuns(workflow);
  expect(runs.map(({ runId, damage }) => [runId, damage?.code])).toEqual([
    ["whole", undefined],
    ["broken", "STORAGE_ERROR"],
  ]);
});
