import { expect, it } from "vitest";
import { z } from "zod";
import { approveNode, runWorkflow } from "../../../src/index.js";
import { listSpans, type RunSpan } from "../../../src/operations/index.js";
import { openScene } from "../../support/engine/scene.js";

const shape = ({ nodeId, iteration, attempt, state, finishedAtMs }: RunSpan) =>
  `${nodeId} ${iteration} ${attempt ?? "-"} ${state}${finishedAtMs === null ? " open" : ""}`;

function asking() {
  const scene = openScene({ row: z.object({ n: z.number() }), gate: z.object({ approved: z.boolean() }) });
  const { Workflow, Sequence, Approval, Loop, Task, outputs, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="asking">
      <Sequence>
        <Task id="flaky" output={outputs.row} retries={1}>
          {(_deps: unknown, { attempt }: { attempt: number }) => {
            if (attempt === 1) throw new Error("not yet");
            return { n: 1 };
          }}
        </Task>
        <Loop id="twice" until={false} maxIterations={2} onMaxReached="return-last">
          <Task id="step" output={outputs.row}>
            {{ n: 2 }}
          </Task>
        </Loop>
        <Approval id="gate" output={outputs.gate} request={{ title: "Go?" }} />
      </Sequence>
    </Workflow>
  ));
  return { scene, workflow };
}

const BEFORE = [
  "flaky 0 1 failed",
  "flaky 0 - waiting-retry",
  "flaky 0 2 finished",
  "step 0 1 finished",
  "step 1 1 finished",
];

it("a run's attempts and waits come in the order in which they began, with what became of them", async () => {
  const { scene, workflow } = asking();
  await scene.run(workflow);
  const waiting = await listSpans(workflow, { runId: "run" });
  expect(waiting.spans.map(shape)).toEqual([...BEFORE, "gate 0 - waiting-approval open"]);
  for (const { startedAtMs, finishedAtMs } of waiting.spans)
    expect(finishedAtMs ?? startedAtMs).toBeGreaterThanOrEqual(startedAtMs);
  await approveNode(workflow, { runId: "run", nodeId: "gate" });
  await runWorkflow(workflow, { runId: "run", resume: true });
  const { spans, hasMore } = await listSpans(workflow, { runId: "run" });
  expect(spans.map(shape)).toEqual([...BEFORE, "gate 0 - waiting-approval", "gate 0 1 finished"]);
  expect(hasMore).toBe(false);
});

it("pages say the same together, also where a span ends after its page", async () => {
  const { scene, workflow } = asking();
  await scene.run(workflow);
  const { spans: all } = await listSpans(workflow, { runId: "run" });
  const paged: RunSpan[] = [];
  for (let hasMore = true; hasMore; ) {
    const afterSeq = paged.at(-1)?.seq ?? -1;
    const page = await listSpans(workflow, { runId: "run", afterSeq, limit: 1 });
    expect(page.spans).toHaveLength(1);
    paged.push(...page.spans);
    hasMore = page.hasMore;
  }
  expect(paged).toEqual(all);
});

it("a run that is not there is refused", async () => {
  const { workflow } = asking();
  await expect(listSpans(workflow, { runId: "none" })).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
});
