import { describe, expect, it } from "vitest";
import { z } from "zod";
import { findDueRuns } from "../../src/operations/supervise/due-runs.js";
import { openScene } from "../support/engine/scene.js";

const HOUR_MS = 3_600_000;

function waiting() {
  const scene = openScene({ go: z.object({ n: z.number() }) });
  const { Workflow, Parallel, Signal, outputs, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="waiting">
      <Parallel>
        <Signal id="go" schema={outputs.go} />
        <Signal id="later" schema={outputs.go} />
      </Parallel>
    </Workflow>
  ));
  return {
    ...scene,
    workflow,
    /** A signal whose sender's clock shows this. */
    signal: (name: string, createdAtMs: number) =>
      scene.store.submitIntent({
        runId: "run",
        intent: { kind: "signal", name, data: { n: 1 } },
        createdAtMs,
      }),
    due: async () => (await findDueRuns(scene.store, scene.time.now())).map(({ reason }) => reason),
  };
}

describe("what has arrived since a run was released", () => {
  it("is news whatever the sender's clock shows", async () => {
    for (const offMs of [-HOUR_MS, 0, HOUR_MS]) {
      const { run, workflow, signal, due, time } = waiting();
      await run(workflow);
      expect(await due()).toEqual([]);
      await signal("go", time.now() + offMs);
      expect(await due()).toEqual(["answered"]);
    }
  });

  it("is no news any more once an owner has taken note of it, though no node takes it", async () => {
    const { run, resume, workflow, signal, due, time } = waiting();
    await run(workflow);
    await signal("nobody-waits-for-this", time.now() + HOUR_MS);
    expect(await due()).toEqual(["answered"]);
    await resume(workflow);
    expect(await due()).toEqual([]);
  });

  it("is news also when the clock of the process that looks was set back", async () => {
    const { run, workflow, signal, due, time } = waiting();
    await run(workflow);
    await signal("go", time.now());
    time.moveTo(time.now() - HOUR_MS);
    expect(await due()).toEqual(["answered"]);
  });
});
