import { describe, expect, it } from "vitest";
import { readFolder } from "../../support/folder-content.js";
import { childFile } from "../../support/sandbox-request.js";
import { sandboxedRun } from "../../support/sandboxed-run.js";
import { canSandbox } from "../../support/can-sandbox.js";

describe.runIf(canSandbox)("a sandbox in bubblewrap", () => {
  it("runs the child workflow of a file, and puts what it has changed in place", async () => {
    const body = `const fs = await import("node:fs"); fs.writeFileSync("new", "made inside"); return ctx.input.text;`;
    const { run, rootDir } = sandboxedRun(
      { "child.tsx": `-${childFile(body)}` },
      { input: { text: "hello" } as never, autoAcceptDiffs: true },
    );
    expect(await run()).toMatchObject({ status: "finished", output: { text: "hello" } });
    expect(readFolder(rootDir)).toMatchObject({ new: "-made inside" });
  });

  it("fails with the reason when the run inside fails, and changes nothing", async () => {
    const body = `const fs = await import("node:fs"); fs.writeFileSync("new", "x"); throw new Error("broken inside");`;
    const { run, rootDir, types } = sandboxedRun(
      { "child.tsx": `-${childFile(body)}` },
      { autoAcceptDiffs: true },
    );
    expect(await run()).toMatchObject({
      status: "failed",
      error: {
        code: "SANDBOX_EXECUTION_FAILED",
        message: expect.stringContaining("broken inside") as string,
      },
    });
    expect(readFolder(rootDir)).not.toHaveProperty("new");
    expect(types()).toContain("SandboxFailed");
  });
});
