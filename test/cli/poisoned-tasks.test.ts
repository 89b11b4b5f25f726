import { describe, expect, it } from "vitest";
import { ProcessWorkspace } from "./support/treadle.js";

const poisoned = (code: string, afterwards = "") => `
import { createService } from "treadle";
import { z } from "zod";
const { Workflow, Task, Sequence, service, outputs } = createService({ row: z.object({ n: z.number() }) });
${afterwards}
export default service(() => (
  <Workflow name="poisoned">
    <Sequence>
      <Task id="poison" noRetry output={outputs.row}>{async () => { ${code} }}</Task>
      <Task id="after" output={outputs.row}>{{ n: 2 }}</Task>
    </Sequence>
  </Workflow>
));
`;

describe("up with a task that", () => {
  it("rejects beside its work fails with that error, at that task", async () => {
    const code = `Promise.reject(new TypeError("nobody awaits this")); await new Promise(() => setTimeout(() => {}, 60_000));`;
    const { code: exit, document } = await new ProcessWorkspace({ "w.tsx": poisoned(code) }).json([
      "up",
      "w.tsx",
    ]);
    expect(exit).toBe(1);
    expect(document).toMatchObject({
      status: "failed",
      error: { name: "TypeError", message: "nobody awaits this", details: { nodeId: "poison", attempt: 1 } },
    });
  });

  it("calls process.exit ends with 1, says which task did, and can be continued", async () => {
    const once = `import { existsSync, writeFileSync } from "node:fs";`;
    const code = `if (!existsSync("been-here")) { writeFileSync("been-here", ""); process.exit(0); } return { n: 1 };`;
    const workspace = new ProcessWorkspace({ "w.tsx": once + poisoned(code) });
    const first = await workspace.treadle(["up", "w.tsx", "--run-id", "p"]);
    expect(first.code).toBe(1);
    expect(first.stderr).toContain("TASK_EXITED_PROCESS Task poison ended the process with process.exit(0)");
    expect(first.stderr).toContain("treadle up --resume p");
    expect(first.stderr).not.toContain("✓ run");
    expect((await workspace.json(["why", "p"])).document).toMatchObject({
      runState: "stopped",
      blockers: [{ summary: expect.stringContaining("poison ended the process with process.exit(0)") }],
    });
    const again = await workspace.json(["up", "--resume", "p"]);
    expect(again).toMatchObject({ code: 0, document: { status: "finished" } });
  });

  it("calls process.exit answers with one JSON document", async () => {
    const workspace = new ProcessWorkspace({ "w.tsx": poisoned("process.exit(0);") });
    const { code, document } = await workspace.json(["up", "w.tsx", "--run-id", "p"]);
    expect(code).toBe(1);
    expect(document).toMatchObject({
      ok: false,
      error: { code: "TASK_EXITED_PROCESS", details: { runId: "p", nodeId: "poison", exitCode: 0 } },
    });
  });
});

it("up continues when the workflow's file throws outside of its tasks, and says so", async () => {
  // Once a listener is there: an error before that is one of loading the file.
  const timer = `
let hasThrown = false;
const waiting = setInterval(() => {
  if (process.listenerCount("uncaughtException") === 0) return;
  clearInterval(waiting);
  hasThrown = true;
  throw new RangeError("the file's own timer");
}, 1);`;
  const workspace = new ProcessWorkspace({
    "w.tsx": poisoned(
      "while (!hasThrown) await new Promise((resolve) => setImmediate(resolve)); return { n: 1 };",
      timer,
    ),
  });
  const { code, stderr } = await workspace.treadle(["up", "w.tsx"]);
  expect(stderr).toContain("RangeError: the file's own timer");
  expect(stderr).toContain("It was not caught and belongs to no task in progress; the run continues.");
  expect(code).toBe(0);
});
