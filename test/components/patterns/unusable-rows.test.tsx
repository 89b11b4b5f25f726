import { explainRun, remedyOf, retryTask, type ServiceError } from "treadle";
import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../../support/engine/scene.js";

const schemas = { plan: z.looseObject({}), work: z.object({ text: z.string() }) };
type Row = Record<string, unknown>;

const answering = (row: Row) => ({
  supportsNativeStructuredOutput: true,
  generate: async () => ({ output: row }),
});

it("a stored row that a composite cannot use fails the run with run, task, table, field and what to do", async () => {
  const scene = openScene(schemas);
  const { Workflow, Sequence, Task, Supervisor, service, outputs } = scene.api;
  const workflow = service((ctx) => (
    <Workflow name="supervised">
      {ctx.outputMaybe("plan", { nodeId: "later" }) === undefined ? (
        <Sequence>
          <Task id="s-plan" output={outputs.plan}>
            {{ tasks: "none" }}
          </Task>
          <Task id="later" output={outputs.plan}>
            {{}}
          </Task>
        </Sequence>
      ) : (
        <Supervisor
          id="s"
          boss={answering({ tasks: [], text: "done" })}
          workers={{ coder: answering({ text: "done" }) }}
          planOutput={outputs.plan as never}
          workerOutput={outputs.work}
          reviewOutput={outputs.plan as never}
          finalOutput={outputs.work}
        />
      )}
    </Workflow>
  ));
  const unusable = {
    code: "INVALID_OUTPUT",
    message: expect.stringMatching(
      /^<Supervisor id="s"> .*reads the field "tasks" of its planOutput; the row of task s-plan, iteration 0, of run run has "none" there; expected a list of/,
    ),
    details: { table: "plan", field: "tasks", storedRow: { runId: "run", nodeId: "s-plan", iteration: 0 } },
  };
  const remedy = { action: "retry-task", runId: "run", nodeId: "s-plan", iteration: 0 };
  const { status, error } = await scene.run(workflow);
  expect(status).toBe("failed");
  expect(error).toMatchObject(unusable);
  expect((await explainRun(workflow, "run")).blockers[0]?.remedy).toEqual(remedy);

  const again = await scene.resume(workflow);
  expect(again).toMatchObject({ status: "failed", error: unusable });
  expect(remedyOf(again.error as ServiceError)).toEqual(remedy);
});

it("makes it anew with retry-task, and with it all that was there because of it", async () => {
  const scene = openScene(schemas);
  const { Workflow, Sequence, Signal, Supervisor, service, outputs } = scene.api;
  const asked: string[] = [];
  const agent = (answer: (node: string) => Row) => ({
    supportsNativeStructuredOutput: true,
    generate: async ({ taskContext }: { taskContext?: { nodeId: string } } = {}) => {
      const node = taskContext?.nodeId ?? "";
      asked.push(node);
      return { output: answer(node) };
    },
  });
  const flow = (types: readonly string[]) =>
    service(() => (
      <Workflow name="supervised">
        <Sequence>
          <Supervisor
            id="s"
            boss={agent((node) => {
              const tasks = types.map((workerType) => ({ id: workerType, workerType, instructions: "Go." }));
              return node === "s-final" ? { text: "done" } : { tasks, allDone: true };
            })}
            workers={Object.fromEntries(types.map((type) => [type, agent((node) => ({ text: node }))]))}
            planOutput={outputs.plan as never}
            workerOutput={outputs.work}
            reviewOutput={outputs.plan as never}
            finalOutput={outputs.work}
          />
          <Signal id="go" schema={outputs.plan} />
        </Sequence>
      </Workflow>
    ));
  await scene.run(flow(["coder", "tester"]));
  // The new code has no tester any more, whom the stored plan names.
  const newer = flow(["coder"]);
  asked.length = 0;
  const options = { acceptWorkflowChange: true };
  expect(await scene.resume(newer, options)).toMatchObject({
    status: "failed",
    error: { details: { table: "plan" } },
  });
  const retried = await retryTask(newer, { runId: "run", nodeId: "s-plan" });
  expect(retried.success).toBe(true);
  expect([...retried.resetNodes].sort()).toEqual(
    ["s-plan", "s-worker-coder", "s-worker-tester", "s-review", "s-final", "go"]
      .map((id) => `${id}::0`)
      .sort(),
  );
  expect((await scene.resume(newer, options)).status).toBe("waiting-event");
  expect(asked).toEqual(["s-plan", "s-worker-coder", "s-review", "s-final"]);
});
