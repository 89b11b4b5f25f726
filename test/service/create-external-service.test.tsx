import { join } from "node:path";
import { createExternalService, getRun, renderFrame, runWorkflow, ServiceDb } from "treadle";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../support/temporary-folder.js";

const schemas = {
  input: z.object({ topic: z.string() }),
  plan: z.object({ steps: z.number() }),
  output: z.object({ text: z.string() }),
};

type Options = Parameters<typeof createExternalService<typeof schemas>>[0];
type Build = Options["buildFn"];

const writer = {
  id: "writer",
  generate: async ({ prompt = "" }: { prompt?: string } = {}) => ({ text: prompt.split("\n")[0] }),
};

/** The second task appears once the first has a row, as a program outside would decide it. */
const twoSteps: Build = (ctx) => {
  const [plan] = ctx.outputs.plan ?? [];
  const write = {
    tag: "Task",
    props: { id: "write", output: "output", agent: "writer" },
    children: [`${String(ctx.input.topic)} in ${String(plan?.steps)} steps by ${String(plan?.nodeId)}`],
  };
  return {
    tag: "workflow",
    props: { name: "outside" },
    children: [
      { tag: "task", props: { id: "plan", output: "plan" }, children: { steps: 3 } },
      ...(plan === undefined ? [] : [write]),
    ],
  };
};

const workflowOf = (buildFn: Build, dbPath = ":memory:") =>
  createExternalService({ schemas, agents: { writer }, buildFn, dbPath });

describe("a workflow built outside", () => {
  it("runs to its output, its later tasks built from earlier rows", async () => {
    const workflow = workflowOf((ctx) => twoSteps(JSON.parse(JSON.stringify(ctx))));
    const result = await runWorkflow(workflow, { input: { topic: "cats" } });
    expect(result).toMatchObject({ status: "finished", output: { text: "cats in 3 steps by plan" } });
    expect(Object.keys(workflow.tables)).toEqual(expect.arrayContaining(["plan", "output"]));
  });

  it("leaves a database that another workflow value can open after cleanup", async () => {
    const file = join(temporaryFolder("external"), "service.db");
    const workflow = workflowOf(twoSteps, file);
    const { runId } = await runWorkflow(workflow, { input: { topic: "cats" } });
    await workflow.cleanup();
    await workflow.cleanup();
    const again = workflowOf(twoSteps, file);
    expect((await getRun(again, runId)).status).toBe("finished");
    await again.cleanup();
  });

  it.each<[string, Build, string]>([
    [
      "throws",
      () => {
        throw new Error("no interpreter");
      },
      "threw for run r: no interpreter",
    ],
    ["answers later", (() => Promise.resolve(twoSteps)) as unknown as Build, "returned a promise"],
    ["names no element", () => ({}), "has no tag"],
    [
      "names an unknown agent",
      () => ({ tag: "Task", props: { id: "a", output: "plan", agent: "ghost" } }),
      'the agent "ghost"',
    ],
  ])("that %s fails with EXTERNAL_BUILD_FAILED before anything is written", async (_how, build, words) => {
    const workflow = workflowOf(build);
    await expect(runWorkflow(workflow, { runId: "r", input: { topic: "x" } })).rejects.toMatchObject({
      code: "EXTERNAL_BUILD_FAILED",
      summary: expect.stringContaining(words),
    });
    expect(await new ServiceDb(workflow.db).store.getRun("r")).toBeUndefined();
  });

  it("fails the run when a later frame cannot be built", async () => {
    const workflow = workflowOf((ctx) => {
      if (ctx.outputs.plan?.length === 1) throw new Error("lost the thread");
      return twoSteps(ctx);
    });
    const result = await runWorkflow(workflow, { input: { topic: "x" } });
    expect(result).toMatchObject({ status: "failed", error: { code: "EXTERNAL_BUILD_FAILED" } });
  });

  it("can be shown without being run", async () => {
    const { tasks } = await renderFrame(workflowOf(twoSteps), { input: { topic: "x" } });
    expect(tasks.map((task) => task.nodeId)).toEqual(["plan"]);
  });
});
