import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createService, listRuns, runWorkflow, ServiceDb, useCtx } from "../../src/index.js";
import { temporaryFolder } from "../support/temporary-folder.js";

function greeter(path: string, greeting: string) {
  const api = createService(
    { input: z.object({ name: z.string() }), output: z.object({ text: z.string() }) },
    { dbPath: path },
  );
  const { Workflow, Task, outputs, service } = api;
  onTestFinished(async () => {
    await new ServiceDb(api.db).store.close();
  });
  function Greet() {
    const { input } = useCtx();
    return (
      <Task id="greet" output={outputs.output}>
        {async () => {
          await new Promise((resolve) => setImmediate(resolve));
          return { text: `${greeting} ${String(input["name"])}` };
        }}
      </Task>
    );
  }
  return service(() => (
    <Workflow name={greeting}>
      <Greet />
    </Workflow>
  ));
}

describe("two services in one process", () => {
  it("with two databases run side by side and know nothing of each other", async () => {
    const folder = temporaryFolder();
    const hello = greeter(join(folder, "hello.db"), "hello");
    const salut = greeter(join(folder, "salut.db"), "salut");
    const results = await Promise.all(
      ["Ada", "Bob", "Cleo"].flatMap((name) => [
        runWorkflow(hello, { runId: name, input: { name } }),
        runWorkflow(salut, { runId: name, input: { name } }),
      ]),
    );
    expect(results.map(({ output }) => (output as { text: string }).text).sort()).toEqual([
      "hello Ada",
      "hello Bob",
      "hello Cleo",
      "salut Ada",
      "salut Bob",
      "salut Cleo",
    ]);
    for (const [workflow, name] of [
      [hello, "hello"],
      [salut, "salut"],
    ] as const) {
      const { runs } = await listRuns(workflow);
      expect(runs.map(({ runId }) => runId).sort()).toEqual(["Ada", "Bob", "Cleo"]);
      expect(new Set(runs.map(({ workflowName }) => workflowName))).toEqual(new Set([name]));
    }
  });

  it("on one database share it: each runs its own workflow, both see all runs", async () => {
    const path = join(temporaryFolder(), "shared.db");
    const hello = greeter(path, "hello");
    const salut = greeter(path, "salut");
    await Promise.all([
      runWorkflow(hello, { runId: "a", input: { name: "Ada" } }),
      runWorkflow(salut, { runId: "b", input: { name: "Bob" } }),
    ]);
    expect((await listRuns(hello)).runs.map(({ workflowName }) => workflowName).sort()).toEqual([
      "hello",
      "salut",
    ]);
    expect(await listRuns(salut, { workflowName: "hello" })).toMatchObject({ runs: [{ runId: "a" }] });
  });

  it("of which one fails leave the other alone", async () => {
    const folder = temporaryFolder();
    const hello = greeter(join(folder, "hello.db"), "hello");
    const lost = greeter(join(folder, "no-such-folder", "lost.db"), "lost");
    const [good, bad] = await Promise.allSettled([
      runWorkflow(hello, { input: { name: "Ada" } }),
      runWorkflow(lost, { input: { name: "Bob" } }),
    ]);
    expect(good).toMatchObject({ status: "fulfilled", value: { status: "finished" } });
    expect(bad).toMatchObject({ status: "rejected", reason: { code: "STORAGE_ERROR" } });
  });
});
