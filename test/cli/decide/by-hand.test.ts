import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { Workspace } from "../support/treadle.js";
import { HEAD } from "../support/workflows.js";

const FLOW = `${HEAD}
const { Workflow, Sequence, Task, service, outputs } = createService({
  made: z.object({ n: z.number() }),
  output: z.object({ sum: z.number() }),
});
export default service((ctx) => (
  <Workflow name="broken">
    <Sequence>
      <Task id="make" output={outputs.made} noRetry>
        {() => { throw new Error("broken"); }}
      </Task>
      <Task id="end" output={outputs.output}>
        {() => ({ sum: (ctx.outputMaybe("made", { nodeId: "make" })?.n ?? 0) + 1 })}
      </Task>
    </Sequence>
  </Workflow>
));
`;

/** A run that has failed, and its file, which from now on says when it is loaded. */
async function failed() {
  const workspace = new Workspace({ "flow.tsx": FLOW });
  await workspace.treadle(["up", "flow.tsx", "--run-id", "r"]);
  return workspace;
}

it("a task that failed is completed without its code, and the run goes on with the row", async () => {
  const workspace = await failed();
  const trace = JSON.stringify(workspace.path("ran"));
  workspace.write("flow.tsx", `import { writeFileSync } from "node:fs"; writeFileSync(${trace}, "");${FLOW}`);
  const call = (...args: string[]) => workspace.treadle(["complete-task", "r", "make", ...args]);
  expect(await call("--yes")).toMatchObject({ code: 4, stderr: expect.stringContaining("--data is needed") });
  expect(await call("--data", '{"n":"x"}', "--yes")).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("n: "),
  });
  expect(await call("--data", '{"n":40}')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("--yes"),
  });
  expect(await call("--data", '{"n":40}', "--dry-run")).toMatchObject({
    code: 0,
    stdout: "make can be completed.\n",
  });
  const done = await call("--data", '{"n":40}', "--note", "by phone", "--by", "ada", "--yes");
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining("✓ completed make") });
  expect(done.stdout).toContain("treadle up --resume r");
  expect(await call("--data", '{"n":41}', "--yes")).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("by ada already"),
  });
  expect(existsSync(workspace.path("ran"))).toBe(false);
  workspace.write("flow.tsx", FLOW);
  const resumed = await workspace.treadle(["up", "--resume", "r"]);
  expect(resumed).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("make completed by hand by ada: by phone"),
  });
  expect((await workspace.json(["output", "r", "end"])).document).toMatchObject({ sum: 41 });
});

it("a task is left out, and with --up the run goes on at once", async () => {
  const workspace = await failed();
  const skipped = await workspace.treadle(["skip-task", "r", "make", "--note", "not today", "--yes", "--up"]);
  expect(skipped).toMatchObject({ code: 0, stderr: expect.stringContaining("make skipped") });
  expect((await workspace.json(["output", "r", "end"])).document).toMatchObject({ sum: 1 });
});

it("runs are deleted by their ids, all of them or none", async () => {
  const workspace = await failed();
  await workspace.treadle(["up", "flow.tsx", "--run-id", "s"]);
  expect((await workspace.treadle(["prune", "r", "nobody", "--yes"])).code).toBe(4);
  expect(await workspace.treadle(["prune", "r", "s", "--status", "failed", "--yes"])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("--status"),
  });
  expect(await workspace.treadle(["prune", "r", "--yes"])).toMatchObject({
    code: 0,
    stdout: "✓ r deleted\n",
  });
  expect((await workspace.json<{ runs: object[] }>(["ps"])).document.runs).toMatchObject([{ runId: "s" }]);
});
