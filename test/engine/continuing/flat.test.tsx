import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../../support/engine/scene.js";

const RUNS = 120;

it("a run of a long chain begins with no more than one at its start", async () => {
  const scene = openScene({ row: z.object({ n: z.number() }) });
  const { Workflow, Task, Loop, Parallel, Saga, SagaStep, outputs, service } = scene.api;
  const task = (id: string) => (
    <Task key={id} id={id} output={outputs.row}>
      {{ n: 1 }}
    </Task>
  );
  const workflow = service((ctx) => (
    <Workflow name="long">
      {task("before")}
      <Loop id="rounds" maxIterations={RUNS} continueAsNewEvery={1}>
        <Parallel>
          {task("a")}
          <Loop id="inner" maxIterations={2}>
            {task("b")}
          </Loop>
          <Saga id="saga">
            <SagaStep id="step" compensation={task("undo")}>
              {task("c")}
            </SagaStep>
          </Saga>
        </Parallel>
      </Loop>
      <Task id="end" output={outputs.row}>
        {{ n: ctx.iterationCount("row", "a") }}
      </Task>
    </Workflow>
  ));
  const last = await scene.run(workflow);
  expect(last.status).toBe("finished");

  const sizes: number[] = [];
  for (let runId: string | null = "run"; runId !== null; ) {
    const runSnapshot = await scene.store.loadRun(runId);
    const { config, nextRunId } = runSnapshot?.run ?? {};
    const { depth: _depth, ...handed } = config?.continuation ?? { depth: 0 };
    sizes.push(
      JSON.stringify([runSnapshot?.nodes.filter(({ finishedSeq }) => (finishedSeq ?? 0) < 0), handed]).length,
    );
    runId = nextRunId ?? null;
  }
  expect(sizes).toHaveLength(RUNS);
  // Numbers of iterations have more digits later.
  expect(sizes.at(-1)).toBeLessThan((sizes[2] as number) + 100);
  const controls = await scene.store.listControls(last.runId);
  expect(controls.map(({ id }) => id).sort()).toEqual(
    ["inner", "inner", "rounds", "saga"].map((id, index) =>
      id === "rounds" ? id : `${id}@@rounds=${RUNS - (index === 0 ? 2 : 1)}`,
    ),
  );
  expect(await scene.store.getNode(last.runId, "end")).toMatchObject({ state: "finished" });
  expect(await scene.store.readOutput(last.runId, "end", 0)).toEqual({ n: RUNS });
});
