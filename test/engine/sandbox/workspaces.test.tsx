import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { SandboxProps } from "../../../src/components/patterns/Sandbox.js";
import { approveNode, createService, denyNode, listApprovals, pruneRuns } from "../../../src/index.js";
import { type RunEvent, runWorkflow } from "../../../src/index.js";
import type { SandboxProvider } from "../../../src/model/sandbox-provider.js";
import { writeFolder } from "../../support/folder-content.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

type Box = Partial<Omit<SandboxProps, "output">> & {
  readonly id: string;
  work(at: (path: string) => string): unknown;
};

const LINES = "one\ntwo\nthree\nfour\nfive\n";

/** Sandboxes of one run, each of which does its work on the files that it is given. */
function boxes(list: readonly Box[], { isParallel = false } = {}) {
  const folder = temporaryFolder("workspaces");
  const rootDir = join(folder, "root");
  mkdirSync(rootDir);
  writeFolder(rootDir, { notes: `-${LINES}`, ".gitignore": "-built\n" });
  const api = createService(
    { output: z.object({ text: z.string() }) },
    { dbPath: join(folder, "service.db") },
  );
  const { Workflow, Parallel, Sequence, Sandbox, service, outputs } = api;
  const All = isParallel ? Parallel : Sequence;
  const provider = ({ id, work }: Box): SandboxProvider => ({
    id,
    async run({ workspacePath }) {
      await work((path) => join(workspacePath, path));
      return { status: "finished", output: { text: id } };
    },
  });
  const workflow = service(() => (
    <Workflow name="boxes">
      <All>
        {list.map(({ work, ...props }) => (
          <Sandbox
            key={props.id}
            workflow="child.tsx"
            output={outputs.output}
            provider={provider({ work, ...props })}
            retries={0}
            workspace={{ name: "w" }}
            autoAcceptDiffs
            {...props}
          />
        ))}
      </All>
    </Workflow>
  ));
  const events: RunEvent[] = [];
  const run = (options: { resume?: true; runId?: string } = {}) =>
    runWorkflow(workflow, { runId: "r", rootDir, onProgress: (event) => events.push(event), ...options });
  const read = (path: string) => readFileSync(join(rootDir, path), "utf8");
  const shown = async (nodeId: string) =>
    (await listApprovals(workflow, { runId: "r" })).find((each) => each.nodeId === nodeId)?.request.summary;
  const snapshots = () =>
    events.flatMap((event) => (event.type === "SandboxCompleted" ? [event.snapshotId ?? "none"] : []));
  return { run, rootDir, workflow, read, shown, snapshots };
}

const adds =
  (line: string): Box["work"] =>
  (at) =>
    appendFileSync(at("notes"), `${line}\n`);

