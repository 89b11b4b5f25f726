import type { ReactElement } from "react";
import { approveNode, createService, denyNode, listApprovals, runWorkflow } from "treadle";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const OPTIONS = ["x", "y", "z"].map((key) => ({ key, label: key.toUpperCase() }));

/** A block whose task fails until it is mended, with one question in its finally part. */
function open() {
  const world = { isBroken: true, question: "Clean up?", log: [] as string[] };
  const api = createService(
    {
      row: z.object({ id: z.string() }),
      decision: z.object({ approved: z.boolean(), note: z.string().nullable() }),
      selection: z.object({ selected: z.string(), notes: z.string().nullable() }),
      ranking: z.object({ ranked: z.array(z.string()), notes: z.string().nullable() }),
    },
    { dbPath: ":memory:" },
  );
  const { Workflow, Task, TryCatchFinally, service, outputs } = api;
  const task = (id: string) => (
    <Task id={id} output={outputs.row} noRetry>
      {() => {
        world.log.push(id);
        if (world.isBroken) throw new Error(`${id} is broken`);
        return { id };
      }}
    </Task>
  );
  const withFinally = (ask: () => ReactElement) =>
    service(() => (
      <Workflow name="asking">
        <TryCatchFinally id="block" try={task("work")} finally={ask()} />
      </Workflow>
    ));
  return { api, world, task, withFinally };
}

const start = (workflow: Parameters<typeof runWorkflow>[0]) =>
  runWorkflow(workflow, { runId: "run", input: {} });
const resume = (workflow: Parameters<typeof runWorkflow>[0]) =>
  runWorkflow(workflow, { runId: "run", resume: true });

describe("a decision in a block that begins again", () => {
  it.each([
    ["an approval", "decision", {}],
    ["a selection", "selection", { selected: "y" }],
    ["a ranking", "ranking", { ranked: ["z", "x", "y"] }],
  ] satisfies [string, "decision" | "selection" | "ranking", object][])(
    "stands: %s",
    async (_name, output, answer) => {
      const { api, world, withFinally } = open();
      const { Approval, outputs } = api;
      const mode = ({ decision: "approve", selection: "select", ranking: "rank" } as const)[output];
      const workflow = withFinally(() => (
        <Approval
          id="ask"
          mode={mode}
          options={OPTIONS}
          request={{ title: world.question }}
          output={outputs[output]}
        />
      ));
      expect((await start(workflow)).status).toBe("waiting-approval");
      await approveNode(workflow, { runId: "run", nodeId: "ask", ...answer, note: "as always" });
      expect((await resume(workflow)).status).toBe("failed");
      world.isBroken = false;
      expect((await resume(workflow)).status).toBe("finished");
      expect(world.log).toEqual(["work", "work"]);
      const asked = await listApprovals(workflow, { runId: "run", status: "approved" });
      expect(asked).toMatchObject([{ nodeId: "ask", decision: { note: "as always" } }]);
      expect(asked[0]?.decision).toMatchObject(answer);
    },
  );

  it("stands: the answer of a person", async () => {
    const { api, world, withFinally } = open();
    const { HumanTask, outputs } = api;
    const workflow = withFinally(() => <HumanTask id="ask" output={outputs.row} prompt={world.question} />);
    expect((await start(workflow)).status).toBe("waiting-approval");
    await approveNode(workflow, { runId: "run", nodeId: "ask", data: { id: "said" } });
    expect((await resume(workflow)).status).toBe("failed");
    world.isBroken = false;
    const end = await resume(workflow);
    expect(end.status).toBe("finished");
  });

  it("is asked for anew where the question is another one by then", async () => {
    const { api, world, withFinally } = open();
    const { Approval, outputs } = api;
    const workflow = withFinally(() => (
      <Approval id="ask" request={{ title: world.question }} output={outputs.decision} />
    ));
    await start(workflow);
    await approveNode(workflow, { runId: "run", nodeId: "ask" });
    await resume(workflow);
    world.isBroken = false;
    world.question = "Clean up twice?";
    expect((await resume(workflow)).status).toBe("waiting-approval");
    const asked = await listApprovals(workflow, { runId: "run" });
    expect(asked).toMatchObject([{ request: { title: "Clean up twice?" } }]);
    await approveNode(workflow, { runId: "run", nodeId: "ask" });
    expect((await resume(workflow)).status).toBe("finished");
  });

  it("stays a denial: no person is asked until one says yes", async () => {
    const { api, task, world } = open();
    const { Workflow, Saga, SagaStep, Approval, outputs, service } = api;
    world.isBroken = false;
    const workflow = service(() => (
      <Workflow name="denied">
        <Saga id="saga" onFailure="fail">
          <SagaStep id="one" compensation={task("undo")}>
            <Approval id="ask" request={{ title: "Go?" }} output={outputs.decision} />
          </SagaStep>
        </Saga>
      </Workflow>
    ));
    await start(workflow);
    await denyNode(workflow, { runId: "run", nodeId: "ask" });
    for (let time = 0; time < 2; time += 1) {
      const end = await resume(workflow);
      expect(end).toMatchObject({ status: "failed", error: { code: "APPROVAL_DENIED" } });
      expect(await listApprovals(workflow, { runId: "run", status: "denied" })).toHaveLength(1);
    }
  });

  it("lets a gated task begin again without a second question", async () => {
    const { api, world } = open();
    const { Workflow, Saga, SagaStep, Task, outputs, service } = api;
    const workflow = service(() => (
      <Workflow name="gated">
        <Saga id="saga" onFailure="fail">
          <SagaStep
            id="one"
            compensation={
              <Task id="undo" output={outputs.row}>
                {{ id: "undo" }}
              </Task>
            }
          >
            <Task id="work" output={outputs.row} needsApproval noRetry>
              {() => {
                if (world.isBroken) throw new Error("work is broken");
                return { id: "work" };
              }}
            </Task>
          </SagaStep>
        </Saga>
      </Workflow>
    ));
    await start(workflow);
    await approveNode(workflow, { runId: "run", nodeId: "work" });
    expect((await resume(workflow)).status).toBe("failed");
    world.isBroken = false;
    expect((await resume(workflow)).status).toBe("finished");
  });
});
