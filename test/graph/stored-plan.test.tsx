import { createService } from "treadle";
import { expect, it } from "vitest";
import { z } from "zod";
import { planOfFrame } from "../../src/graph/stored-plan.js";
import type { PlanNode } from "../../src/model/plan.js";
import type { ServiceWorkflow } from "../../src/model/workflow.js";
import { renderPreview } from "../../src/operations/render-frame.js";
import { compilePlan } from "../../src/scheduler/index.js";
import fc, { propertyRuns } from "../support/property-tests.js";
import { generateScenario } from "../support/random-workflows/generate.js";
import { planText } from "../support/random-workflows/plan-text.js";
import { buildWorkflow } from "../simulation/build.js";

/** All that orders tasks and bounds what a failure stops; limits are not stored. */
function orderIn(plan: PlanNode) {
  const { vertices, root, regions, loops, scopes, missing } = compilePlan(plan, 0);
  return {
    vertices: vertices.map(({ caps: _, ...vertex }) => vertex),
    root,
    regions,
    loops: loops.map(({ plan: { id, iteration, skip }, ...loop }) => ({ ...loop, id, iteration, skip })),
    scopes: scopes.map(({ plan: { id, kind }, ...scope }) => ({ ...scope, id, kind })),
    missing,
  };
}

async function compare(workflow: ServiceWorkflow, outputs = {}) {
  const { plan, shown } = await renderPreview(workflow, { outputs });
  const stored: typeof shown = JSON.parse(JSON.stringify(shown));
  expect(orderIn(planOfFrame(stored))).toEqual(orderIn(plan));
  return planOfFrame(stored);
}

it("a stored frame orders the tasks of any workflow as its own plan did", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
      const { plans } = generateScenario(seed);
      const { workflow } = buildWorkflow(plans, () => 0);
      try {
        await compare(workflow);
      } catch (error) {
        throw new Error(`seed ${seed}\n${planText(plans)}`, { cause: error });
      }
    }),
    propertyRuns(150),
  );
});

const api = createService(
  { row: z.object({ n: z.number() }), note: z.object({ n: z.number() }), decided: z.looseObject({}) },
  { dbPath: ":memory:" },
);
const { Workflow, Sequence, Parallel, MergeQueue, Loop, Saga, TryCatchFinally, Task } = api;
const { Approval, Signal, Subflow, Worktree, Aspects, ContinueAsNew, Branch, service, outputs } = api;

const task = (id: string, props: { dependsOn?: string[]; skipIf?: boolean } = {}) => (
  <Task id={id} output={outputs.row} {...props}>
    {{ n: 1 }}
  </Task>
);

it("what is skipped and has the id of another is left out, together with what is in it", async () => {
  await compare(
    service(() => (
      <Workflow name="twice">
        <Sequence>
          <Sequence skipIf>{task("a")}</Sequence>
          {task("a")}
          <Loop id="loop" until skipIf>
            {task("b")}
          </Loop>
          <Loop id="loop" until>
            {task("c")}
          </Loop>
          <Parallel skipIf>{task("d", { dependsOn: ["c"] })}</Parallel>
          {task("e", { skipIf: true })}
        </Sequence>
      </Workflow>
    )),
  );
});

it("inline subflows, blocks in loops in loops, and waits that hold nothing up keep their order", async () => {
  const part = service(() => (
    <Workflow name="part">
      <Sequence>
        {task("a")}
        {task("b")}
      </Sequence>
    </Workflow>
  ));
  await compare(
    service(() => (
      <Workflow name="all">
        <Worktree path="copy">
          <Aspects tokenBudget={{ max: 5 }}>
            <Subflow id="inline" mode="inline" workflow={part} output={outputs.row} />
          </Aspects>
        </Worktree>
        <Signal id="aside" schema={outputs.note} async />
        <Sequence>
          <Approval id="ask" request={{ title: "?" }} onDeny="skip" output={outputs.decided} />
          <MergeQueue>{task("queued", { dependsOn: ["inline"] })}</MergeQueue>
          <Loop id="outer" maxIterations={2}>
            <Sequence>
              {task("before")}
              <Loop id="inner" maxIterations={2}>
                <Sequence>
                  {task("work", { dependsOn: ["before"] })}
                  <TryCatchFinally
                    try={task("try")}
                    catchErrors={["TASK_TIMEOUT"]}
                    catch={task("catch")}
                    finally={task("finally", { dependsOn: ["try"] })}
                  />
                  <Saga
                    onFailure="fail"
                    steps={["one", "two"].map((id) => ({
                      id,
                      action: task(`do-${id}`),
                      compensation: task(`undo-${id}`),
                    }))}
                  />
                </Sequence>
              </Loop>
            </Sequence>
          </Loop>
          <Branch if then={task("then")} />
          <ContinueAsNew state={{}} />
        </Sequence>
      </Workflow>
    )),
  );
});

it("a frame with nothing in it has an empty plan", () => {
  expect(planOfFrame({ xml: null, tasks: [] })).toEqual({ kind: "sequence", children: [] });
});

it("what a damaged tree leaves out is no task", () => {
  const lone = { kind: "element", tag: "Task", props: { id: "gone" }, children: [] } as const;
  const xml = { kind: "element", tag: "Workflow", props: {}, children: [lone] } as const;
  expect(planOfFrame({ xml: xml as never, tasks: [] })).toEqual({ kind: "sequence", children: [] });
});