describe("a sticky workspace", () => {
  it("is as the sandbox before has left it, what git ignores included", async () => {
    let found = "";
    const { run, read } = boxes([
      {
        id: "a",
        work(at) {
          adds("a")(at);
          writeFileSync(at("built"), "by a");
        },
      },
      {
        id: "b",
        work(at) {
          adds("b")(at);
          found = readFileSync(at("built"), "utf8");
        },
      },
    ]);
    expect(await run()).toMatchObject({ status: "finished" });
    expect([read("notes"), found]).toEqual([`${LINES}a\nb\n`, "by a"]);
  });

  it("has the changes that its sandboxes have left there, and a patch shows all that the run's folder lacks", async () => {
    const { run, shown, workflow, read } = boxes([
      { id: "a", work: adds("a"), autoAcceptDiffs: false, reviewDiffs: false },
      { id: "b", work: adds("b"), autoAcceptDiffs: false },
    ]);
    expect(await run()).toMatchObject({ status: "waiting-approval" });
    expect(await shown("b-review")).toContain(" five\n+a\n+b\n");
    await approveNode(workflow, { runId: "r", nodeId: "b-review" });
    expect(await run({ resume: true })).toMatchObject({ status: "finished" });
    expect(read("notes")).toBe(`${LINES}a\nb\n`);
  });

  it("keeps what a person has turned down, and shows it to the next one", async () => {
    const { run, shown, workflow, read } = boxes([
      { id: "a", work: adds("a"), autoAcceptDiffs: false, continueOnFail: true },
      { id: "b", work: adds("b"), autoAcceptDiffs: false },
    ]);
    await run();
    await denyNode(workflow, { runId: "r", nodeId: "a-review" });
    expect(await run({ resume: true })).toMatchObject({ status: "waiting-approval" });
    expect(read("notes")).toBe(LINES);
    expect(await shown("b-review")).toContain(" five\n+a\n+b\n");
  });

  it("gets what people have changed in the run's folder since", async () => {
    const { run, workflow, rootDir, read } = boxes([
      { id: "a", work: adds("a"), autoAcceptDiffs: false, continueOnFail: true },
      { id: "b", work: adds("b") },
    ]);
    await run();
    await denyNode(workflow, { runId: "r", nodeId: "a-review" });
    writeFileSync(join(rootDir, "notes"), `by a person\n${LINES}`);
    writeFileSync(join(rootDir, "more"), "by a person\n");
    expect(await run({ resume: true })).toMatchObject({ status: "finished" });
    expect([read("notes"), read("more")]).toEqual([`by a person\n${LINES}a\nb\n`, "by a person\n"]);
  });

  it("begins nothing where it and the run's folder have changed the same lines", async () => {
    let hasBegun = false;
    const { run, workflow, rootDir } = boxes([
      { id: "a", work: adds("a"), autoAcceptDiffs: false, continueOnFail: true },
      { id: "b", work: () => (hasBegun = true) },
    ]);
    await run();
    await denyNode(workflow, { runId: "r", nodeId: "a-review" });
    writeFileSync(join(rootDir, "notes"), `${LINES}by a person\n`);
    expect(await run({ resume: true })).toMatchObject({
      status: "failed",
      error: {
        code: "SANDBOX_BUNDLE_INVALID",
        message: expect.stringContaining("have changed the same lines") as string,
      },
    });
    expect(hasBegun).toBe(false);
  });

  it("is used by one sandbox at a time: the others wait, and every patch fits", async () => {
    let [now, most] = [0, 0];
    const work = (line: string): Box["work"] => {
      return async (at) => {
        most = Math.max(most, ++now);
        adds(line)(at);
        await new Promise((done) => setTimeout(done, 5));
        now -= 1;
      };
    };
    const list = ["a", "b", "c"].map((id) => ({ id, work: work(id) }));
    const { run, read } = boxes(list, { isParallel: true });
    expect(await run()).toMatchObject({ status: "finished" });
    expect(most).toBe(1);
    expect(read("notes").slice(LINES.length).split("\n").sort().join("")).toBe("abc");
  });

  it("is for an attempt that is made again as it was for the first one", async () => {
    let tries = 0;
    const { run, read } = boxes([
      { id: "a", work: adds("a") },
      {
        id: "b",
        retries: 1,
        retryPolicy: { initialDelayMs: 0 },
        work(at) {
          adds("b")(at);
          tries += 1;
          if (tries === 1) throw new Error("half way");
        },
      },
    ]);
    expect(await run()).toMatchObject({ status: "finished" });
    expect(read("notes")).toBe(`${LINES}a\nb\n`);
  });

  it("begins with a snapshot of another run's, which SandboxCompleted has named", async () => {
    const first = boxes([{ id: "a", work: adds("a"), autoAcceptDiffs: false, reviewDiffs: false }]);
    await first.run();
    const [snapshotId = ""] = first.snapshots();
    const persistence = "ephemeral";
    const next = boxes([
      {
        ...{ id: "c", work: adds("c"), reviewDiffs: false, autoAcceptDiffs: false },
        workspace: { name: "w", snapshotId, persistence },
      },
      { id: "b", work: adds("b"), workspace: { name: "w", snapshotId } },
      { id: "d", work: () => undefined, workspace: { name: "w", snapshotId: "0".repeat(40) } },
    ]);
    // The same folder, another run.
    rmSync(next.rootDir, { recursive: true });
    cpSync(first.rootDir, next.rootDir, { recursive: true });
    expect(await next.run({ runId: "s" })).toMatchObject({
      status: "failed",
      error: { code: "SNAPSHOT_NOT_FOUND" },
    });
    expect(next.read("notes")).toBe(`${LINES}a\nb\n`);
    expect(next.snapshots()).toEqual(["none", expect.stringMatching(/^[0-9a-f]{40}$/)]);
  });

  it("goes with its run when that is pruned", async () => {
    const { run, workflow, rootDir } = boxes([{ id: "a", work: adds("a") }]);
    await run();
    expect(existsSync(join(rootDir, ".service/sandboxes/r/workspaces/w/files/notes"))).toBe(true);
    await pruneRuns(workflow, { olderThanMs: 0, dryRun: true });
    expect(existsSync(join(rootDir, ".service/sandboxes/r"))).toBe(true);
    expect(await pruneRuns(workflow, { olderThanMs: 0 })).toMatchObject({ runIds: ["r"] });
    expect(existsSync(join(rootDir, ".service/sandboxes/r"))).toBe(false);
  });
});
