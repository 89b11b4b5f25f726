import { existsSync, readFileSync, rmSync } from "node:fs";
import { expect, it } from "vitest";
import { canSandbox } from "../support/can-sandbox.js";
import { eventually, processesWith } from "../tools/support/processes.js";
import { ProcessWorkspace } from "./support/treadle.js";

const CHILD = `
import { appendFileSync, existsSync } from "node:fs";
import { createService } from "treadle";
import { z } from "zod";
const { Workflow, Task, service, outputs } = createService({
  input: z.object({ mark: z.string() }),
  output: z.object({ text: z.string() }),
});
export default service((ctx) => (
  <Workflow name="child">
    <Task id="work" output={outputs.output}>
      {async () => {
        appendFileSync("notes", ctx.input.mark + "\\n");
        console.log("at work inside");
        while (existsSync("slow")) await new Promise((resolve) => setTimeout(resolve, 1_000));
        return { text: ctx.input.mark };
      }}
    </Task>
  </Workflow>
));
`;

const PARENT = `
import { createService } from "treadle";
import { z } from "zod";
import child from "./child";
const { Workflow, Sandbox, service, outputs } = createService({ output: z.object({ text: z.string() }) });
export default service(() => (
  <Workflow name="parent">
    <Sandbox id="box" workflow={child} input={{ mark: "inside" }} output={outputs.output} autoAcceptDiffs />
  </Workflow>
));
`;

/** With files that outlive the process inside. */
const STICKY = PARENT.replace("autoAcceptDiffs", 'workspace={{ name: "w" }} autoAcceptDiffs');

const FILES = { "parent.tsx": PARENT, "child.tsx": CHILD, notes: "before\n" };

it.runIf(canSandbox)("finds the workflow inside that the file of the run imports", async () => {
  const workspace = new ProcessWorkspace(FILES);
  const { code, stdout, stderr } = await workspace.treadle(["up", "parent.tsx", "--run-id", "sb"]);
  expect({ code, said: stdout + stderr }).toMatchObject({ code: 0 });
  expect(readFileSync(workspace.path("notes"), "utf8")).toBe("before\ninside\n");
  expect(existsSync(workspace.path(".service/sandboxes/sb"))).toBe(true);
});

it.runIf(canSandbox)(
  "leaves no process when its own is killed; a resume begins again and changes the files once, also those of a sticky workspace",
  async () => {
    const workspace = new ProcessWorkspace({ ...FILES, "parent.tsx": STICKY, slow: "" });
    const running = workspace.start(["up", "parent.tsx", "--run-id", "sb"]);
    const inside = async () => {
      const pids = await processesWith("TREADLE_SANDBOX=1");
      const ours = new Set(await processesWith("TREADLE_TASK=sb/box-run"));
      return pids.filter((pid) => ours.has(pid));
    };
    await eventually(async () => (await inside()).length >= 2, 100_000);
    running.process.kill("SIGKILL");
    await running.done;
    await eventually(async () => (await inside()).length === 0, 100_000);
    expect(readFileSync(workspace.path("notes"), "utf8")).toBe("before\n");
    rmSync(workspace.path("slow"));
    const { code, stdout, stderr } = await workspace.treadle(["up", "--resume", "sb"]);
    expect({ code, said: stdout + stderr }).toMatchObject({ code: 0 });
    expect(readFileSync(workspace.path("notes"), "utf8")).toBe("before\ninside\n");
    await workspace.treadle(["up", "--resume", "sb"]);
    expect(readFileSync(workspace.path("notes"), "utf8")).toBe("before\ninside\n");
  },
);
