import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import {
  approveNode,
  forkRun,
  listFrames,
  replayRun,
  retryTask,
  rewindRun,
  runWorkflow,
} from "../../../src/index.js";
import type { SandboxProvider } from "../../../src/model/sandbox-provider.js";
import { gitIn, recordStates } from "../../vcs/states/repository.js";
import { sandboxedRun } from "../../support/sandboxed-run.js";

const BEFORE = "one\ntwo\nthree\n";
const AFTER = "one\nzwei\nthree\n";

const writer: SandboxProvider = {
  id: "writer",
  run({ workspacePath }) {
    const path = join(workspacePath, "notes");
    writeFileSync(path, readFileSync(path, "utf8").replace("two", "zwei"));
    return Promise.resolve({ status: "finished", output: { text: "done" } });
  },
};

let made: ReturnType<typeof sandboxedRun>;
let notes: string;
const read = () => readFileSync(notes, "utf8");
/** The frame at which the work inside is done and nobody has agreed. */
const asked = async () => {
  const frames = await listFrames(made.workflow, "r");
  return frames.find(({ nodeId }) => nodeId === "box-run")?.frameNo ?? -1;
};
const agree = async (runId: string) => {
  await approveNode(made.workflow, { runId, nodeId: "box-review" });
  return runWorkflow(made.workflow, { runId, resume: true });
};

beforeEach(async () => {
  made = sandboxedRun({ notes: `-${BEFORE}` }, { provider: writer });
  notes = join(made.rootDir, "notes");
  await made.run();
});

describe("the changes of a sandbox in a run that goes back", () => {
  it("are put in place anew where people have taken them back", async () => {
    await agree("r");
    await rewindRun(made.workflow, { runId: "r", frameNo: await asked() });
    writeFileSync(notes, BEFORE);
    await made.run({ resume: true });
    expect(await agree("r")).toMatchObject({ status: "finished" });
    expect(read()).toBe(AFTER);
  });

  it("are there once where they were left, with what people have changed beside them", async () => {
    await agree("r");
    await rewindRun(made.workflow, { runId: "r", frameNo: await asked() });
    writeFileSync(notes, `${AFTER}four\n`);
    await made.run({ resume: true });
    expect(await agree("r")).toMatchObject({ status: "finished" });
    expect(read()).toBe(`${AFTER}four\n`);
  });

  it("are refused with the hunk where others have changed the lines since", async () => {
    await agree("r");
    await rewindRun(made.workflow, { runId: "r", frameNo: await asked() });
    writeFileSync(notes, "one\ndeux\nthree\n");
    await made.run({ resume: true });
    expect(await agree("r")).toMatchObject({
      status: "failed",
      error: { code: "SANDBOX_BUNDLE_INVALID", message: expect.stringContaining("-two\n+zwei") as string },
    });
    expect(read()).toBe("one\ndeux\nthree\n");
  });
});

describe("the changes of a sandbox in a fork", () => {
  it("are there once, whichever of the two runs agrees first", async () => {
    for (const newRunId of ["first", "last"])
      await forkRun(made.workflow, { runId: "r", frameNo: await asked(), newRunId });
    for (const runId of ["first", "last"]) await runWorkflow(made.workflow, { runId, resume: true });
    for (const runId of ["first", "r", "last"]) {
      expect(await agree(runId)).toMatchObject({ status: "finished" });
      expect(read()).toBe(AFTER);
    }
  });

  it("come into the folder that it works in, and not into that of the other run", async () => {
    gitIn(made.rootDir, "init", "-q");
    gitIn(made.rootDir, "add", ".");
    gitIn(made.rootDir, "commit", "-q", "-m", "first");
    recordStates();
    await agree("r");
    const { restored, runId } = await replayRun(made.workflow, {
      runId: "r",
      frameNo: await asked(),
      restoreVcs: true,
      newRunId: "elsewhere",
    });
    const there = join(restored?.rootDir ?? "", "notes");
    writeFileSync(notes, "not touched\n");
    writeFileSync(there, BEFORE);
    expect(await agree(runId ?? "")).toMatchObject({ status: "finished" });
    expect([readFileSync(there, "utf8"), read()]).toEqual([AFTER, "not touched\n"]);
  });

  it("are gone with the other run: the message says what to run again", async () => {
    await forkRun(made.workflow, { runId: "r", frameNo: await asked(), newRunId: "orphan" });
    await runWorkflow(made.workflow, { runId: "orphan", resume: true });
    rmSync(join(made.rootDir, ".service/sandboxes/r"), { recursive: true });
    expect(await agree("orphan")).toMatchObject({
      status: "failed",
      error: {
        code: "SANDBOX_BUNDLE_INVALID",
        message: expect.stringContaining("retry the task box-run") as string,
      },
    });
    await retryTask(made.workflow, { runId: "orphan", nodeId: "box-run" });
    await runWorkflow(made.workflow, { runId: "orphan", resume: true });
    expect(await agree("orphan")).toMatchObject({ status: "finished" });
    expect(read()).toBe(AFTER);
  });
});
