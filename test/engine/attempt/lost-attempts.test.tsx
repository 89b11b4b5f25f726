import { expect, it } from "vitest";
import { z } from "zod";
import type { TaskDispatcher } from "../../../src/engine/ports.js";
import { runWith } from "../../../src/operations/drive/run-with.js";
import { openScene } from "../../support/engine/scene.js";

const schemas = { row: z.object({ n: z.number() }) };

/** A run whose attempts are lost as often as `times` says, and executed here after that. */
async function driveLosing(times: number, options: { isSuspect: boolean; maxInterruptions?: number }) {
  const scene = openScene(schemas);
  const { Workflow, Task, outputs, service } = scene.api;
  const { dispatcher: here } = scene.services;
  const losing: TaskDispatcher = {
    dispatch(job, link, run) {
      if (job.attempt > times) return here.dispatch(job, link, run);
      const { isSuspect } = options;
      link.report({ type: "completed", outcome: { kind: "lost", reason: "gone", isSuspect, record: {} } });
      return { abort() {}, handOver() {} };
    },
    score: (job) => here.score(job),
  };
  const workflow = service(() => (
    <Workflow name="lost">
      <Task id="work" output={outputs.row} retries={0}>
        {() => ({ n: 1 })}
      </Task>
    </Workflow>
  ));
  await scene.store.prepare();
  const services = { ...scene.services, dispatcher: losing };
  const { maxInterruptions } = options;
  const run = { runId: "run", input: {}, ...(maxInterruptions !== undefined && { maxInterruptions }) };
  const result = await scene.time.until(runWith(services, workflow, run));
  return { result, attempts: await scene.attempts("work"), node: await scene.node("work") };
}

it("an attempt that is lost does not count, and its task starts again", async () => {
  const { result, attempts, node } = await driveLosing(2, { isSuspect: true });
  expect(result.status).toBe("finished");
  expect(attempts.map(({ state }) => state)).toEqual(["interrupted", "interrupted", "finished"]);
  expect(node).toMatchObject({ failures: 0, interruptions: 0 });
});

it("a task that takes one process after the other along fails in the end", async () => {
  const { result, attempts } = await driveLosing(9, { isSuspect: true, maxInterruptions: 3 });
  expect(result).toMatchObject({ status: "failed", error: { code: "TASK_INTERRUPTED_TOO_OFTEN" } });
  expect(attempts).toHaveLength(3);
});

it("a task that was given back is not suspected of anything", async () => {
  const { result, attempts } = await driveLosing(5, { isSuspect: false, maxInterruptions: 3 });
  expect(result.status).toBe("finished");
  expect(attempts).toHaveLength(6);
});
