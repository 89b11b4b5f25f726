import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { approveNode, createService, listApprovals, runWorkflow } from "../../../src/index.js";
import type { SandboxProvider } from "../../../src/model/sandbox-provider.js";
import { readFolder, writeFolder } from "../../support/folder-content.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const LINES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const text = (changed: Record<string, string> = {}) =>
  `${LINES.map((line) => changed[line] ?? line).join("\n")}\n`;

/** Two sandboxes, which each begin with the same files; `a` changes lines as it says, `b` too, and adds a file. */
function twoSandboxes(changes: { a: Record<string, string>; b: Record<string, string> }, isReviewed = false) {
  const folder = temporaryFolder("two");
  const rootDir = join(folder, "root");
  mkdirSync(rootDir);
  writeFolder(rootDir, { notes: `-${text()}` });
  let begun = 0;
  let bothBegan = () => {};
  const both = new Promise<void>((resolve) => {
    bothBegan = resolve;
  });
  const provider = (id: "a" | "b"): SandboxProvider => ({
    id,
    async run({ workspacePath }) {
      begun += 1;
      if (begun === 2) bothBegan();
      await both;
      writeFileSync(join(workspacePath, "notes"), text(changes[id]));
      if (id === "b") writeFileSync(join(workspacePath, "of-b"), "b\n");
      return { status: "finished", output: { text: id } };
    },
  });
  const api = createService(
    { output: z.object({ text: z.string() }) },
    { dbPath: join(folder, "service.db") },
  );
  const { Workflow, Parallel, Sandbox, service, outputs } = api;
  const workflow = service(() => (
    <Workflow name="two">
      <Parallel>
        {(["a", "b"] as const).map((id) => (
          <Sandbox
            key={id}
            id={id}
            workflow="child.tsx"
            output={outputs.output}
            provider={provider(id)}
            retries={0}
            autoAcceptDiffs={!isReviewed}
          />
        ))}
      </Parallel>
    </Workflow>
  ));
  const run = (options: { resume?: true } = {}) => runWorkflow(workflow, { runId: "r", rootDir, ...options });
  const files = () =>
    Object.fromEntries(Object.entries(readFolder(rootDir)).filter(([path]) => !path.startsWith(".service/")));
  return { run, workflow, rootDir, files };
}

describe("two sandboxes that began with the same files", () => {
  it("both change one file, where their lines lie apart", async () => {
    const { run, rootDir } = twoSandboxes({ a: { one: "eins" }, b: { nine: "neun" } });
    expect(await run()).toMatchObject({ status: "finished" });
    expect(readFileSync(join(rootDir, "notes"), "utf8")).toBe(text({ one: "eins", nine: "neun" }));
  });

  it("conflict on a line: the second is refused with its hunk, and nothing of it is there", async () => {
    const { run, workflow, files } = twoSandboxes({ a: { five: "by a" }, b: { five: "by b" } }, true);
    expect(await run()).toMatchObject({ status: "waiting-approval" });
    const asked = await listApprovals(workflow, { runId: "r" });
    const requests = JSON.stringify(asked);
    expect(requests).toContain("+by a");
    expect(requests).toContain("+by b");
    await approveNode(workflow, { runId: "r", nodeId: "a-review" });
    expect(await run({ resume: true })).toMatchObject({ status: "waiting-approval" });
    expect(files()).toEqual({ notes: `-${text({ five: "by a" })}` });
    await approveNode(workflow, { runId: "r", nodeId: "b-review" });
    const { status, error } = await run({ resume: true });
    expect(status).toBe("failed");
    expect(error).toMatchObject({ code: "SANDBOX_BUNDLE_INVALID" });
    expect(error?.message).toContain("-five\n+by b");
    expect(files()).toEqual({ notes: `-${text({ five: "by a" })}` });
  });
});
