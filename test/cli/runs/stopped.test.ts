import { describe, expect, it } from "vitest";
import { Workspace } from "../support/treadle.js";
import { HEAD, SIX } from "../support/workflows.js";

/** A run of six tasks that SIGINT has stopped at its third. */
async function stopped() {
  const workspace = new Workspace({ "six.tsx": SIX });
  const running = workspace.start(["up", "six.tsx", "--run-id", "six", "--verbose"]);
  await running.seen("task 3 is at work");
  running.process.kill("SIGINT");
  expect((await running.done).code).toBe(130);
  const by = `SIGINT to process ${running.process.pid} of `;
  return { workspace, by };
}

describe("a run that Ctrl-C has stopped", () => {
  it("is stopped, with who did it, wherever its state is shown", async () => {
    const { workspace, by } = await stopped();
    const text = async (...argv: string[]) => {
      const { stdout, stderr } = await workspace.treadle(argv);
      return stdout + stderr;
    };
    expect(await text("ps")).toMatch(new RegExp(`six +six +stopped \\(${by}`));
    expect(await text("ps", "--status", "orphaned,running")).toContain("No runs.");
    expect(await text("ps", "--status", "stopped")).toContain("six");
    for (const command of ["why", "inspect"]) {
      expect(await text(command, "six")).toMatch(/^six stopped/);
      expect(await text(command, "six")).toContain(`No process drives this run. It was stopped: ${by}`);
    }
    expect(await text("approve", "six")).toContain("Run six is stopped and waits for no decision");
    expect(await text("cancel", "six", "--dry-run")).toContain("Would cancel run six (stopped)");
    expect(await text("signal", "six", "go", "--dry-run")).toContain("to run six (stopped)");
    expect(await text("supervise", "--dry-run")).toMatch(/six +six +stopped +stopped/);
  });

  it("tells programs so", async () => {
    const { workspace, by } = await stopped();
    const { document } = await workspace.json(["ps"]);
    expect(document).toMatchObject({
      runs: [{ runState: "stopped", stopped: { reason: expect.stringContaining(by) } }],
    });
    const cancelled = await workspace.json(["cancel", "--status", "stopped", "--dry-run"]);
    expect(cancelled.document).toMatchObject({ runs: [{ runId: "six", runState: "stopped" }] });
  });
});

it("a run that was cancelled is not continued unless it is named, and both commands say so", async () => {
  const { workspace } = await stopped();
  await workspace.treadle(["cancel", "six"]);
  expect((await workspace.treadle(["up", "--resume"])).stderr).toContain("No run is left to continue");
  expect((await workspace.treadle(["why", "six"])).stdout).toContain("treadle up --resume six");
  const help = await workspace.treadle(["cancel", "--help"]);
  expect(help.stdout).not.toContain("for good");
  expect(help.stdout).toContain("up --resume");
});

/** Two of three tasks are skipped. */
const SKIPPING = `${HEAD}
const { Workflow, Task, service, outputs } = createService({ row: z.object({ n: z.number() }) });

export default service(() => (
  <Workflow name="skipping">
    <Task id="done" output={outputs.row}>{{ n: 1 }}</Task>
    <Task id="left" output={outputs.row} skipIf={true}>{{ n: 1 }}</Task>
    <Task id="out" output={outputs.row} skipIf={true}>{{ n: 1 }}</Task>
  </Workflow>
));
`;

it("the tasks of a list count as done only when they have finished", async () => {
  const workspace = new Workspace({ "s.tsx": SKIPPING });
  await workspace.treadle(["up", "s.tsx"]);
  expect((await workspace.treadle(["ps"])).stdout).toContain("1/3, 2 skipped");
});
