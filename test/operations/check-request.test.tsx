import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  approveNode,
  cancelRun,
  denyNode,
  explainRun,
  getNode,
  hijackRun,
  listApprovals,
  listEvents,
  listFrames,
  listRuns,
  pruneRuns,
  releaseHijack,
  renderFrame,
  retryTask,
  runWorkflow,
  signalRun,
} from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";
import { nextMillisecond } from "../support/next-millisecond.js";

const schemas = {
  decision: z.object({ approved: z.boolean() }),
  choice: z.object({ selected: z.string() }),
  output: z.object({ ok: z.boolean() }),
};

function waiting() {
  const { Workflow, Parallel, Approval, HumanTask, Signal, Branch, outputs, service } =
    openScene(schemas).api;
  const options = [{ key: "a", label: "A" }];
  return service((ctx) => (
    <Workflow name="waiting">
      <Branch
        if={ctx.runId === "run"}
        then={
          <Parallel>
            <Approval id="ask" output={outputs.decision} request={{ title: "Ship it?" }} />
            <Approval
              id="pick"
              mode="select"
              options={options}
              output={outputs.choice}
              request={{ title: "?" }}
            />
            <HumanTask id="fill" output={outputs.output} prompt="Well?" />
            <Signal id="go" schema={outputs.output} />
          </Parallel>
        }
      />
    </Workflow>
  ));
}

async function started() {
  const workflow = waiting();
  await runWorkflow(workflow, { runId: "run", input: {} });
  await runWorkflow(workflow, { runId: "done", input: {} });
  await nextMillisecond();
  return workflow;
}

/** As a caller without types has it. */
type Wrong = [option: string, expected: string, request: object];

async function expectRefusals(call: (request: never) => Promise<unknown>, wrong: readonly Wrong[]) {
  for (const [option, expected, request] of wrong) {
    // The purpose of an unknown option is unknown: its value may be a secret.
    const shown = expected.startsWith("an option of") ? " \\([^)]*\\)(?!.*received)" : ", received ";
    await expect(call(request as never), JSON.stringify(request)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      summary: expect.stringMatching(new RegExp(`^Option ${option}: expected ${expected}.*${shown}`)),
      details: { option },
    });
  }
}

