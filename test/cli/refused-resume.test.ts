import { renameSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ProcessWorkspace, Workspace } from "./support/treadle.js";
import { FAILING, GATED, SIX } from "./support/workflows.js";

const ACCEPT = "--accept-workflow-change";

interface Explained {
  blockers: { kind: string; fix?: string }[];
}

/** A run whose file has got another task since, and whose resume was refused for it. */
async function refused(text: string) {
  const workspace = new Workspace({ "flow.tsx": text });
  await workspace.treadle(["up", "flow.tsx", "--run-id", "r"]);
  workspace.write("flow.tsx", text.replace(/id="/, 'id="other-'));
  const resume = await workspace.treadle(["up", "--resume", "r"]);
  expect(resume.stderr).toContain("RESUME_METADATA_MISMATCH");
  return workspace;
}

describe.each([
  ["waits", GATED],
  ["has failed", FAILING],
])("after the resume of a run that %s was refused", (_, text) => {
  it("no command suggests the same again", async () => {
    const workspace = await refused(text);
    const { document } = await workspace.json<Explained>(["why", "r"]);
    const resumes = document.blockers.flatMap(({ fix = "" }) => (fix.includes("--resume r") ? [fix] : []));
    expect(resumes.length).toBeGreaterThan(0);
    for (const fix of resumes) expect(fix).toContain(ACCEPT);
    expect((await workspace.treadle(["ps"])).stdout).toContain("not resumed: RESUME_METADATA_MISMATCH");
    const [command = ""] = resumes;
    const again = await workspace.treadle(command.split(" ").slice(1));
    expect(again.stderr).not.toContain("RESUME_METADATA_MISMATCH");
    const after = await workspace.treadle(["why", "r"]);
    expect(after.stdout).not.toContain(ACCEPT);
  });
});

it("a run whose file is gone asks for the file that takes its place", async () => {
  const workspace = new Workspace({ "flow.tsx": GATED });
  await workspace.treadle(["up", "flow.tsx", "--run-id", "r"]);
  renameSync(workspace.path("flow.tsx"), workspace.path("moved.tsx"));
  await workspace.treadle(["approve", "r", "--yes"]);
  const why = await workspace.treadle(["why", "r"]);
  expect(why.stdout).toContain("treadle up FILE --resume r");
});

it("a run whose process died is as orphaned as before", async () => {
  const workspace = new ProcessWorkspace({ "six.tsx": SIX });
  const running = workspace.start(["up", "six.tsx", "--run-id", "r", "--verbose"]);
  await running.seen("task 3 is at work");
  running.process.kill("SIGKILL");
  await running.done;
  const stateOf = async () => {
    const { document } = await workspace.json<{ runState: string; lastHeartbeatAtMs: number }>(["why", "r"]);
    return [document.runState, document.lastHeartbeatAtMs];
  };
  const before = await stateOf();
  expect(before[0]).toBe("orphaned");
  workspace.write("six.tsx", SIX.replace('"t" + n', '"s" + n'));
  expect((await workspace.treadle(["up", "--resume", "r"])).stderr).toContain("RESUME_METADATA_MISMATCH");
  expect(await stateOf()).toEqual(before);
});
