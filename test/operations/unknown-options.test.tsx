import { expect, it } from "vitest";
import { z } from "zod";
import * as treadle from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

/** Calls with an option that does not exist, in each object of options that they take. */
const CALLS: Readonly<Record<string, (workflow: treadle.ServiceWorkflow, wrong: never) => Promise<unknown>>> =
  {
    runWorkflow: (w, wrong) => treadle.runWorkflow(w, { input: {}, ...(wrong as object) }),
    cancelRun: (w, wrong) => treadle.cancelRun(w, { runId: "r", ...(wrong as object) }),
    approveNode: (w, wrong) => treadle.approveNode(w, { runId: "r", nodeId: "n", ...(wrong as object) }),
    "approveNode, options": (w, wrong) => treadle.approveNode(w, { runId: "r", nodeId: "n" }, wrong),
    "denyNode, options": (w, wrong) => treadle.denyNode(w, { runId: "r", nodeId: "n" }, wrong),
    signalRun: (w, wrong) => treadle.signalRun(w, { runId: "r", signal: "s", ...(wrong as object) }),
    "signalRun, options": (w, wrong) => treadle.signalRun(w, { runId: "r", signal: "s" }, wrong),
    listRuns: (w, wrong) => treadle.listRuns(w, wrong),
    listApprovals: (w, wrong) => treadle.listApprovals(w, wrong),
    listEvents: (w, wrong) => treadle.listEvents(w, "r", wrong),
    listFrames: (w, wrong) => treadle.listFrames(w, "r", wrong),
    followEvents: (w, wrong) => treadle.followEvents(w, { runId: "r", ...(wrong as object) }).next(),
    getNode: (w, wrong) => treadle.getNode(w, { runId: "r", nodeId: "n", ...(wrong as object) }),
    retryTask: (w, wrong) => treadle.retryTask(w, { runId: "r", nodeId: "n", ...(wrong as object) }),
    hijackRun: (w, wrong) => treadle.hijackRun(w, { runId: "r", ...(wrong as object) }),
    releaseHijack: (w, wrong) => treadle.releaseHijack(w, { runId: "r", ...(wrong as object) }),
    pruneRuns: (w, wrong) => treadle.pruneRuns(w, wrong),
    renderFrame: (w, wrong) => treadle.renderFrame(w, wrong),
    superviseRuns: (w, wrong) =>
      treadle.superviseRuns({ w }, { signal: AbortSignal.abort(), ...(wrong as object) }),
  };

function anyWorkflow(): treadle.ServiceWorkflow {
  const { Workflow, Task, outputs, service } = openScene({ output: z.object({ n: z.number() }) }).api;
  return service(() => (
    <Workflow name="any">
      <Task id="one" output={outputs.output}>
        {{ n: 1 }}
      </Task>
    </Workflow>
  )) as unknown as treadle.ServiceWorkflow;
}

it.each(Object.entries(CALLS))("%s refuses an option that it does not have", async (_name, call) => {
  await expect(call(anyWorkflow(), { notAnOption: 1 } as never)).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringContaining("notAnOption"),
  });
});

it.each([
  ["the signal of superviseRuns", { signal: true }],
  ["a callback of superviseRuns", { signal: AbortSignal.abort(), onEnd: "log" }],
])("%s has to be one", async (_what, options) => {
  await expect(treadle.superviseRuns({ w: anyWorkflow() }, options as never)).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
});

it.each([undefined, 3, ""])("%j is no id of a run", async (runId) => {
  await expect(treadle.getRun(anyWorkflow(), runId as never)).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
});

it.each([".", "..", "...", "a/b", "a b", "", "é", "a".repeat(257)])(
  "%j is no id for a new run: it could not be a segment of an address",
  async (runId) => {
    await expect(treadle.runWorkflow(anyWorkflow(), { runId, input: {} })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("runId"),
    });
  },
);

it.each(["cron:nightly:2026-01-01T00:00:00.000Z", "webhook:orders:x", `once-${"0f".repeat(16)}`])(
  "%s is no id for a new run: a gateway may want it for one that it starts by itself",
  async (runId) => {
    await expect(treadle.runWorkflow(anyWorkflow(), { runId, input: {} })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringMatching(/runId: .*schedules, webhooks and idempotency keys/),
    });
  },
);
