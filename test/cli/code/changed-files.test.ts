import { existsSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Workspace } from "../support/treadle.js";
import { HEAD } from "../support/workflows.js";

/** Waits for a signal with data, then uses what another file exports. */
const FLOW = `${HEAD}
import { words } from "./lib.js";
const { Workflow, Task, Sequence, Signal, service, outputs } = createService({
  go: z.object({ name: z.string() }),
  output: z.object({ text: z.string() }),
});
export default service(() => (
  <Workflow name="greeting">
    <Sequence>
      <Signal id="go" schema={outputs.go} />
      <Task id="send" output={outputs.output}>{() => ({ text: words() })}</Task>
    </Sequence>
  </Workflow>
));
`;
const LIB = 'export const words = () => "Hello";';

/** Leaves a trace as soon as it is loaded. */
const planted = (workspace: Workspace) =>
  `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(workspace.path("ran"))}, "");
   export const words = () => "planted";`;

/** A run that waits, and a file that the loader prefers to the one that the run was started with. */
async function plantedBeside() {
  const workspace = new Workspace({ "flow.tsx": FLOW, "lib.ts": LIB });
  await workspace.treadle(["up", "flow.tsx", "--run-id", "r"]);
  workspace.write("lib.js", planted(workspace));
  return { workspace, hasRun: () => existsSync(workspace.path("ran")) };
}

describe("code that a waiting run was not started with", () => {
  it.each([
    ["up --resume", ["up", "--resume", "r"]],
    ["retry", ["retry", "r", "--yes"]],
    ["retry-task", ["retry-task", "r", "go", "--yes"]],
    ["retry-task --up", ["retry-task", "r", "go", "--up", "--yes"]],
  ])("is not loaded by %s, which says what has changed", async (_, args) => {
    const { workspace, hasRun } = await plantedBeside();
    const { code, stdout, stderr } = await workspace.treadle(args);
    expect(stdout + stderr).toContain(
      "The workflow changed since run r started: + file lib.js (added), - file lib.ts (removed).",
    );
    expect(code).not.toBe(0);
    expect(hasRun()).toBe(false);
  });

  it("is not loaded by a supervisor, which keeps the refusal with the run", async () => {
    const { workspace, hasRun } = await plantedBeside();
    await workspace.treadle(["signal", "r", "go", "--data", '{"name":"Ada"}']);
    const supervisor = workspace.start(["supervise"]);
    await supervisor.seen("RESUME_METADATA_MISMATCH");
    supervisor.process.kill("SIGINT");
    await supervisor.done;
    expect(hasRun()).toBe(false);
    expect((await workspace.treadle(["ps"])).stdout).toContain("not resumed: RESUME_METADATA_MISMATCH");
  });

  it("is not loaded for the schema of a signal, which is then checked by the process that continues the run", async () => {
    const { workspace, hasRun } = await plantedBeside();
    const { code } = await workspace.treadle(["signal", "r", "go", "--data", '{"name":"Ada"}']);
    expect(code).toBe(0);
    expect(hasRun()).toBe(false);
  });

  it("runs once it is accepted, and is the run's own from then on", async () => {
    const { workspace, hasRun } = await plantedBeside();
    const accepted = await workspace.treadle(["up", "--resume", "r", "--accept-workflow-change"]);
    expect(accepted.code).toBe(3);
    expect(hasRun()).toBe(true);
    const { document } = await workspace.json<{ events: { type: string; files?: object[] }[] }>([
      "events",
      "r",
      "--type",
      "WorkflowChangeAccepted",
    ]);
    expect(JSON.stringify(document)).toContain('"files":[{"path":"lib.js","change":"added"}');
    await workspace.treadle(["signal", "r", "go", "--data", '{"name":"Ada"}']);
    const { stdout } = await workspace.treadle(["up", "--resume", "r"]);
    expect(JSON.parse(stdout)).toEqual({ text: "planted" });
  });

  it("asks for the same answer again after a refusal, with the command that accepts it", async () => {
    const { workspace } = await plantedBeside();
    await workspace.treadle(["up", "--resume", "r"]);
    const { stdout } = await workspace.treadle(["why", "r"]);
    expect(stdout).toContain("--resume r --accept-workflow-change");
  });
});

it("a run continues with its own files after the planted one is gone", async () => {
  const { workspace } = await plantedBeside();
  rmSync(workspace.path("lib.js"));
  await workspace.treadle(["signal", "r", "go", "--data", '{"name":"Ada"}']);
  const { stdout } = await workspace.treadle(["up", "--resume", "r"]);
  expect(JSON.parse(stdout)).toEqual({ text: "Hello" });
});
