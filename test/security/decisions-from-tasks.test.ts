import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { HEAD } from "../cli/support/workflows.js";
import { Workspace } from "../cli/support/treadle.js";

/** A task that decides the gate beside it by the command line, as an agent's shell would. */
const DECIDING = `${HEAD}
import { spawnSync } from "node:child_process";
const { Workflow, Parallel, Task, Approval, service, outputs } = createService({
  decision: z.object({ approved: z.boolean() }),
  output: z.object({ code: z.number(), said: z.string() }),
});
export default service(() => (
  <Workflow name="deciding">
    <Parallel>
      <Approval id="gate" output={outputs.decision} request={{ title: "Pay?" }} />
      <Task id="agent" output={outputs.output} retries={0}>
        {() => {
          const [command, ...args] = JSON.parse(process.env.DECIDE);
          const { status, stderr } = spawnSync(command, args, { encoding: "utf8", env: { PATH: process.env.PATH } });
          return { code: status ?? -1, said: stderr };
        }}
      </Task>
    </Parallel>
  </Workflow>
));
`;

const MAIN = process.env.TREADLE_TEST_MAIN ?? new URL("../../dist/src/cli/main.js", import.meta.url).pathname;

describe("a gate whose own run's task calls the command line", () => {
  it.each([
    ["approve", ["approve", "r", "gate", "--yes"]],
    ["deny", ["deny", "r", "gate", "--yes"]],
    ["signal", ["signal", "r", "go"]],
    ["cancel", ["cancel", "r"]],
    ["retry-task", ["retry-task", "r", "gate", "--yes"]],
    ["fork", ["fork", "r"]],
    ["replay", ["replay", "r"]],
    ["rewind", ["rewind", "r", "1", "--yes"]],
  ])("is not decided: %s comes from a process that drives the run", async (_name, args) => {
    const workspace = new Workspace({ "flow.tsx": DECIDING });
    // A shell in between, and nothing of the environment: only the ancestry is left.
    const line = [process.execPath, MAIN, ...args].map((word) => `'${word}'`).join(" ");
    const DECIDE = JSON.stringify(["sh", "-c", `${line}; exit $?`]);
    await workspace.treadle(["up", "flow.tsx", "--run-id", "r"], { env: { DECIDE } });
    const { document } = await workspace.json<{ output: { code: number; said: string } }>([
      "node",
      "r",
      "agent",
    ]);
    expect(document.output).toMatchObject({ code: 4, said: expect.stringContaining("TASK_MAY_NOT_DECIDE") });
    const { stdout } = await workspace.treadle(["inbox"]);
    expect(stdout).toContain("gate");
  });
});

describe("a process that is marked as a task's", () => {
  it("decides nothing, nor does what it starts without the mark", async () => {
    const workspace = new Workspace({ "flow.tsx": DECIDING });
    await workspace.treadle(["up", "flow.tsx", "--run-id", "r"], { env: { DECIDE: '["true"]' } });
    const args = ["approve", "r", "gate", "--yes"];
    const marked = await workspace.treadle(args, { env: { TREADLE_TASK: "r::agent" } });
    expect(marked).toMatchObject({ code: 4, stderr: expect.stringContaining("TASK_MAY_NOT_DECIDE") });
    const line = [process.execPath, MAIN, ...args].map((word) => `'${word}'`).join(" ");
    const unmarked = spawnSync("sh", ["-c", `unset TREADLE_TASK; ${line}; exit $?`], {
      cwd: workspace.path("."),
      env: { ...process.env, TREADLE_TASK: "r::agent" },
      encoding: "utf8",
    });
    expect(unmarked).toMatchObject({ status: 4, stderr: expect.stringContaining("TASK_MAY_NOT_DECIDE") });
    expect(await workspace.treadle(args)).toMatchObject({ code: 0 });
  });
});
