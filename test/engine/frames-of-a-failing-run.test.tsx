import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";

const schemas = { r: z.object({ n: z.number() }) };

function open() {
  const scene = openScene(schemas);
  const { Task, outputs } = scene.api;
  const world = { isBroken: true, ran: [] as string[] };
  const task = (id: string, work: () => Promise<void> | void = () => {}) => (
    <Task id={id} output={outputs.r} noRetry>
      {async () => {
        world.ran.push(id);
        await work();
        return { n: 1 };
      }}
    </Task>
  );
  const failing = () =>
    task("failing", () => {
      if (world.isBroken) throw new Error("broken");
    });
  const later = async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return { ...scene, world, task, failing, later };
}

it("rows that arrive after the failure get their frame, so that a resume sees the same workflow", async () => {
  const { api, run, resume, world, task, failing, later, events } = open();
  const { Workflow, Parallel, service } = api;
  const workflow = service((ctx) => (
    <Workflow name="late-rows">
      <Parallel>
        {failing()}
        {task("slow", later)}
        {ctx.outputMaybe("r", { nodeId: "slow" }) === undefined ? task("until") : task("since")}
      </Parallel>
    </Workflow>
  ));
  expect((await run(workflow, { maxConcurrency: 3 })).status).toBe("failed");
  expect(world.ran).toEqual(["failing", "slow", "until"]);
  world.isBroken = false;
  expect((await resume(workflow)).status).toBe("finished");
  expect(world.ran).toEqual(["failing", "slow", "until", "failing", "since"]);
  expect(await events("WorkflowChangeAccepted")).toEqual([]);
});

it("a failure in the turn that advances a loop leaves the frame of the new iteration", async () => {
  const { api, run, resume, world, task, failing } = open();
  const { Workflow, Parallel, Loop, service } = api;
  const workflow = service((ctx) => (
    <Workflow name="late-loop">
      <Parallel>
        <Loop id="loop" until={(ctx.iterations["loop"] ?? 0) >= 2} maxIterations={5}>
          {task("step")}
          {(ctx.iterations["loop"] ?? 0) > 0 && task("more")}
        </Loop>
        {failing()}
      </Parallel>
    </Workflow>
  ));
  expect((await run(workflow, { maxConcurrency: 2 })).status).toBe("failed");
  world.isBroken = false;
  expect((await resume(workflow)).status).toBe("finished");
});

it("a component that breaks over a row that comes too late does not hide why the run failed", async () => {
  const { api, run, failing, task, later } = open();
  const { Workflow, Parallel, service } = api;
  const workflow = service((ctx) => {
    if (ctx.outputMaybe("r", { nodeId: "slow" }) !== undefined) throw new Error("cannot draw this");
    return (
      <Workflow name="breaking">
        <Parallel>
          {failing()}
          {task("slow", later)}
        </Parallel>
      </Workflow>
    );
  });
  expect(await run(workflow, { maxConcurrency: 2 })).toMatchObject({
    status: "failed",
    error: { message: "broken" },
  });
});
