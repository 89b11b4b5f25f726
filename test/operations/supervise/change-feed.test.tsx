import { expect, it } from "vitest";
import { z } from "zod";
import { runWorkflow, signalRun } from "../../../src/index.js";
import { superviseStore } from "../../../src/operations/supervise/supervise-store.js";
import { openScene } from "../../support/engine/scene.js";
import { openStore } from "../../store/support/database.js";

const rows = { go: z.object({ n: z.number() }) };

/** Supervises a run that waits, with passes by time alone that would never come, and gives what it has been taken up for. */
async function pickedUp(wait: "timer" | "signal", answer: (scene: Scene) => unknown) {
  const scene = openScene(rows);
  const { Workflow, Signal, Timer, outputs, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="a">
      {wait === "timer" ? <Timer id="go" duration="300ms" /> : <Signal id="go" schema={outputs.go} />}
    </Workflow>
  ));
  await runWorkflow(workflow, { runId: "run", input: {} });
  const stop = new AbortController();
  const reasons: string[] = [];
  let passes = 0;
  const nextWake = scene.store.nextWake.bind(scene.store);
  scene.store.nextWake = () => {
    passes += 1;
    // The second pass is that of the feed's first look, which takes any database for changed.
    if (passes === 2) setImmediate(() => answer({ ...scene, workflow }));
    return nextWake();
  };
  await superviseStore(scene.store, {
    signal: stop.signal,
    intervalMs: 3_600_000,
    maxConcurrent: 1,
    workflowFor: async () => workflow,
    onPickUp: ({ reason }) => reasons.push(reason),
    onEnd: () => stop.abort(),
  });
  return { reasons, status: (await scene.store.getRun("run"))?.status };
}

type Scene = ReturnType<typeof openScene<typeof rows>> & { workflow: Parameters<typeof runWorkflow>[0] };

const SIGNAL = {
  runId: "run",
  intent: { kind: "signal", name: "go", data: { n: 1 } },
  createdAtMs: 1,
} as const;

it("a run is taken up for what another handle of its database writes, without a pass by time", async () => {
  const found = await pickedUp("signal", ({ store }) =>
    openStore(store.path as string, {}).submitIntent(SIGNAL),
  );
  expect(found).toEqual({ reasons: ["answered"], status: "finished" });
});

it("a run is taken up for what the supervisor's own handle writes, which its change token does not show", async () => {
  const found = await pickedUp("signal", ({ workflow }) =>
    signalRun(workflow, { runId: "run", signal: "go", data: { n: 1 } }),
  );
  expect(found).toEqual({ reasons: ["answered"], status: "finished" });
});

it("a run is taken up when its time has come, however rare the passes are", async () => {
  const found = await pickedUp("timer", () => {});
  expect(found).toEqual({ reasons: ["due"], status: "finished" });
});