describe("an operation refuses options that are not what they have to be", () => {
  it("cancelRun, retryTask, hijackRun, releaseHijack and the reading ones, changing nothing", async () => {
    const workflow = await started();
    const at = { runId: "run", nodeId: "ask" };
    await expectRefusals(
      (request) => cancelRun(workflow, request),
      [
        ["runId", "a string that is not empty", {}],
        ["because", "an option of cancelRun", { runId: "run", because: "of this" }],
      ],
    );
    await expectRefusals(
      (request) => retryTask(workflow, request),
      [
        ["nodeId", "a string that is not empty", { runId: "run" }],
        ["force", "true or false", { ...at, force: "yes" }],
        ["dryrun", "an option of retryTask", { ...at, dryrun: true }],
      ],
    );
    await expectRefusals(
      (request) => hijackRun(workflow, request),
      [["timeout", "an option of hijackRun", { ...at, timeout: 1 }]],
    );
    await expectRefusals(
      (request) => releaseHijack(workflow, request),
      [["timeoutMs", "an option of releaseHijack", { ...at, timeoutMs: 1 }]],
    );
    await expectRefusals(
      (request) => getNode(workflow, request),
      [["iteration", "a whole number from 0", { ...at, iteration: -1 }]],
    );
    await expectRefusals(
      (query) => listEvents(workflow, "run", query),
      [["type", "an option of listEvents", { type: "NodeFinished" }]],
    );
    await expectRefusals(
      (query) => listFrames(workflow, "run", query),
      [["limit", "a positive integer", { limit: 0 }]],
    );
    await expectRefusals(
      (options) => renderFrame(workflow, options),
      [["inputs", "an option of renderFrame", { inputs: {} }]],
    );
  });

  it("pruneRuns, deleting nothing", async () => {
    const workflow = await started();
    await expectRefusals(
      (request) => pruneRuns(workflow, request),
      [
        ["olderThanMs", "a number of milliseconds", { olderThanMs: -1 }],
        ["olderThanMs", "a number of milliseconds", { olderThanMs: "30d" }],
        ["olderThan", "an option of pruneRuns", { olderThan: 0 }],
        ["statuses", "a list of finished, continued", { olderThanMs: 0, statuses: ["running"] }],
        ["limit", "a positive integer", { olderThanMs: 0, limit: 0 }],
        ["dryRun", "true or false", { olderThanMs: 0, dryRun: "no" }],
      ],
    );
    expect((await listRuns(workflow)).runs).toHaveLength(2);
    expect((await pruneRuns(workflow, { olderThanMs: 0 })).runIds).toEqual(["done"]);
  });

  it("listRuns and listApprovals, of which a misspelt filter would list everything", async () => {
    const workflow = await started();
    await expectRefusals(
      (request) => listRuns(workflow, request),
      [
        ["statuses", "a list of running", { statuses: ["bogus"] }],
        ["statuses", "a list of running", { statuses: "failed" }],
        ["status", "an option of listRuns", { status: "failed" }],
        ["limit", "a positive integer", { limit: 0 }],
        ["createdBeforeMs", "a number of milliseconds", { createdBeforeMs: "yesterday" }],
      ],
    );
    await expectRefusals(
      (request) => listApprovals(workflow, request),
      [
        ["status", "one of requested, approved", { status: "pending" }],
        ["limit", "a positive integer", { limit: -1 }],
        ["run", "an option of listApprovals", { run: "run" }],
      ],
    );
    expect((await listRuns(workflow, { limit: 501 })).runs).toHaveLength(2);
    expect(await listApprovals(workflow, { runId: "run", status: undefined })).toHaveLength(3);
  });

  it("signalRun, keeping nothing", async () => {
    const workflow = await started();
    const data = { ok: true };
    await expectRefusals(
      (request) => signalRun(workflow, request),
      [
        ["signal", "a string that is not empty", { runId: "run", signal: "", data }],
        ["signal", "a string that is not empty", { runId: "run", data }],
        ["correlationId", "a string", { runId: "run", signal: "go", data, correlationId: 7 }],
        ["correlation", "an option of signalRun", { runId: "run", signal: "go", data, correlation: "x" }],
      ],
    );
    expect((await explainRun(workflow, "run")).blockers).toContainEqual(
      expect.objectContaining({ kind: "event", nodeId: "go" }),
    );
  });

  it("approveNode and denyNode, deciding nothing", async () => {
    const workflow = await started();
    const ask = { runId: "run", nodeId: "ask" };
    const wrong: Wrong[] = [
      ["nodeId", "a string that is not empty", { runId: "run" }],
      ["iteration", "a whole number", { ...ask, iteration: "0" }],
      ["decidedBy", "a string", { ...ask, decidedBy: 5 }],
      ["scopes", "a list of strings", { ...ask, scopes: "admin" }],
      ["comment", "an option of", { ...ask, comment: "fine" }],
      ["selected", "nothing, because ask is a request of mode", { ...ask, selected: "a" }],
      ["ranked", "nothing, because ask is a request of mode", { ...ask, ranked: ["a"] }],
      ["data", "nothing, because ask is a request of mode", { ...ask, data: { approved: false } }],
      ["data", "nothing, because pick is a request of mode select", { ...ask, nodeId: "pick", data: {} }],
      ["selected", "nothing, because fill asks for a row", { ...ask, nodeId: "fill", selected: "a" }],
    ];
    await expectRefusals((request) => approveNode(workflow, request), wrong);
    await expectRefusals((request) => denyNode(workflow, request), wrong);
    expect(await listApprovals(workflow)).toHaveLength(3);
    await approveNode(workflow, ask);
  });
});
