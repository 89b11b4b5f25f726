import { expect, it } from "vitest";
import { callIn } from "../support/in-process.js";
import { Workspace } from "../support/treadle.js";
import { FAILING, GATED, PARENT } from "../support/workflows.js";

/** A workspace with a run that a program started, without a path, after one of the command line that failed. */
async function withProgramsRun() {
  const workspace = new Workspace({ "g.tsx": GATED, "f.tsx": FAILING });
  await workspace.treadle(["up", "f.tsx", "--run-id", "of-a-file"]);
  const { openExisting } = await import("../../../src/store/open-existing.js");
  const store = openExisting(workspace.path("service.db"), { readOnly: false });
  await store.createRun({
    runId: "of-a-program",
    parentRunId: null,
    workflowName: "embedded",
    workflowPath: null,
    workflowHash: null,
    config: { maxConcurrency: 4, requireRerenderOnOutputChange: true },
    input: {},
    ownerId: null,
    nowMs: Date.now(),
  });
  await store.close();
  return workspace;
}

it("ps lists a run that a program started without a path as such", async () => {
  const { folder } = await withProgramsRun();
  const { stdout } = await callIn(folder, ["ps"]);
  expect(stdout).toMatch(/^of-a-program +embedded +queued .*by a program$/m);
  expect(stdout).toMatch(/^of-a-file +failing +failed (?!.*by a program)/m);
});

it("ps lists a child run as one that its parent started", async () => {
  const workspace = new Workspace({ "p.tsx": PARENT });
  await workspace.treadle(["up", "p.tsx", "--run-id", "mother"]);
  const { stdout } = await callIn(workspace.folder, ["ps"]);
  expect(stdout).toMatch(/^mother:sub:0 +child +finished .*by mother$/m);
  expect(stdout).not.toContain("by a program");
});

it("up --resume passes over it and continues with the next run", async () => {
  const workspace = await withProgramsRun();
  const { document } = await workspace.json(["up", "--resume"]);
  expect(document).toMatchObject({ runId: "of-a-file", status: "failed" });
});

it("up --resume of it alone says what is missing, and how to give it", async () => {
  const workspace = await withProgramsRun();
  const { code, stderr } = await workspace.treadle(["up", "--resume", "of-a-program"]);
  expect(code).toBe(4);
  expect(stderr).toContain("treadle up FILE --resume of-a-program");
});

it("what was sent to it continues by a command that names its file too", async () => {
  const { folder } = await withProgramsRun();
  const sent = await callIn(folder, ["signal", "of-a-program", "go"]);
  expect(sent.stdout).toContain("otherwise: treadle up FILE --resume of-a-program");
});
