import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Blocker, explainRun, type ServiceWorkflow } from "../../../src/index.js";
import { openScene } from "../../support/engine/scene.js";
import { settle } from "../../support/engine/virtual-time.js";

const schemas = { row: z.object({ n: z.number() }), decision: z.object({ approved: z.boolean() }) };

/** The blockers of a run while its tasks are at work; they end afterwards. */
async function blockersAtWork(
  scene: ReturnType<typeof openScene<typeof schemas>>,
  { workflow, end, maxConcurrency }: { workflow: ServiceWorkflow; end(): void; maxConcurrency?: number },
): Promise<Blocker[]> {
  const driving = scene.drive(workflow, { ...(maxConcurrency !== undefined && { maxConcurrency }) });
  await settle();
  const { blockers } = await explainRun(workflow, "run");
  end();
  await scene.time.until(driving);
  expect((await explainRun(workflow, "run")).blockers).toEqual([]);
  return blockers;
}

/** Tasks that work until the test ends them. */
function gate() {
  let end = () => {};
  const open = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    end: () => end(),
    work: async () => {
      await open;
      return { n: 1 };
    },
  };
}

describe("what keeps a task from starting", () => {
  it("is what it depends on, with the state of each", async () => {
    const scene = openScene(schemas);
    const { Workflow, Parallel, Task, outputs, service } = scene.api;
    const { end, work } = gate();
    const workflow = service(() => (
      <Workflow name="dependent">
        <Parallel>
          <Task id="done" output={outputs.row}>
            {{ n: 0 }}
          </Task>
          <Task id="slow" output={outputs.row}>
            {work}
          </Task>
          <Task id="second" output={outputs.row} dependsOn={["done", "slow"]}>
            {{ n: 2 }}
          </Task>
          <Task id="third" output={outputs.row} needs={{ row: "second" }}>
            {() => ({ n: 3 })}
          </Task>
        </Parallel>
      </Workflow>
    )) as unknown as ServiceWorkflow;
    expect(await blockersAtWork(scene, { workflow, end })).toMatchObject([
      {
        kind: "dependency",
        nodeId: "second",
        waitsFor: [{ nodeId: "slow", iteration: 0, state: "in-progress" }],
        summary: "second waits for slow (in-progress).",
        remedy: null,
      },
      { kind: "dependency", nodeId: "third", waitsFor: [{ nodeId: "second", state: "pending" }] },
    ]);
  });

  it("is the cap of the run, with those that are at work", async () => {
    const scene = openScene(schemas);
    const { Workflow, Parallel, Sequence, Task, outputs, service } = scene.api;
    const { end, work } = gate();
    const workflow = service(() => (
      <Workflow name="capped">
        <Parallel>
          <Task id="a" output={outputs.row}>
            {work}
          </Task>
          <Task id="b" output={outputs.row}>
            {work}
          </Task>
          <Sequence>
            <Task id="c" output={outputs.row}>
              {work}
            </Task>
            <Task id="after" output={outputs.row}>
              {{ n: 1 }}
            </Task>
          </Sequence>
        </Parallel>
      </Workflow>
    )) as unknown as ServiceWorkflow;
    const holders = [
      { nodeId: "a", iteration: 0 },
      { nodeId: "b", iteration: 0 },
    ];
    expect(await blockersAtWork(scene, { workflow, end, maxConcurrency: 2 })).toMatchObject([
      { kind: "concurrency", nodeId: "c", cap: { groupId: null, limit: 2, holders }, remedy: null },
    ]);
  });

  it("is the cap of a group around it, also while the run has room", async () => {
    const scene = openScene(schemas);
    const { Workflow, MergeQueue, Task, outputs, service } = scene.api;
    const { end, work } = gate();
    const workflow = service(() => (
      <Workflow name="queued">
        <MergeQueue id="queue">
          <Task id="first" output={outputs.row}>
            {work}
          </Task>
          <Task id="second" output={outputs.row}>
            {work}
          </Task>
        </MergeQueue>
      </Workflow>
    )) as unknown as ServiceWorkflow;
    const holders = [{ nodeId: "first", iteration: 0 }];
    expect(await blockersAtWork(scene, { workflow, end })).toMatchObject([
      { kind: "concurrency", nodeId: "second", cap: { groupId: "queue", limit: 1, holders } },
    ]);
  });

  it("is no cap where its turn has not come, or where there is room", async () => {
    const scene = openScene(schemas);
    const { Workflow, Sequence, Task, TryCatchFinally, outputs, service } = scene.api;
    const { end, work } = gate();
    const workflow = service(() => (
      <Workflow name="ordered">
        <Sequence>
          <TryCatchFinally
            id="guarded"
            try={
              <Task id="first" output={outputs.row}>
                {work}
              </Task>
            }
            finally={
              <Task id="last" output={outputs.row}>
                {{ n: 1 }}
              </Task>
            }
          />
          <Task id="second" output={outputs.row}>
            {{ n: 1 }}
          </Task>
        </Sequence>
      </Workflow>
    )) as unknown as ServiceWorkflow;
    expect(await blockersAtWork(scene, { workflow, end, maxConcurrency: 1 })).toEqual([]);
  });
});

it("a task that depends on a decision says so beside the request", async () => {
  const scene = openScene(schemas);
  const { Workflow, Parallel, Approval, Task, outputs, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="asking">
      <Parallel>
        <Approval id="ok" output={outputs.decision} request={{ title: "Continue?" }} />
        <Task id="end" output={outputs.row} dependsOn={["ok"]}>
          {{ n: 1 }}
        </Task>
      </Parallel>
    </Workflow>
  )) as unknown as ServiceWorkflow;
  await scene.run(workflow);
  expect((await explainRun(workflow, "run")).blockers).toMatchObject([
    { kind: "approval", nodeId: "ok" },
    { kind: "dependency", nodeId: "end", waitsFor: [{ nodeId: "ok", state: "waiting-approval" }] },
  ]);
});
